"""The browser protocol: perform a primitive, show a page."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ..actions import Primitive
from ..document import PageFilter
from ..page import Page
from ..sites.protocol import Site


class Tab(NamedTuple):
    """An open tab, as the observation shows it."""

    url: str
    title: str


class Browser(Protocol):
    """One browser context with its tabs, bound to one site.

    All methods that act raise an `ActionError` when the action is refused (the browser is then unchanged, except
    where the HTML standard says otherwise), and an `InfrastructureError` when the browser itself fails.
    """

    def reset(self, site: Site, filters: tuple[PageFilter, ...] = ()) -> None:
        """Starts a fresh context (no cookies, one empty tab) on a site, with the page filters of the episode."""
        ...

    def goto(self, url: str) -> None:
        """Opens an absolute or relative address in the active tab."""
        ...

    def perform(self, primitive: Primitive) -> None:
        """Performs one primitive on the page shown.

        Bids refer to the page that `page()` returned last. `noop`, `send_msg_to_user` and `report_infeasible` are
        the environment's and never get here.
        """
        ...

    def page(self) -> Page:
        """Returns the page of the active tab."""
        ...

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """The open tabs, in order."""
        ...

    @property
    def active_tab(self) -> int:
        """Position of the active tab."""
        ...

    @property
    def document_number(self) -> int:
        """Number of the document shown, counted from 1 in the order documents were opened in this context.

        A step back opens a document anew; a fragment of the document shown does not. 0 in an empty tab.
        """
        ...

    def overlay_show(self, html: str) -> None:
        """Puts HTML at the end of the live document's body, without touching the rest of it."""
        ...

    def overlay_state(self) -> str:
        """Returns the HTML of the overlay shown, or an empty string."""
        ...

    def overlay_clear(self) -> None:
        """Removes the overlay."""
        ...

    def save(self) -> object:
        """Returns an immutable copy of the context: tabs, histories, cookies, live state."""
        ...

    def restore(self, saved: object) -> None:
        """Returns to a saved context; raises `SnapshotError` when something cannot be restored."""
        ...

    def close(self) -> None:
        """Frees the browser; may be called twice."""
        ...
