"""Finding a Chromium on this machine and starting it quietly."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InfrastructureError

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

CHOICE = "SKILLSHIFT_CHROMIUM"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FOLDERS = ("~/.cache/ms-playwright", "~/Library/Caches/ms-playwright")
_DOWNLOADS = (
    "chromium_headless_shell-*/*/headless_shell",
    "chromium_headless_shell-*/*/chrome-headless-shell",
    "chromium-*/*/chrome",
    "chromium-*/*/Chromium.app/Contents/MacOS/Chromium",
)
_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-smooth-scrolling",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # what escapes the interception reaches no network
    "--lang=en-US",
    "--force-device-scale-factor=1",
    "--hide-scrollbars",
    "--no-pings",
)
_SWITCHED_OFF = "BackForwardCache,Translate,OptimizationHints,MediaRouter,Prerender2,AutofillServerCommunication"


def find_chromium() -> str | None:
    """Returns the Chromium to start: the chosen one, a headless shell, a full one, Playwright's download, or None.

    The environment variable `SKILLSHIFT_CHROMIUM` chooses one by its path, and then no other is looked for.
    """
    chosen = os.environ.get(CHOICE)
    if chosen:
        return shutil.which(str(Path(chosen).expanduser()))
    return next((path for path in map(shutil.which, NAMES) if path), None) or _download()


def install_command() -> str:
    """Returns the command that installs a Chromium on this machine."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")
    return "apt-get install chromium" if root else f"{sys.executable} -m playwright install chromium"


async def launch(playwright: Playwright) -> Browser:
    """Starts a Chromium.

    Raises:
        InfrastructureError: None is installed; the message says how to get one.
    """
    path = find_chromium()
    if path is None:
        chosen = os.environ.get(CHOICE)
        what = f"{CHOICE}={chosen} cannot be run" if chosen else "no Chromium found"
        raise InfrastructureError(f"{what}; install one with: {install_command()}")
    return await playwright.chromium.launch(
        executable_path=path,
        args=[*_FLAGS, f"--disable-features={_SWITCHED_OFF}"],
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
    )


def _download() -> str | None:
    """Returns the newest Chromium that `playwright install` downloaded."""
    chosen = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    folders = [Path(folder).expanduser() for folder in ((chosen,) if chosen else FOLDERS)]
    for pattern in _DOWNLOADS:
        found = sorted(str(path) for folder in folders for path in folder.glob(pattern) if os.access(path, os.X_OK))
        if found:
            return found[-1]
    return None
