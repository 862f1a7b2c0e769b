"""The executor: runs a program over a host, and says how it ended and why.

The host is the environment in an episode, or anything else that shows pages and performs primitives. Nothing of a program
is ever executed by Python: its statements are values, read by this interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from .. import actions
from ..actions import Primitive
from ..errors import ActionError, CoveredElement
from ..page import DIALOGS, Page
from .judging import Judge, leads_nowhere
from .outcome import MAX_PRIMITIVES, Outcome
from .policy import Policy
from .printer import shown_statement
from .program import (
    VERBS,
    Act,
    Agent,
    Condition,
    ForEach,
    If,
    Let,
    Name,
    Program,
    Read,
    Require,
    Statement,
    Stop,
    Target,
    Term,
    Text,
    Value,
    Wait,
)  # fmt: skip
from .rewriting import rewritten
from .targets import Failed, Held, Targets
from .templates import fill, shown

_BY_ERROR = {
    "malformed": "bad_args", "missing": "stale_target", "hidden": "stale_target", "stale": "stale_target", "disabled": "precondition",
    "wrong_type": "precondition", "bad_value": "bad_args", "navigation": "aborted",
}  # fmt: skip


class Host(Protocol):
    """What a program runs on."""

    @property
    def over(self) -> bool:
        """Whether a primitive has ended the task."""
        ...

    def page(self) -> Page:
        """Returns the page shown."""
        ...

    def perform(self, primitive: Primitive) -> ActionError | None:
        """Performs a primitive, and returns why it failed."""
        ...

    def state(self) -> object:
        """Returns what a call must change to have done something: equal before and after means that it did nothing."""
        ...

    def assist(self, instruction: str) -> Primitive | None:
        """Returns a primitive for an instruction, None when no one can tell one."""
        ...


def execute(program: Program, values: Mapping[str, Any], host: Host, policy: Policy | None = None) -> Outcome:
    """Runs a program.

    Args:
        program: The program.
        values: Its arguments by name, checked already (`arguments.bind`).
        host: What it runs on.
        policy: How targets are found.
    """
    policy = policy or Policy()
    run = _Run(program, values, host, policy)
    before = host.state()
    observed, detail, blocked_by, line = "ok", "", "", 0
    try:
        run.block(program.statements)
    except Failed as failed:
        observed, detail, blocked_by, line = failed.code, failed.detail, failed.blocked_by, run.line
    if observed == "ok" and run.helped:
        observed, detail = "fallback_used", f"the backbone chose {run.helped} of {run.primitives} primitives"
    targets = run.targets
    true = run.swallowed or ("wrong_target" if targets.wrong else observed)
    if true == "ok" and (run.astray or host.state() == before):
        true = "stale_target" if run.astray else "silent_noop"
    program_text = (
        rewritten(program, targets.healed) if policy.write_back and observed == "ok" and targets.healed else ""
    )
    return Outcome(
        observed, true, run.primitives, tuple(targets.heals), blocked_by, detail, line, tuple(sorted(targets.kinds.items())), run.helped,
        program_text, targets.missed,
    )  # fmt: skip


class _Run:
    """One call while it runs."""

    def __init__(self, program: Program, values: Mapping[str, Any], host: Host, policy: Policy) -> None:
        self._values: dict[str, Any] = dict(values)
        self._held: dict[str, Held] = {}
        self._host = host
        self._left = policy.fallback
        self._forced = policy.forced
        self.targets = Targets(policy, Judge(values, program.examples))
        self.primitives = 0
        self.helped = 0
        self.line = 0
        self.swallowed = ""
        self.astray = ""  # address that opened the page of a missing one

    def block(self, statements: tuple[Statement, ...]) -> None:
        """Carries out statements until the task is over."""
        for statement in statements:
            if self._host.over:
                return
            self.line = statement.line
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Act():
                self._act(statement)
            case Let(name, source):
                self._values[name] = self._read(source) if isinstance(source, Read) else self._value(source)
            case Require(condition):
                if not self._holds(condition):
                    raise Failed(
                        "precondition", f"{shown_statement(statement)!r} does not hold on {self._host.page().url}"
                    )
            case Wait():
                self._wait(statement)
            case Agent(instruction, steps):
                self._agent(fill_text(instruction, self._values), steps)
            case Stop(reason):
                raise Failed("aborted", fill_text(reason, self._values))
            case If(condition, then, otherwise):
                self.block(then if self._holds(condition) else otherwise)
            case ForEach():
                self._for(statement)

    def _act(self, act: Act) -> None:
        verb = VERBS[act.verb]
        bid: tuple[str, ...] = ()
        if act.target is not None:
            try:
                index = self._find(act.target)
            except Failed as failed:
                if self._left <= 0 or failed.code not in ("stale_target", "ambiguous_target"):
                    raise
                return self._help(act)
            self.targets.note(act.target, index, self._host.page())
            bid = (str(index),)
        given: tuple[Any, ...] = tuple(v if isinstance(v, int) else self._value(v) for v in act.values)
        if verb.rest == "with values":
            given = (tuple(text for v in given for text in (v if isinstance(v, tuple) else (shown(v),))),)
        elif verb.rest in ("text", "value", "with value"):
            given = tuple(map(shown, given))
        try:
            primitive = actions.primitive(verb.primitive, *bid, *given)
        except ActionError as error:
            raise Failed("bad_args", str(error)) from None
        self._perform(primitive)

    def _help(self, act: Act) -> None:
        """Has the backbone choose the primitive of a statement whose target is not found."""
        self._left -= 1
        primitive = self._host.assist(shown_statement(act))
        if primitive is None:
            raise Failed("stale_target", f"no one found the target of {shown_statement(act)!r}")
        self.helped += 1
        self._perform(primitive)

    def _agent(self, instruction: str, steps: int) -> None:
        for _ in range(steps):
            primitive = self._host.assist(instruction)
            if primitive is None:
                return
            self.helped += 1
            self._perform(primitive)
            if self._host.over:
                return

    def _perform(self, primitive: Primitive) -> None:
        if self.primitives >= MAX_PRIMITIVES:
            raise Failed("aborted", f"expected at most {MAX_PRIMITIVES} primitives in a call")
        self.primitives += 1
        error = self._host.perform(primitive)
        if error is not None:
            self._refuse(primitive, error)
        elif primitive.name == "goto" and not self.astray and leads_nowhere(self._host.page()):
            self.astray = str(primitive.args[0])

    def _refuse(self, primitive: Primitive, error: ActionError) -> None:
        """Gives up, unless a covered action is forced and goes on unnoticed."""
        detail = f"{actions.format_action(primitive)[:200]}: {error}"
        if isinstance(error, CoveredElement):
            page = self._host.page()
            dialog = any(page.outline.rendered[i] for i, role in enumerate(page.outline.roles) if role in DIALOGS)
            code = "blocked" if dialog else "intercepted_click"
            if self._forced:
                self.swallowed = self.swallowed or code
                return
            raise Failed(code, detail, error.by)
        raise Failed(_BY_ERROR.get(error.code, "aborted"), detail)

    def _wait(self, wait: Wait) -> None:
        for _ in range(wait.rounds):
            if self._holds(wait.condition):
                return
            self._perform(actions.primitive("noop"))
        if not self._holds(wait.condition):
            raise Failed("timeout", f"{shown_statement(wait)!r} did not come")

    def _for(self, loop: ForEach) -> None:
        for number, item in enumerate(self._items(loop)):
            if number >= loop.limit or self._host.over:
                return
            if isinstance(item, Held):
                self._held[loop.name] = item
            else:
                self._values[loop.name] = item
            self.block(loop.body)

    def _items(self, loop: ForEach) -> Iterator[Any]:
        if loop.target is None:
            value = self._values.get(loop.items)
            yield from value if isinstance(value, tuple | list) else () if value is None else (value,)
            return
        for number in range(loop.limit):  # found anew each time: the body may have changed the page
            page = self._host.page()
            found = self.targets.every(loop.target, page, self._values, self._held)
            if number >= len(found):
                return
            yield Held(found[number], page.url, len(page))

    def _find(self, target: Target) -> int:
        return self.targets.find(target, self._host.page(), self._values, self._held, self.line)

    def _value(self, value: Value) -> Any:
        if isinstance(value, Text):
            return fill_text(value, self._values)
        if value.name not in self._values:
            raise Failed("aborted", f"the program gives {value.name!r} no value")
        return self._values[value.name]

    def _read(self, read: Read) -> Any:
        page = self._host.page()
        if read.target is None:
            return page.url
        if read.kind == "count":
            return len(self.targets.every(read.target, page, self._values, self._held))
        index = self._find(read.target)
        self.targets.note(read.target, index, page)
        return page.element(index).value if read.kind == "value" else " ".join(page.document.text(index).split())

    def _holds(self, condition: Condition) -> bool:
        return all(self._term(term) != term.negated for term in condition)

    def _term(self, term: Term) -> bool:
        page = self._host.page()
        if term.kind == "given":
            return self._values.get(term.name) not in (None, "", ())
        if term.kind in ("exists", "checked"):
            assert term.target is not None
            if not self.targets.exists(term.target, page, self._values, self._held):
                return False
            return term.kind == "exists" or page.element(self._find(term.target)).states.get("checked") == "true"
        assert term.value is not None
        left = page.url if term.name == "url" else shown(self._value(Name(term.name)))
        right = shown(self._value(term.value))
        return right in left if term.kind == "contains" else left == right


def fill_text(text: Text, values: Mapping[str, Any]) -> str:
    """Returns a text filled in.

    Raises:
        Failed: A slot has no value.
    """
    try:
        return fill(text.template, values)
    except KeyError as error:
        raise Failed("aborted", f"the program gives {error.args[0]!r} no value") from None
