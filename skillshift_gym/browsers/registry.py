"""The browsers by name; a browser's module is imported only when one is made."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ..errors import UsageError
from .protocol import Browser

BROWSERS = {
    "dom": ("skillshift_gym.browsers.dom", "DomBrowser"),
    "chromium": ("skillshift_gym.browsers.chromium", "ChromiumBrowser"),
}


def create(name: str) -> Browser:
    """Returns a new browser.

    Raises:
        UsageError: There is no such browser.
    """
    if name not in BROWSERS:
        raise UsageError(f"no browser {name!r}; expected one of {', '.join(BROWSERS)}")
    module, attribute = BROWSERS[name]
    return cast(Browser, getattr(import_module(module), attribute)())
