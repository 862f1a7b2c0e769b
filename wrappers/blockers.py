"""Blockers: what they say, how they look, and how a person gets rid of them."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import escape

from skillshift_gym.errors import UsageError
from skillshift_gym.keyed import keyed
from skillshift_gym.page import Page, PageElement

# Ways out, and the clearing actions each demands.
WAYS = {"close": 1, "accept": 1, "escape": 1, "checkbox": 2, "two_step": 2}
_BACKDROP = (
    "position:fixed;top:0;left:0;width:100%;height:100%;z-index:2147483000;background:rgba(15,18,25,.62);overflow:auto"
)
_BOX = (
    "margin:14vh auto 0;max-width:460px;padding:28px 32px;background:#fff;color:#1b1f27;border-radius:8px;"
    "font:16px/1.5 sans-serif;box-shadow:0 12px 40px rgba(0,0,0,.35)"
)
# A site's own rules must not crowd it.
_TITLE = "margin:0 0 10px;font:600 22px/1.3 sans-serif"
_PARAGRAPH = "margin:0 0 16px"
_BUTTON = "padding:8px 18px;border:0;border-radius:4px;background:#1c4fa1;color:#fff;font:inherit"


class Text(NamedTuple):
    """The wording of a blocker.

    Attributes:
        title: Its name.
        body: What it says.
        control: Name of the control that clears it.
        box: Label of the checkbox, for the way out that has one.
        more: Name of the first of two controls, for the way out that has two.
    """

    title: str
    body: str
    control: str
    box: str
    more: str


TEXTS = {
    "cookies": Text(
        "Your privacy", "We and our partners store cookies to keep this page working.", "Accept all",
        "I have read the cookie policy", "Manage choices",
    ),
    "newsletter": Text(
        "Do not miss a story", "Get the best of the week by e-mail, every Friday.", "No, thanks",
        "I do not want to be asked again", "Maybe later",
    ),
    "survey": Text(
        "How are we doing?", "Two minutes of your time help us to improve.", "Close survey",
        "I have taken part before", "Skip",
    ),
    "session": Text(
        "Are you still there?", "Your session ends soon. Confirm to stay on this page.", "Stay here",
        "Keep me signed in on this computer", "Continue",
    ),
    "maintenance": Text(
        "Planned maintenance", "Some functions are slow tonight between two and four.", "Understood",
        "I will save my work", "Details",
    ),
}  # fmt: skip


class Blocker(NamedTuple):
    """One blocker: its wording and its way out.

    Attributes:
        text: Name of the wording, a key of `TEXTS`.
        way: Way out, a key of `WAYS`.
        mark: Prefix of its ids, so that they clash with nothing on the page.
    """

    text: str
    way: str
    mark: str

    @property
    def cost(self) -> int:
        """Actions an agent needs to clear it."""
        return WAYS[self.way]

    @property
    def title(self) -> str:
        """Its accessible name."""
        return TEXTS[self.text].title

    def html(self, stage: int = 0) -> str:
        """Returns its HTML.

        Args:
            stage: 1 for the second step of the way out that has two.
        """
        text = TEXTS[self.text]
        body = text.body + (" Press Escape to close this notice." if self.way == "escape" else "")
        return (
            f'<div style="{_BACKDROP}"><div id="{self.mark}" role="dialog" aria-modal="true" '
            f'aria-labelledby="{self.mark}-title" style="{_BOX}">'
            f'<h2 id="{self.mark}-title" style="{_TITLE}">{escape(text.title)}</h2>'
            f'<p style="{_PARAGRAPH}">{escape(body)}</p>{self._controls(text, stage)}</div></div>'
        )

    def _controls(self, text: Text, stage: int) -> str:
        if self.way == "escape":
            return ""
        label = f'<label><input type="checkbox"> {escape(text.box)}</label>'
        box = f'<p style="{_PARAGRAPH}">{label}</p>' if self.way == "checkbox" else ""
        name = text.more if self.way == "two_step" and stage == 0 else text.control
        return f'{box}<p style="margin:0"><button type="button" style="{_BUTTON}">{escape(name)}</button></p>'

    def clearing(self, page: Page) -> str:
        """Returns the action that brings the blocker closer to its end, empty when it is not on the page."""
        inside = self.inside(page)
        if not inside:
            return ""
        if self.way == "escape":
            return "keyboard_press('Escape')"
        box = next((e for e in inside if e.role == "checkbox"), None)
        if box is not None and box.states.get("checked") != "true":
            return f"check('{box.bid}')"
        return f"click('{next(e.bid for e in inside if e.role == 'button')}')"

    def is_ready(self, page: Page) -> bool:
        """Tells whether its button would clear it now: its checkbox, if it has one, is ticked."""
        return all(e.states.get("checked") == "true" for e in self.inside(page) if e.role == "checkbox")

    def inside(self, page: Page) -> list[PageElement]:
        """Returns the elements of the blocker on a page."""
        dialog = page.document.ids.get(self.mark)
        if dialog is None:
            return []
        element = page.document[dialog]
        return [page.element(index) for index in range(element.index, element.end)]


def choose(text: str, way: str, *key: object) -> Blocker:
    """Returns a blocker; `varied` wording or way is drawn by a hash of the key.

    Args:
        text: A key of `TEXTS`, or `varied`.
        way: A key of `WAYS`, `varied`, or `one_action` (drawn among those that one action clears).
        *key: What the draw depends on.

    Raises:
        UsageError: There is no such wording or way.
    """
    texts = sorted(TEXTS) if text == "varied" else [text]
    ways = {
        "varied": sorted(WAYS),
        "one_action": sorted(w for w, cost in WAYS.items() if cost == 1),
    }.get(way, [way])
    for name, known in ((texts[0], TEXTS), (ways[0], WAYS)):
        if name not in known:
            raise UsageError(f"blocker: no {name!r}; expected one of {', '.join(known)}, or varied")
    mark = f"notice-{keyed('mark', *key) % 16**6:06x}"
    return Blocker(texts[keyed("text", *key) % len(texts)], ways[keyed("way", *key) % len(ways)], mark)
