"""A person's hands: trusted mouse and keyboard input in a watched window, and the same deeds by an oracle."""

from __future__ import annotations

import asyncio

from playwright.async_api import async_playwright

from skillshift_gym import actions
from skillshift_gym.evaluation.capture_launch import Look, launched, watching
from skillshift_gym.evaluation.verify import actions_of
from skillshift_gym.skills.recorder import Step
from skillshift_gym.tasks import registry

LIMIT = 60
HEADLESS = Look(headless=True)
ELEMENT = "index => document.querySelectorAll('*')[index]"


class Theatre:
    """A Chromium for many windows, one after the other; a dead one is replaced."""

    def __enter__(self):
        self.runner = asyncio.Runner()
        self.browser = self.playwright = None
        return self

    def __exit__(self, *_):
        if self.playwright is not None:
            self.runner.run(self._end())
        self.runner.close()

    def show(self, site, path, act, filters=()):
        """Opens a window, lets `act(page, window)` use it, closes it, and returns what was captured."""

        async def run():
            async with asyncio.timeout(LIMIT):
                await self._start()
                async with watching(self.browser, site, path, filters, look=HEADLESS) as window:
                    page = window.tabs[0].page
                    page.set_default_timeout(10_000)
                    await act(page, window)
                    if not window.ended.done():
                        window.stop("the test is over")
                    return await window.captured()

        return self.runner.run(run())

    async def _start(self):
        if self.playwright is None:
            self.playwright = await async_playwright().start()
        if self.browser is None or not self.browser.is_connected():
            self.browser = await launched(self.playwright, HEADLESS)

    async def _end(self):
        await self.browser.close()
        await self.playwright.stop()


class Hands:
    """Does what an oracle says, in the window by hand and in an environment by primitives, and keeps the latter's steps."""

    def __init__(self, env, task):
        self.env, self.task, self.steps = env, task, []
        env.reset(seed=0, options={"task": task})

    async def __call__(self, page, window):
        base = self.env.unwrapped
        family, number = registry.family_of(self.task)
        for step in family.oracle(family.instances[number].params, base.version):
            (action,) = actions_of(base, step)
            call, before = actions.parse(action), base.page
            if call.name == "send_msg_to_user":
                window.stop("answered", call.args[0])
                self.steps.append(Step(before, call))
                break
            await page.evaluate("window.left = false")
            await by_hand(page, call)
            self.env.step(action)
            if not idle(before, base.page, call):
                self.steps.append(Step(before, ticked(before, call)))
            if base.page.document is not before.document:
                await page.wait_for_function("() => window.left === undefined && document.readyState === 'complete'")
        self.last = base.page


def idle(before, after, call):
    """Tells whether an oracle chose what was chosen: a person's list says nothing then."""
    return call.name == "select_option" and after.snapshot.controls == before.snapshot.controls


def ticked(page, call):
    """Returns the click on a box as what a person's click on it means."""
    if call.name != "click" or page.element(int(call.args[0])).role not in ("checkbox", "radio"):
        return call
    checked = page.snapshot.controls[int(call.args[0])].checked
    return actions.primitive("uncheck" if checked else "check", call.args[0])


async def by_hand(page, call):
    """Does a primitive as a person does it."""
    if call.name == "goto":
        await page.goto(call.args[0])
        return
    element = (await page.evaluate_handle(ELEMENT, int(call.args[0]))).as_element()
    if call.name in ("click", "check", "uncheck"):
        await element.click()
    elif call.name == "fill":
        await element.click()
        await page.keyboard.press("ControlOrMeta+A")
        await page.keyboard.type(call.args[1][:5])
        await page.keyboard.insert_text(call.args[1][5:])
    elif call.name == "press":
        await element.focus()
        await page.keyboard.press(call.args[1])
    elif call.name == "select_option":
        await choose(page, element, call.args[1])
    else:
        raise AssertionError(f"no hand can do {call.name}")


async def choose(page, element, labels):
    """Chooses options: with the mouse in a list of several, by their first letters in a drop-down."""
    if not await element.evaluate("list => list.multiple"):
        await element.click()
        await page.keyboard.type(labels[0])
        return
    for option in await element.query_selector_all("option"):
        chosen = await option.evaluate("option => option.selected")
        if ((await option.text_content()).strip() in labels) != chosen:
            await option.click(modifiers=["ControlOrMeta"])
