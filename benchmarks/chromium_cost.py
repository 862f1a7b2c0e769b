"""What a step costs in Chromium: `python benchmarks/chromium_cost.py`.

Prints median milliseconds of a reset and of steps that type, click and navigate, with the full observation, on pages of
about 200 and 2,000 elements, beside the floor of a bare Playwright page in the same run: raw DevTools input and
`outerHTML`, and Playwright's own `page.click`, `page.content` and, for a link, `page.goto` answered by
`route.fulfill`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import gymnasium
from playwright.sync_api import Page, sync_playwright
from step_cost import iter_call, median

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.browsers.chromium_launch import find_chromium
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.registration import ENTRY_POINT
from skillshift_gym.sites.protocol import Request
from skillshift_gym.sites.registry import create, register_site
from skillshift_gym.tasks import registry

BUDGETS = {200: 10.0, 2000: 40.0}
RESET_BUDGET = 60.0
TIMES = 40


def main() -> None:
    """Prints all figures."""
    env = make_plain()
    print(f"reset at once after a reset: {median(lambda: env.reset(seed=0), 20):.1f} ms")
    print(f"reset after an episode of ten actions: {_reset_after_episode(env):.1f} ms (budget {RESET_BUDGET:.0f})\n")
    print(
        "| page | fill | click a box-less cell | follow a link | budget | raw input + outerHTML | page.click + content "
        "| route.fulfill + goto + content |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for size, budget in BUDGETS.items():
        found = (*steps(env, size), budget, *_floor(size))
        print(f"| {size} elements | " + " | ".join(f"{ms:.1f}" for ms in found) + " |")
    env.close()


def make_plain() -> gymnasium.Env[Any, Any]:
    """Returns an environment on Chromium whose pages have a given number of elements, reset once."""
    sys.path.insert(0, str(Path(__file__).parent))
    register_site("plain", "plain_site")
    registry.register_tasks("plain", "plain_site")
    gymnasium.register(id="Plain-v0", entry_point=ENTRY_POINT, kwargs={"site": "plain", "budget": 10**9})
    env = gymnasium.make("Plain-v0", browser="chromium", disable_env_checker=True)
    env.reset(seed=0)
    return env


def _reset_after_episode(env: gymnasium.Env[Any, Any]) -> float:
    """Returns the median of resets with actions between them, while which the next context is opened."""
    taken = []
    for _ in range(20):
        for _ in range(10):
            env.step("keyboard_press('Tab')")
        started = time.perf_counter()
        env.reset(seed=0)
        taken.append(1000 * (time.perf_counter() - started))
    return sorted(taken)[len(taken) // 2]


def steps(env: gymnasium.Env[Any, Any], size: int) -> tuple[float, float, float]:
    """Returns the medians of typing, clicking something that does nothing, and following a link."""
    base = cast(SkillShiftEnv, env.unwrapped)
    env.step(f"goto('/{size}/1/')")
    field = next(e.bid for e in base.page.interactive if e.role == "searchbox")
    heading = next(e.bid for e in base.page.elements if e.role == "heading")
    typing = median(iter_call(env.step, ((f"fill('{field}', 'text {n}')",) for n in range(10**6))), TIMES)
    clicking = median(lambda: env.step(f"click('{heading}')"), TIMES)
    links = ((f"click('{_link(base)}')",) for _ in range(10**6))
    return typing, clicking, median(iter_call(env.step, links), TIMES)


def _link(env: SkillShiftEnv) -> str:
    return next(e.bid for e in env.page.interactive if e.name.startswith("Open order"))


def _floor(size: int) -> tuple[float, float, float]:
    """Returns the medians of raw DevTools input with `outerHTML`, of Playwright's click, and of its navigation."""
    site = create("plain", "v1")
    body = site.request(Request("GET", f"{site.origin}/{size}/1/")).body.decode()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_content(body)
        result = median(_raw(page), TIMES), median(_playwright(page), TIMES), median(_navigation(page, body), TIMES)
        browser.close()
    return result


def _raw(page: Page) -> Callable[[], None]:
    session = page.context.new_cdp_session(page)
    place = {"x": 20, "y": 20, "button": "left", "clickCount": 1}

    def step() -> None:
        for kind in ("mousePressed", "mouseReleased"):
            session.send("Input.dispatchMouseEvent", {"type": kind, **place})
        session.send("Runtime.evaluate", {"expression": "document.documentElement.outerHTML", "returnByValue": True})

    return step


def _playwright(page: Page) -> Callable[[], None]:
    def step() -> None:
        page.click("h1")
        page.content()

    return step


def _navigation(page: Page, body: str) -> Callable[[], None]:
    """Returns a step that opens a page answered in this process and reads it, with Playwright's own means."""
    page.route("**/*", lambda route: route.fulfill(body=body, content_type="text/html"))

    def step() -> None:
        page.goto("https://plain.example/", wait_until="domcontentloaded")
        page.content()

    return step


if __name__ == "__main__":
    started = time.perf_counter()
    main()
    print(f"\n{time.perf_counter() - started:.0f} s")
