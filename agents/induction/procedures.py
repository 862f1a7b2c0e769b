"""Procedures that were demonstrated on a site: what they are for, how they were done, and when one has had its effect."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from skillshift_gym.agents.induction.binding import Input, sent
from skillshift_gym.agents.induction.exploring import Call, route_of, shown
from skillshift_gym.agents.induction.site_forms import heading_of, skeleton, texts_of
from skillshift_gym.keyed import keyed
from skillshift_gym.page import Page
from skillshift_gym.reading import phrase, words
from skillshift_gym.skills.goal_templates import BETWEEN
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.program import Act, Example, Program, Statement, Text
from skillshift_gym.skills.templates import literal
from skillshift_gym.vocabulary import UI_WORDS

ASKS = ("visit", "route", "query", "lookup")  # the others write
_REFUSED = frozenset(
    ["required", "invalid", "cannot", "unable", "error", "failed", "wrong", "denied", "please", "must", "missing"]
)
_SAMPLES = {"email": "sample@example.org", "url": "https://sample.example.org", "money": "12.50", "date": "1/15/2024"}
_MAX_WORDS = 190
_FIELDS = ("textbox", "searchbox", "combobox", "option")


@dataclass(frozen=True)
class Procedure:
    """A procedure.

    Attributes:
        kind: `visit`, `route`, `query`, `lookup`, `edit`, `deed` or `create`.
        name: Its name.
        wordings: What it is for, with `{inputs}`.
        inputs: Its inputs.
        acts: What was done, a `goto` first; values are inputs by name.
        address: The address that the first acts come to, a template; empty without one.
        sample: Arguments of the demonstration, as labels.
        end: Route of the page at the end of the demonstration.
        heading: Heading of that page.
        skips: How many acts the address stands for.
        known: Lines of the page on which the button was pressed: what is said there is no answer.
        scope: The part of the page that the last target is looked for in, None for the whole.
    """

    kind: str
    name: str
    wordings: tuple[str, ...]
    inputs: tuple[Input, ...]
    acts: tuple[Act, ...]
    address: str
    sample: Mapping[str, Any]
    end: str
    heading: str
    skips: int = 0
    known: frozenset[str] = frozenset()
    scope: Locator | None = None

    @property
    def description(self) -> str:
        """The wordings in one line, as many as a description may show."""
        text = ""
        for wording in dict.fromkeys(self.wordings):
            longer = f"{text}{BETWEEN}{wording}" if text else wording
            if len(longer) > _MAX_WORDS and text:
                break
            text = longer
        return text

    @property
    def key(self) -> tuple[object, ...]:
        """What two demonstrations of one procedure share."""
        return self.kind, self.name, tuple(i.name for i in self.inputs), skeleton(self.end.partition("?")[0])

    def program(self, statements: Sequence[Statement], *, values: bool = False) -> Program:
        """Returns the program of some statements, with the arguments of the demonstration as examples.

        Args:
            statements: The statements.
            values: Whether choices are called by the value that is sent.
        """
        used = set(Program(tuple(statements)).parameters)
        said = sent(self.inputs, self.sample, values=values)
        given = [(n, v) for n, v in said.items() if n in used and isinstance(v, str)]
        return Program((*(Example(n, Text(literal(v))) for n, v in given), *statements))

    def with_inputs(self, inputs: Sequence[Input]) -> Procedure:
        """Returns the procedure with other inputs."""
        return replace(self, inputs=tuple(inputs))


def generated(one: Input, *key: object) -> Any:
    """Returns a value for an input: one seen on the site, else one for what it takes, else a word.

    Args:
        one: The input.
        *key: Of the draw among several values.
    """
    if one.choices:
        chosen = one.choices[keyed("choice", one.name, *key) % len(one.choices)][0]
        return (chosen,) if one.many else chosen
    if one.samples:
        return one.samples[keyed("sample", one.name, *key) % len(one.samples)]
    if one.format in ("m/d/yyyy",):
        return _SAMPLES["date"]
    label = set(words(one.label))
    kind = next((k for k in ("email", "url", "money") if label & UI_WORDS[k]), "")
    if not kind and re.fullmatch(r"\d+(\.\d+)?", one.default):
        return one.default if float(one.default) else one.default.replace("0", "1", 1)
    return _SAMPLES.get(kind, f"Sample {keyed('word', one.name, *key) % 10_000}")


def complaint(known: Collection[str], after: Page) -> str:
    """Returns the line of a page that refuses what was done, empty when none does.

    Args:
        known: Lines that were there before.
        after: The page shown then.
    """
    said = (t for t in sorted(texts_of(after).difference(known)) if t.startswith("StaticText"))
    return next((t for t in said if not _REFUSED.isdisjoint(words(t))), "")


def _prints(page: Page, given: Collection[Any]) -> bool:
    """Tells whether a page says all of some values outside of fields."""
    said = " ".join(t for t in texts_of(page) if not t.startswith(_FIELDS))
    return bool(given) and all(str(v) in said for v in given)


def missed(procedure: Procedure, call: Call, given: Mapping[str, Any]) -> str:
    """Returns why a call has not had the effect that the procedure is for, empty when it has.

    What is looked at is what anyone sees: the address, the heading and the texts of the page.

    Args:
        procedure: The procedure.
        call: What the call came to.
        given: Its arguments, as labels.
    """
    if call.code != "ok":
        return call.code
    if not call.changed and procedure.kind != "visit":
        return "nothing changed"
    before, after = call.before, call.after
    if procedure.kind == "visit":
        return "" if heading_of(after) == procedure.heading else "another page"
    if procedure.kind == "route":
        said = (
            phrase(heading_of(after)) + phrase(after.title) + phrase(" ".join(re.findall(r"\d+", route_of(after.url))))
        )
        return "" if all(phrase(str(v)) in said for v in given.values()) else "another page"
    if procedure.kind == "query":
        return "" if _answers(procedure, after, given) else "the question is not answered"
    if procedure.kind == "lookup":
        same = skeleton(route_of(after.url)) == skeleton(procedure.end)
        return "" if same and all(str(v) in _said(after) for v in given.values()) else "another page"
    written = [v for i in procedure.inputs if not i.key and not i.choices and (v := given.get(i.name))]
    refused = complaint(procedure.known | texts_of(before), after)
    if refused and not _prints(after, [v for v in written if isinstance(v, str)][:1]):
        return f"refused: {refused[:80]}"
    return "" if texts_of(after).difference(procedure.known, texts_of(before)) else "nothing changed"


def _answers(procedure: Procedure, after: Page, given: Mapping[str, Any]) -> bool:
    if skeleton(route_of(after.url).partition("?")[0]) != skeleton(procedure.end.partition("?")[0]):
        return False
    fields = {i.name: i for i in procedure.inputs}
    sent = (dict(fields[n].choices).get(v, v) if isinstance(v, str) else "" for n, v in given.items())
    address = route_of(after.url).replace("+", " ").replace("%2F", "/").replace("%20", " ")
    return all(str(v) in address for v in sent)


def _said(page: Page) -> str:
    return page.axtree


def same_answer(one: Page, other: Page) -> bool:
    """Tells whether two pages answer alike: heading and texts are the same, addresses may differ."""
    return (
        heading_of(one) == heading_of(other) and texts_of(one) == texts_of(other) and shown(one)[1] == shown(other)[1]
    )


def with_blamed(procedure: Procedure, call: Call, given: Mapping[str, Any]) -> Procedure:
    """Returns the procedure with those inputs required that a failed call was blamed for; the same one without any."""
    said = phrase(call.detail + " " + complaint(procedure.known, call.after))
    blamed = [i for i in procedure.inputs if not i.required and i.name not in given and phrase(i.label) in said]
    if not blamed:
        return procedure
    return procedure.with_inputs(
        [i._replace(required=True, default="") if i in blamed else i for i in procedure.inputs]
    )
