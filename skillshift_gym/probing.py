"""Evidence about the current page: whether an action could be carried out now, without doing anything.

What a client of a live page may ask (is the target there, visible, enabled, in front?), and what an agent cannot tell from
the accessibility tree alone. Semantic ids are never read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from . import actions
from .actions import Primitive, SkillCall, takes_bid
from .page import Page, PageElement, modals_of

if TYPE_CHECKING:
    from .env import SkillShiftEnv
    from .skills.finder import Finder
    from .skills.policy import Policy
    from .skills.program import Act, Program

_EDITABLE = ("textbox", "searchbox", "combobox", "spinbutton")
_LISTS = ("combobox", "listbox")
_TICKED = ("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio")
PARTS = ("exists", "unique", "visible", "enabled", "in_view", "receives", "compatible")


class Evidence(NamedTuple):
    """What is known of an action on the current page; None is "not known".

    Attributes:
        exists: The target is on the page.
        unique: Nothing else fits.
        visible: It is rendered.
        enabled: It is not disabled.
        in_view: It is in the viewport or can be scrolled there.
        receives: Events at its place reach it: no modal dialog lies before it.
        compatible: It is of the kind that the action needs, and a list has the option.
        modal: A modal dialog is shown.
        resolvable: Share of a skill's static targets that are found now (rho); None without any.
        detail: Why something is not known.
    """

    exists: bool | None = None
    unique: bool | None = None
    visible: bool | None = None
    enabled: bool | None = None
    in_view: bool | None = None
    receives: bool | None = None
    compatible: bool | None = None
    modal: bool | None = None
    resolvable: float | None = None
    detail: str = ""

    @property
    def infeasible(self) -> bool:
        """Whether something that is known rules the action out: missing, hidden, disabled, of another kind, or covered."""
        return False in (self.exists, self.visible, self.enabled, self.receives, self.compatible)

    @property
    def phi(self) -> float:
        """How feasible the action looks, in [0, 1]: the mean of the parts, unknown ones 0.5, averaged with rho if there is one.

        Our definition: no public text gives one.
        """
        parts = [0.5 if (held := getattr(self, part)) is None else float(held) for part in PARTS]
        mean = sum(parts) / len(parts)
        return mean if self.resolvable is None else (mean + self.resolvable) / 2

    def to_json(self) -> dict[str, Any]:
        """Returns what is known."""
        return {key: value for key, value in self._asdict().items() if value not in (None, "")}


FREE = Evidence(True, True, True, True, True, True, True)  # navigation and messages have no target


class Probe:
    """Probes the page that an environment shows.

    Args:
        env: The environment.

    Attributes:
        count: Probes made.
    """

    def __init__(self, env: SkillShiftEnv) -> None:
        self._env = env
        self._finder: Finder | None = None
        self.count = 0

    def evidence(self, action: str) -> Evidence:
        """Returns what the current page says of an action; nothing is known of one that cannot be read."""
        self.count += 1
        try:
            page = self._env.page
            call = actions.parse(action)
            if isinstance(call, SkillCall):
                return self._of_skill(call, page)
            return of_primitive(call, page)
        except Exception as error:  # noqa: BLE001  whatever goes wrong, nothing is known, and nothing is masked
            return Evidence(detail=f"{type(error).__name__}: {error}"[:200])

    def _of_skill(self, call: SkillCall, page: Page) -> Evidence:
        from .skills.arguments import bind
        from .skills.program import parse

        skill = self._env.skills.callable[call.name]
        program = parse(skill.program)
        values = bind(skill.parameters, call.args, call.kwargs)
        return of_program(program, values, self._found_on(page), self._env.skills.policy)

    def _found_on(self, page: Page) -> Finder:
        from .skills.finder import Finder

        if self._finder is None or self._finder.page is not page:
            self._finder = Finder(page)
        return self._finder


def modal_of(page: Page) -> int:
    """Returns the index of the modal dialog that is shown, the last of several, -1 without one."""
    shown = modals_of(page)
    return shown[-1] if shown else -1


def of_primitive(call: Primitive, page: Page) -> Evidence:
    """Returns what a page says of a primitive."""
    modal = modal_of(page)
    if not takes_bid(call):
        return FREE._replace(modal=modal >= 0)
    element = page.get(call.args[0])
    if element is None:
        return Evidence(exists=False, modal=modal >= 0)
    return of_element(call.name, call.args[1:], element, page, modal)


def of_element(primitive: str, args: tuple[Any, ...], element: PageElement, page: Page, modal: int) -> Evidence:
    """Returns what a page says of a primitive on one of its elements.

    Args:
        primitive: Name of the primitive.
        args: Its arguments but for the bid.
        element: The element.
        page: The page.
        modal: What `modal_of` returns for it.
    """
    index = int(element.bid)
    inside = modal < 0 or index == modal or index in page.document[modal]
    return Evidence(
        exists=True,
        unique=True,
        visible=element.visible,
        enabled=element.states.get("disabled") != "true",
        in_view=element.visible,
        receives=inside,
        compatible=_fits(primitive, args, element, page),
        modal=modal >= 0,
    )


def _fits(primitive: str, args: tuple[Any, ...], element: PageElement, page: Page) -> bool:
    if primitive in ("fill", "clear"):
        return element.role in _EDITABLE and element.tag != "select" and element.states.get("readonly") != "true"
    if primitive in ("check", "uncheck"):
        return element.role in _TICKED
    if primitive != "select_option":
        return True
    if element.role not in _LISTS:
        return False
    wanted = {args[0]} if isinstance(args[0], str) else set(args[0])
    options = [page.element(e.index) for e in page.document.descendants(int(element.bid)) if e.tag == "option"]
    return wanted <= {o.name for o in options} | {o.attrs.get("value", o.name) for o in options}


def of_program(program: Program, values: Mapping[str, Any], finder: Finder, policy: Policy) -> Evidence:
    """Returns what a page says of a skill: of its first step that needs the page, and how many of its targets are found now.

    Args:
        program: The program.
        values: Its arguments.
        finder: The page.
        policy: How targets are found.
    """
    from .skills.program import Act
    from .skills.proposing import first_deed
    from .skills.resolving import AMBIGUOUS, resolve
    from .skills.walk import targets_in, walk

    page, modal = finder.page, modal_of(finder.page)
    known = {n: v for n, v in values.items() if v is not None}
    locators = [t.locator for s in walk(program.statements) for t in targets_in(s) if t.locator and not t.name]
    static = [x for x in dict.fromkeys(locators) if set(x.slots) <= set(known)]
    found = {x: resolve(x.filled(known), finder, policy) for x in static}
    rho = sum(f.index >= 0 for f in found.values()) / len(static) if static else None
    first = first_deed(program)
    target = next(iter(targets_in(first)), None) if first is not None else None
    if target is None:
        return FREE._replace(modal=modal >= 0, resolvable=rho)
    if target.locator not in found:
        return Evidence(modal=modal >= 0, resolvable=rho, detail="the first target depends on what is read before")
    here = found[target.locator]
    if here.index < 0:
        several = here.code == AMBIGUOUS
        return Evidence(exists=several, unique=False if several else None, modal=modal >= 0, resolvable=rho)
    verb, args = _said(first, known) if isinstance(first, Act) else ("hover", ())
    return of_element(verb, args, page.element(here.index), page, modal)._replace(resolvable=rho)


def _said(act: Act, values: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """Returns the primitive of a statement and its arguments, as far as they are known before it runs."""
    from .skills.program import VERBS, Name
    from .skills.templates import fill, shown

    verb = VERBS[act.verb]
    given = tuple(
        v if isinstance(v, int) else shown(values[v.name]) if isinstance(v, Name) else fill(v.template, values)
        for v in act.values
    )
    return verb.primitive, (given,) if verb.rest == "with values" else given
