"""`skillshift record`: a person's deeds in a window, the skill in the bank, and what is told about it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from contextlib import asynccontextmanager

import pytest

from skillshift_gym import cli
from skillshift_gym.actions import SkillCall, format_action, primitive
from skillshift_gym.errors import InfrastructureError
from skillshift_gym.evaluation import demonstration
from skillshift_gym.evaluation.capture_window import Captured
from skillshift_gym.evaluation.demonstration import Request, made, scene_of
from skillshift_gym.evaluation.survival import survival
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.program import parse
from skillshift_gym.skills.recorder import Step
from skillshift_gym.tasks import registry

SEARCH = "Port"
MAIN = "from skillshift_gym.cli import main; raise SystemExit(main())"


@pytest.fixture
def shown(monkeypatch, capsys, tmp_path):
    """Runs the command while `act(page, window)` is the person; gives exit code, output, errors and the bank's path."""
    path = tmp_path / "bank.jsonl"

    def run(act, *arguments):
        real = demonstration.opened

        async def play(window):
            window.tabs[0].page.set_default_timeout(10_000)
            try:
                await act(window.tabs[0].page, window)
            finally:
                window.stop("the test is over")

        @asynccontextmanager
        async def opened(*args, **kwargs):
            async with real(*args, **kwargs) as window:
                playing = asyncio.ensure_future(play(window))
                yield window
                await playing

        with monkeypatch.context() as patched:
            patched.setattr(demonstration, "opened", opened)
            code = cli.main(["record", "--headless", "--out", str(path), *arguments])
        return (code, *capsys.readouterr(), path)

    return run


def searching(text, title):
    async def act(page, window):
        await page.get_by_role("searchbox").first.click()
        await page.keyboard.type(text)
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/?s=*")
        if title:
            await page.get_by_role("link", name=title, exact=True).click()
            await page.wait_for_url("**/the-*/")

    return act


async def nothing(page, window):
    await page.get_by_role("searchbox").first.click()


def test_a_task_becomes_a_skill_for_every_instance(shown, make):
    task, other = (registry.task_of(f"wordpress.0#{n}") for n in (1, 2))
    title = task.params["title"]
    code, out, err, path = shown(searching(title, title), "--site", "wordpress", "--task", task.id, "--check")
    assert (code, err) == (0, "") and f"goal: {task.goal}" in out and "check: observed ok, true ok" in out
    assert f"{title!r}  parameter title (the task is about it)" in out and "click link" in out
    (skill,) = Bank.load(path).skills.values()
    assert [p.name for p in skill.parameters] == ["title"] and skill.evidence[0].task == task.id
    assert [row["true"] for row in survival(Bank.load(path), ("src", "tgt"))] == ["ok", "ok"]
    env = make(skills=str(path))
    env.reset(seed=0, options={"task": other.id})
    info = env.step(format_action(SkillCall(skill.name, (), (("title", other.params["title"]),))))[4]
    assert (info["skill"]["observed"], info["skill"]["true"], info["success"]) == ("ok", "ok", True)


def test_what_becomes_a_parameter_can_be_overruled_and_a_name_gets_a_new_version(shown):
    goal = ("--site", "wordpress", "--goal", f'Search for "{SEARCH}"', "--name", "look_up")
    code, out, _, path = shown(searching(SEARCH, ""), *goal, "--rename", "search_for=what", "--rename", "x=y")
    assert code == 0 and "note: there is no parameter 'x'; there are search_for" in out
    assert "look_up(what: text)" in out and "look_up(what='Port')" in out
    code, out, _, path = shown(searching(SEARCH, ""), *goal, "--literal", "search_for", "--parameter", "none=a")
    assert code == 0 and "look_up()" in out and "note: 'none' does not occur" in out and "version 2" in out
    bank = Bank.load(path)
    assert [(e.op, e.name) for e in bank.events] == [("add", "look_up"), ("update", "look_up")]
    assert all(e.reason.startswith("shown by a person: wordpress, src") and e.evidence for e in bank.events)
    assert bank.get("look_up").program.startswith('goto "/"') and 'with "Port"' in bank.get("look_up").program


def test_the_back_office_by_grid_and_filter(shown):
    async def act(page, window):
        await page.locator("summary", has_text="Sales").first.click()
        await page.get_by_role("link", name="Orders", exact=True).click()
        await page.wait_for_url("**/sales_order/**")
        await page.get_by_label("Status", exact=True).focus()
        await page.keyboard.type("Pending")
        await page.get_by_role("button", name="Search", exact=True).click()
        await page.wait_for_url("**status=*")
        await page.close()

    code, out, err, path = shown(
        act, "--site", "magento", "--start", "/admin/", "--parameter", "Pending=state", "--check"
    )
    assert (code, err) == (0, "") and "check: observed ok, true ok" in out and "shown_on_magento(state: text)" in out
    assert list(parse(Bank.load(path).get("shown_on_magento").program).examples.items()) == [("state", "Pending")]


def test_a_chromium_that_dies_leaves_what_was_done(shown):
    async def act(page, window):
        await searching(SEARCH, "")(page, window)
        await page.context.browser.close()
        await window.ended

    code, out, _, path = shown(act, "--site", "wordpress")
    assert (
        code == 0
        and "Chromium ended" in out
        and len(parse(Bank.load(path).get("shown_on_wordpress").program).statements) == 4
    )


@pytest.mark.parametrize(
    ("answer", "read"), [("Six Hundred Hats Before the Frost", True), ("It cannot be told.", False)]
)
def test_a_line_in_the_terminal_ends_it_and_is_the_answer(shown, monkeypatch, answer, read):
    reading, writing = os.pipe()
    monkeypatch.setattr(sys, "stdin", os.fdopen(reading))

    async def act(page, window):
        await page.get_by_role("link", name="Crafts", exact=True).first.click()
        await page.wait_for_url("**/crafts/")
        os.write(writing, f"{answer}\n".encode())
        await window.ended

    code, out, err, path = shown(act, "--site", "wordpress", "--name", "say_it")
    os.close(writing)
    sys.stdin.close()
    assert (code, err) == (0, "") and "Enter was pressed" in out
    assert ("the last page does not show the answer" in out) is not read
    assert Bank.load(path).get("say_it").program.splitlines()[-1].startswith("say ") is read


def test_an_empty_recording_writes_nothing(shown):
    code, _, err, path = shown(nothing, "--site", "wordpress")
    assert code == 2 and "nothing was recorded (the test is over); click, type" in err and not path.exists()


def test_ctrl_c_ends_the_command(tmp_path):
    command = [sys.executable, "-c", MAIN, "record", "--site", "wordpress", "--headless", "--out", "b.jsonl"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, **pipes) as process:
        assert process.stdout.readline().startswith("  ready:")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, list(tmp_path.iterdir())) == (2, []) and "nothing was recorded (interrupted)" in err


def test_what_cannot_be_done_as_asked_is_told_and_costs_nothing(page_of):
    page = page_of("<body><input aria-label=A><input aria-label=B><button>Go</button></body>")
    field, other, button = (e.bid for e in page.interactive)
    calls = [primitive("fill", field, "x"), primitive("fill", other, "y"), *[primitive("click", button)] * 31]
    captured = Captured([Step(page, call) for call in calls], page, [], "closed")
    request = Request("wordpress", renames={"a": "b"}, literals=("c",))
    recording, problems = made(captured, request, scene_of(request), {})
    assert [p.name for p in recording.skill.parameters] == ["a", "b"] and problems[:2] == [
        "there is a parameter 'b' already, so 'a' keeps its name",
        "there is no parameter 'c'; there are a, b",
    ]
    assert len(problems) == 3 and "30" in problems[2]


def test_a_file_that_is_no_bank_is_told_before_the_window_opens(shown, tmp_path):
    (tmp_path / "bank.jsonl").write_text("{}\n")
    code, out, err, path = shown(nothing, "--site", "wordpress")
    assert (code, out) == (2, "") and "not the header of a bank" in err and path.read_text() == "{}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected one site"),
        (("--site", "wordpress", "--condition", "src-exec"), "a blocker is no part of a skill"),
        (("--site", "wordpress", "--task", "wordpress.1", "--goal", "x"), "expected a task or a goal, got both"),
        (("--site", "wordpress", "--task", "magento.1"), "belongs to magento"),
        (("--site", "wordpress", "--start", "admin"), "expected a path such as /admin/, got 'admin'"),
        (("--site", "wordpress", "--name", "click"), "got 'click'; try 'click_'"),
        (("--site", "wordpress", "--rename", "a=B c"), "got 'B c'; try 'b_c'"),
    ],
)
def test_what_does_not_fit_is_refused(shown, arguments, message):
    code, out, err, path = shown(nothing, *arguments)
    assert (code, out) == (2, "") and message in err and not path.exists()


def test_a_port_that_is_taken_is_told(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code = cli.main(["record", "--site", "wordpress", "--remote", port, "--out", str(tmp_path / "b.jsonl")])
    out, err = capsys.readouterr()
    assert code == 2 and f"port {port}: " in err and "choose another one" in err
    assert f"ssh -L {port}:localhost:{port}" in out


def test_a_screen_is_asked_for_or_the_way_without_one(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    request = Request("wordpress")

    async def go():
        await demonstration.watched(request, demonstration.scene_of(request), print)

    with pytest.raises(InfrastructureError, match="use --remote PORT"):
        asyncio.run(go())
