"""Chromium dies, hangs or is missing: an error of the machinery, in time, and no process is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from skillshift_gym.actions import primitive
from skillshift_gym.browsers import chromium_host, chromium_launch
from skillshift_gym.browsers.chromium import ChromiumBrowser
from skillshift_gym.errors import BrowserTimeout, InfrastructureError
from skillshift_gym.testing import FakeSite

PAGES = {"/d": "<!DOCTYPE html><html><head></head><body><input id=q><a id=a href=/d>x</a></body></html>"}


def browser(**kwargs):
    made = ChromiumBrowser(**kwargs)
    made.reset(FakeSite(PAGES))
    made.goto("/d")
    made.page()
    return made


def type_something(made):
    made.perform(primitive("fill", str(made.page().document.ids["q"]), "abc"))


def group(pid):
    """Returns the living processes of a process's group."""
    wanted, found = os.getpgid(pid), []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.getpgid(int(entry.name)) == wanted and "State:\tZ" not in (entry / "status").read_text():
                    found.append(int(entry.name))
            except (ProcessLookupError, FileNotFoundError):
                continue
    return found


def gone(pids):
    """Waits until no process of a list is left; tells whether that came about."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if not [pid for pid in pids if Path(f"/proc/{pid}").exists() and "State:\tZ" not in status(pid)]:
            return True
        time.sleep(0.05)
    return False


def status(pid):
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return "State:\tZ"


def test_a_killed_browser_is_an_infrastructure_error_and_the_next_reset_has_a_new_one():
    made, other = browser(), browser()
    pid = chromium_host.host().pid
    processes = group(pid)
    assert len(processes) > 2
    os.kill(pid, signal.SIGKILL)
    for victim in (made, other):
        with pytest.raises(InfrastructureError):
            type_something(victim)
    assert gone(processes)
    made.reset(FakeSite(PAGES))
    made.goto("/d")
    type_something(made)
    assert chromium_host.host().pid != pid
    made.close()
    other.close()


def test_a_browser_killed_in_the_middle_of_a_call():
    made = browser()
    pid = chromium_host.host().pid
    threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
    with pytest.raises(InfrastructureError):
        while True:
            type_something(made)
    made.close()


def test_a_stopped_browser_is_a_timeout_and_is_killed():
    made = browser(limit=6)  # also the limit for the browser that is started afterwards, on a busy machine too
    pid = chromium_host.host().pid
    processes = group(pid)
    os.killpg(os.getpgid(pid), signal.SIGSTOP)
    with pytest.raises(BrowserTimeout, match="within 6 seconds"):
        type_something(made)
    assert gone(processes)
    made.reset(FakeSite(PAGES))
    made.goto("/d")
    type_something(made)
    made.close()


def test_a_crashed_page_is_an_infrastructure_error():
    made = browser()
    with pytest.raises(InfrastructureError):
        made._call(lambda context: context.tab.session.send("Page.crash"))
    with pytest.raises(InfrastructureError):
        type_something(made)
    made.reset(FakeSite(PAGES))
    made.goto("/d")
    type_something(made)
    made.close()


def test_a_site_that_takes_its_time_is_waited_for_only_so_long():
    release = threading.Event()

    def slow(request):
        release.wait(20)
        return PAGES["/d"]

    made = ChromiumBrowser(limit=1)
    made.reset(FakeSite({**PAGES, "/slow": slow}))
    with pytest.raises(BrowserTimeout):
        made.goto("/slow")
    release.set()
    made.close()


def test_no_browser_says_what_to_install(monkeypatch):
    monkeypatch.setenv("SKILLSHIFT_CHROMIUM", "/nowhere/chromium")
    assert chromium_launch.find_chromium() is None
    monkeypatch.setattr(chromium_host, "_SHARED", chromium_host._Shared())
    with pytest.raises(InfrastructureError, match=r"/nowhere/chromium cannot be run; install one with: .*chromium"):
        ChromiumBrowser().reset(FakeSite(PAGES))


def test_the_variable_chooses(monkeypatch, tmp_path):
    program = tmp_path / "my-chromium"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("SKILLSHIFT_CHROMIUM", str(program))
    assert chromium_launch.find_chromium() == str(program)


def test_the_headless_shell_is_preferred(monkeypatch, tmp_path):
    monkeypatch.delenv("SKILLSHIFT_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    assert chromium_launch.find_chromium() is None
    for path in ("chromium-1000/chrome-linux/chrome", "chromium", "chromium-headless-shell"):
        program = tmp_path / path
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        assert chromium_launch.find_chromium() == str(program)


LEAVES = """
import os, sys, signal
from skillshift_gym.browsers import chromium_host
from skillshift_gym.browsers.chromium import ChromiumBrowser
from skillshift_gym.testing import FakeSite
browser = ChromiumBrowser()
browser.reset(FakeSite({"/d": "<p>x"}))
browser.goto("/d")
print(chromium_host.host().pid, flush=True)
{ending}
"""


@pytest.mark.parametrize("ending", ["", "sys.exit(3)", "raise ValueError", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_no_process_outlives_its_python(ending):
    code = LEAVES.replace("{ending}", ending)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as python:
        assert python.stdout is not None
        pid = int(python.stdout.readline())
        python.wait(30)
    assert gone([pid])


FORKS = LEAVES.replace(
    "{ending}",
    """
child = os.fork()
if child == 0:
    own = ChromiumBrowser()
    own.reset(FakeSite({"/d": "<title>child</title>"}))
    own.goto("/d")
    print(chromium_host.host().pid, own.page().title, flush=True)
    own.close()
    chromium_host.shut_down()
    sys.exit(0)
os.waitpid(child, 0)
browser.goto("/d#x")
print(browser.page().url, flush=True)
""",
)


def test_a_forked_child_has_its_own():
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, timeout=60, check=True)
    parent, child, title, url = done.stdout.split()
    assert parent != child and title == "child" and url == "https://fake.test/d#x"
    assert gone([int(parent), int(child)])
