"""Saved contexts of Chromium: taken from the live tabs, and played back into a fresh context.

The site is not asked for anything: every step of a history is answered with the document that it showed, its controls
are set again, and so Chromium's own history holds what going back will need.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..document import Document, PageFilter
from ..errors import SnapshotError
from .chromium_context import Context
from .chromium_snapshot import State
from .chromium_tab import Tab
from .history import Entry
from .navigation import blank_document
from .urls import BLANK, without_fragment

_DETOUR = "/-/restored"

Carets = tuple[tuple[int, int, int], ...]


class SavedStep(NamedTuple):
    """One step of a history: its entry, and the document with its live state when it was left or saved."""

    entry: Entry
    document: Document
    state: State | None


class SavedTab(NamedTuple):
    """A tab as an immutable value."""

    steps: tuple[SavedStep, ...]
    position: int
    number: int
    overlay: str
    state: State
    carets: Carets


class SavedContext(NamedTuple):
    """A browser context as an immutable value."""

    origin: str
    filters: tuple[PageFilter, ...]
    tabs: tuple[SavedTab, ...]
    active: int
    cookies: tuple[dict[str, Any], ...]
    opened: int
    seen: bool


async def save(context: Context) -> SavedContext:
    """Returns a copy of a context.

    Raises:
        SnapshotError: A tab has a name that links can target, which a restored one would not have.
    """
    site = context.network.site
    assert site is not None
    tabs = tuple([await _save_tab(tab) for tab in context.tabs])
    jar = await context.session.send("Storage.getCookies", {"browserContextId": context.id})
    return SavedContext(
        site.origin,
        context.network.filters,
        tabs,
        context.active,
        tuple(jar["cookies"]),
        context.opened,
        context.is_seen,
    )


async def restore(context: Context, saved: SavedContext) -> None:
    """Brings a fresh context to a saved one.

    Raises:
        SnapshotError: Something did not come back as it was.
    """
    cookies = [_cookie(cookie) for cookie in saved.cookies]
    await context.session.send("Storage.setCookies", {"cookies": cookies, "browserContextId": context.id})
    for number, tab in enumerate(saved.tabs):
        if number:
            await context.open_tab()
        try:
            await _play_back(context, tab, saved.origin)
        finally:
            context.network.replay = None
    context.active, context.opened = saved.active, saved.opened
    if saved.seen:
        context.mark_seen()


async def _save_tab(tab: Tab) -> SavedTab:
    if await tab.evaluate("name"):
        raise SnapshotError("a tab that was opened under a name cannot be saved: links could no longer target it")
    steps = tuple(_step(tab, key, entry) for key, entry in tab.history.steps)
    position = next((n for n, (key, _) in enumerate(tab.history.steps) if key == tab.history.current), -1)
    carets = tuple(tuple(caret) for caret in await tab.evaluate("carets"))
    return SavedTab(steps, position, tab.number, tab.shown_overlay, tab.state, carets)


def _step(tab: Tab, key: int, entry: Entry) -> SavedStep:
    if key == tab.history.current:
        return SavedStep(entry, tab.bare, tab.state)
    left = tab.history.left(key)
    return SavedStep(entry, left.document, left.state) if left else SavedStep(entry, blank_document(), None)


async def _play_back(context: Context, saved: SavedTab, origin: str) -> None:
    tab = context.tab
    before: Entry | None = None
    for step in saved.steps:
        await _visit(context, step, before, origin)
        before = step.entry
        if step.state is not None and tab.bare is step.document:
            await _apply(tab, step.state, ())
    if 0 <= saved.position < len(saved.steps) - 1:
        context.network.replay = saved.steps[saved.position].document
        context.network.arrivals.clear()
        await context.traverse(saved.position - len(saved.steps) + 1)
    if saved.overlay:
        await tab.show_overlay(saved.overlay)
    await _apply(tab, saved.state, saved.carets)
    tab.number = saved.number
    _require_equal(tab, saved)


async def _visit(context: Context, step: SavedStep, before: Entry | None, origin: str) -> None:
    """Opens the page of a step as the next step of the history."""
    tab, entry = context.tab, step.entry
    context.network.replay = step.document
    context.network.arrivals.clear()
    repeats = before is not None and without_fragment(before.url) == without_fragment(entry.url) != BLANK
    is_move = before is not None and before.document == entry.document
    # Opening the same address again would replace the step instead of adding one.
    await context.navigate(f"{origin}{_DETOUR}" if repeats and not is_move else entry.url, entry.method)
    if tab.state.url != entry.url:
        await tab.evaluate("replaceAddress", entry.url)
        await tab.refresh()


async def _apply(tab: Tab, state: State, carets: Carets) -> None:
    """Brings a document to a state, as far as it has the elements: an overlay that was there may be gone."""
    size = len(tab.document)
    wanted = {
        "controls": [[index, *control] for index, control in state.controls.items() if index < size],
        "opened": sorted(index for index in state.opened if index < size),
        "layers": [layer for layer in state.layers if layer[0] < size],
        "focus": state.focus if state.focus < size else -1,
        "scroll": state.scroll_y,
        "carets": carets,
    }
    await tab.evaluate("apply", wanted)
    await tab.refresh()


def _require_equal(tab: Tab, saved: SavedTab) -> None:
    if saved.steps and tab.bare is not saved.steps[saved.position].document:
        raise SnapshotError(f"{saved.state.url} did not come back as the document that it was")
    for name in ("url", "controls", "opened", "rendered", "layers", "focus"):
        was, now = getattr(saved.state, name), getattr(tab.state, name)
        if was != now:
            raise SnapshotError(f"{saved.state.url}: {name} did not come back: {was!r} became {now!r}"[:500])


def _cookie(cookie: dict[str, Any]) -> dict[str, Any]:
    """Returns a cookie as DevTools takes it: one for a single host is named by an address."""
    kept: dict[str, Any] = {
        key: cookie[key] for key in ("name", "value", "path", "secure", "httpOnly", "sameSite") if key in cookie
    }
    if cookie["domain"].startswith("."):
        return {**kept, "domain": cookie["domain"]}
    return {**kept, "url": f"{'https' if cookie['secure'] else 'http'}://{cookie['domain']}{cookie['path']}"}
