"""`play(html, *actions)`: a browser on one small document, driven by short action texts."""

from __future__ import annotations

from typing import Any

import pytest

from skillshift_gym.actions import primitive
from skillshift_gym.browsers.dom import DomBrowser
from skillshift_gym.errors import ActionError
from skillshift_gym.testing import FakeSite

ORIGIN = "https://fake.test"
NO_ELEMENT = {"keys": "keyboard_press", "type": "keyboard_type", "back": "go_back", "forward": "go_forward"}
NO_ELEMENT |= {name: name for name in ("goto", "new_tab", "tab_close")}


class Play:
    """A browser session on `/d`; elements are named by `#id` or, for the first of its kind, by tag.

    An action is a line such as `click #a`, `fill #q some text`, `select #s Red|Blue`, `keys Tab`, `type abc`, `back`.
    """

    def __init__(self, html: str, pages: dict[str, Any] | None = None) -> None:
        self.site = FakeSite({"/d": html, "/r": "<title>r</title><p>sent", **(pages or {})}, ORIGIN)
        self.browser = DomBrowser()
        self.browser.reset(self.site)
        self.browser.goto("/d")
        self.browser.page()
        self.site.requests.clear()

    def do(self, *actions: str) -> Play:
        for action in actions:
            self._act(action)
            self.browser.page()
        return self

    def _act(self, action: str) -> None:
        name, _, rest = action.partition(" ")
        if name in NO_ELEMENT:
            self.browser.perform(primitive(NO_ELEMENT[name], *([rest] if rest else [])))
        elif name == "tab":
            self.browser.perform(primitive("tab_focus", int(rest)))
        elif name == "scroll":
            self.browser.perform(primitive("scroll", 0, float(rest)))
        else:
            self._act_on(name, *rest.partition(" ")[::2])

    def _act_on(self, name: str, who: str, argument: str) -> None:
        bid = self.bid(who)
        if "+" in name:
            *modifiers, name = name.split("+")
            button = modifiers.pop() if modifiers[-1] == "middle" else "left"
            self.browser.perform(primitive(name, bid, button, tuple(modifiers)))
        elif name == "select":
            self.browser.perform(primitive("select_option", bid, tuple(argument.split("|")) if argument else ()))
        else:
            arguments = [argument] if argument or name == "fill" else []
            self.browser.perform(primitive(name, bid, *arguments))

    def bid(self, who: str) -> str:
        return str(self.index(who)) if not who.isdigit() else who

    def index(self, who: str) -> int:
        document = self.browser.snapshot().document
        return document.ids[who[1:]] if who.startswith("#") else document.tagged(who)[0].index

    @property
    def sent(self) -> list[str]:
        """Requests since the document was opened: method, path and query, body."""
        return [
            " ".join(filter(None, (r.method, r.url.removeprefix(ORIGIN), r.body.decode()))) for r in self.site.requests
        ]

    @property
    def url(self) -> str:
        return self.browser.tabs[self.browser.active_tab].url.removeprefix(ORIGIN)

    @property
    def focus(self) -> str:
        snapshot = self.browser.snapshot()
        return self._name(snapshot.focus) if snapshot.focus >= 0 else ""

    @property
    def opened(self) -> str:
        return " ".join(self._name(index) for index in sorted(self.browser.snapshot().opened))

    @property
    def shown(self) -> str:
        """Ids of the elements that are rendered."""
        snapshot = self.browser.snapshot()
        return " ".join(
            e.attrs["id"] for e in snapshot.document.elements if "id" in e.attrs and snapshot.rendered[e.index]
        )

    @property
    def checked(self) -> str:
        snapshot = self.browser.snapshot()
        return " ".join(self._name(index) for index, control in snapshot.controls.items() if control.checked)

    def value(self, who: str) -> str:
        return self.browser.snapshot().controls[self.index(who)].value

    def selected(self, who: str) -> str:
        snapshot = self.browser.snapshot()
        return "|".join(snapshot.document.text(i).strip() for i in snapshot.controls[self.index(who)].selected)

    def text(self) -> str:
        document = self.browser.snapshot().document
        return " ".join(document.text(document.tagged("body")[0].index).split())

    def _name(self, index: int) -> str:
        element = self.browser.snapshot().document[index]
        return element.attrs.get("id", element.tag)


@pytest.fixture
def play():
    """Opens a document and performs actions on it."""
    return lambda html, *actions, pages=None: Play(html, pages).do(*actions)


@pytest.fixture
def refuse():
    """Performs actions of which the last is refused; returns the error and the session."""

    def refused(html: str, *actions: str, pages: dict[str, Any] | None = None) -> tuple[ActionError, Play]:
        session = Play(html, pages).do(*actions[:-1])
        with pytest.raises(ActionError) as caught:
            session.do(actions[-1])
        return caught.value, session

    return refused
