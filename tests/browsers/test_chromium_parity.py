"""The documents and actions of the in-process browser's own tests, performed in both browsers and compared."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from inspect import signature
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from skillshift_gym.browsers.chromium import ChromiumBrowser
from skillshift_gym.browsers.dom import DomBrowser
from skillshift_gym.errors import ActionError
from skillshift_gym.testing import FakeSite

HERE = Path(__file__).parent
MODULES = ("controls", "focus", "forms", "keyboard", "layers", "links", "navigation", "overlay", "rendering")
MODULES += ("validation", "values")
OWN_CONTEXT = ("links", "navigation", "overlay")  # their tests look at tabs and history
# What differs, and why.
DIFFERENT = {
    "request_of_a_click[broken base]": "Chromium takes a base that is no address for none at all",
    "request_of_a_click[download is ignored]": "Chromium downloads; sites do not use the attribute",
    "what_is_rendered[noscript]": "one text to Chromium, elements to the in-process browser",
    "an_overlay_touches_nothing_else": "asks for the same attributes, Chromium's details have `open` written",
    "overlay_of_an_odd_document": "frames",
    "pages_that_cannot_be_opened[endless redirect]": "one request less: Chromium's limit",
    "scrolling": "needs a layout",
    "history_restores_controls_and_scroll": "needs a layout",
    "what_is_open[a modal dialog hides popovers]": "its paragraph is not closed, and lxml closes it late",
    "going_back_follows_redirects": "a page that changes with every request",
    "restored_controls_are_found_in_a_changed_page": "a page that changes with every request",
    "going_back_shows_the_present_state": "a page that changes with every request",
    "the_document_of_an_overlay_is_made_once": "saved contexts are not exchanged",
    # Their documents have no head, which moves the bids that the messages name.
    "refused_action[option of a drop-down list]": "bids",
    "refused_action[role checked]": "bids",
    "typing_into_a_date_field_says_how": "bids",
    "why_an_element_is_hidden": "bids",
    "refused_value": "bids",
}


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"both_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases(function: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the cases of a test function: the names that pytest gives them, and their arguments."""
    tables = []
    for mark in reversed(getattr(function, "pytestmark", [])):
        names = [name.strip() for name in mark.args[0].split(",")] if isinstance(mark.args[0], str) else mark.args[0]
        rows = list(mark.args[1])
        ids = list(mark.kwargs.get("ids") or map(str, range(len(rows))))
        tables.append(
            [
                (i, dict(zip(names, row if len(names) > 1 else [row], strict=True)))
                for i, row in zip(ids, rows, strict=True)
            ]
        )
    for chosen in product(*tables):
        label = "-".join(name for name, _ in chosen)
        yield f"[{label}]" if label else "", {key: value for _, row in chosen for key, value in row.items()}


def scenarios() -> dict[str, tuple[Any, dict[str, Any]]]:
    found = {}
    for stem in MODULES:
        for name, function in vars(load(HERE / f"test_dom_{stem}.py")).items():
            if name.startswith("test_") and {"play", "refuse"} & signature(function).parameters.keys():
                short = name.removeprefix("test_")
                for label, arguments in cases(function):
                    if not {short, short + label} & DIFFERENT.keys():
                        found[f"{stem}: {short}{label}"] = (function, arguments)
    return found


SCENARIOS = scenarios()
Play = load(HERE / "conftest.py").Play


class Both:
    """Two browsers on two sites of the same pages; whatever one does, the other must do, or the test fails.

    Attributes:
        agreed: Whether they have always done the same; then the pair can be used again.
    """

    def __init__(self) -> None:
        self.dom, self.chromium, self.agreed = DomBrowser(), ChromiumBrowser(), True

    def reset(self, pages: dict[str, Any]) -> None:
        self.sites = (FakeSite(pages), FakeSite(pages))
        self.dom.reset(self.sites[0])
        self.chromium.reset(self.sites[1])

    def show(self, pages: dict[str, Any]) -> None:
        """Opens the documents of another scenario in the same context."""
        for site in self.sites:
            site.pages = pages
        self.goto("/d")
        self.page()
        for site in self.sites:
            site.requests.clear()

    def __getattr__(self, name: str) -> Any:
        def act(*arguments: Any) -> None:
            errors: list[ActionError | None] = [None, None]
            self.agreed = False
            for place, browser in enumerate((self.dom, self.chromium)):
                try:
                    getattr(browser, name)(*arguments)
                except ActionError as error:
                    errors[place] = error
            assert described(errors[0]) == described(errors[1])
            assert self.seen(self.dom) == self.seen(self.chromium)
            assert requests(self.sites[0]) == requests(self.sites[1])
            self.agreed = True
            if errors[0] is not None:
                raise errors[0]

        assert name in ("goto", "perform", "overlay_show", "overlay_clear")
        return act

    def page(self) -> Any:
        ours, theirs = self.dom.page(), self.chromium.page()
        assert ours.axtree == theirs.axtree and ours.element_list == theirs.element_list and ours.html == theirs.html
        return theirs

    def snapshot(self) -> Any:
        return self.chromium.snapshot()

    def overlay_state(self) -> str:
        return self.chromium.overlay_state()

    @property
    def tabs(self) -> Any:
        return self.chromium.tabs

    @property
    def active_tab(self) -> int:
        return self.chromium.active_tab

    @staticmethod
    def seen(browser: Any) -> Any:
        """Everything that can be seen, but the scroll offset, which depends on a layout."""
        document, *state = browser.snapshot()._replace(scroll_y=0)
        tree = [(element.tag, element.parent) for element in document.elements]
        return browser.tabs, browser.active_tab, browser.document_number, browser.overlay_state(), state, tree


def whole(page: Any) -> Any:
    """Returns a page with all the tags that parsers would add."""
    return f"<!DOCTYPE html><html><head></head><body>{page}</body></html>" if isinstance(page, str) else page


def described(error: ActionError | None) -> Any:
    return error and (type(error), str(error), getattr(error, "clear_with", None))


def requests(site: FakeSite) -> Any:
    return [(r.method, r.url, r.body, r.content_type, dict(r.cookies), r.headers) for r in site.requests]


class PlayBoth(Play):
    def __init__(self, browser: Both, html: str, pages: dict[str, Any] | None = None) -> None:
        everything = {"/d": html, "/r": "<title>r</title><p>sent", **(pages or {})}
        self.browser = browser
        browser.show({path: whole(page) for path, page in everything.items()})
        self.site = browser.sites[1]


@pytest.fixture(scope="module")
def pairs() -> Iterator[Any]:
    """Hands out pairs of browsers: a kept one, or one with contexts of its own."""
    made: list[Both] = []

    def pair(*, fresh: bool) -> Both:
        if fresh or not made or not made[0].agreed or len(made[0].dom.tabs) > 1:
            made.insert(0, Both())
            made[0].reset({})
            for old in made[1:]:
                old.chromium.close()
        return made[0]

    yield pair
    for browser in made:
        browser.chromium.close()


@pytest.fixture
def both(pairs: Any, request: pytest.FixtureRequest) -> dict[str, Any]:
    """The fixtures `play` and `refuse` of the in-process browser's tests, for both browsers."""
    fresh = request.node.callspec.params["scenario"].partition(":")[0] in OWN_CONTEXT

    def play(html: str, *actions: str, pages: dict[str, Any] | None = None) -> PlayBoth:
        return PlayBoth(pairs(fresh=fresh), html, pages).do(*actions)

    def refuse(html: str, *actions: str, pages: dict[str, Any] | None = None) -> tuple[ActionError, PlayBoth]:
        session = play(html, *actions[:-1], pages=pages)
        with pytest.raises(ActionError) as caught:
            session.do(actions[-1])
        return caught.value, session

    return {"play": play, "refuse": refuse}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_both_browsers_do_the_same(both, scenario):
    function, arguments = SCENARIOS[scenario]
    fixtures = {name: fixture for name, fixture in both.items() if name in signature(function).parameters}
    function(**fixtures, **arguments)


def test_there_are_enough_scenarios():
    assert len(SCENARIOS) > 400
    assert len({repr((f.__name__, sorted(a.items(), key=str))) for f, a in SCENARIOS.values()}) > 400
