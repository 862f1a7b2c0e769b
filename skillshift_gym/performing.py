"""Performing one primitive in an episode: through the shifts, to the browser."""

from __future__ import annotations

from collections.abc import Sequence

from . import actions
from .actions import Primitive
from .browsers.protocol import Browser
from .episode import EpisodeState
from .errors import ActionError, StaleElement
from .shift import Shift


def perform(
    call: Primitive, state: EpisodeState, shifts: Sequence[Shift], browser: Browser, observed: int | None = None
) -> ActionError | None:
    """Performs a primitive and returns why it failed, None when it did not.

    Args:
        call: The primitive.
        state: Counts it; takes messages and reports itself.
        shifts: The shifts, in order.
        browser: The browser.
        observed: Number of the document that the primitive's bid was read from, None for the one shown now.
    """
    failed: ActionError | None = None
    try:
        if observed not in (None, browser.document_number) and actions.takes_bid(call):
            raise StaleElement(f"element {call.args[0]!r} belonged to a page that was left; observe before using it")
        if state.takes(call):
            return None
        for shift in shifts:
            shift.before(call, browser.page(), browser)
        state.primitives += 1
        state.gotos += call.name == "goto"
        browser.perform(call)
    except ActionError as error:
        failed = error
    for shift in shifts:
        shift.after(call, browser.page(), browser, failed=failed is not None)
    return failed
