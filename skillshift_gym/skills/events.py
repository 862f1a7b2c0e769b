"""The events of a bank, and the fold that makes its state out of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, field_validator, model_validator

from ..errors import BankError
from .skill import Evidence, Form, Skill, Text
from .values import canonical, digest

Op = Literal["add", "update", "delete", "evict", "promote", "demote", "rollback", "heal_writeback", "snapshot"]
WITH_SKILL = ("add", "update", "promote", "demote", "heal_writeback")
MAX_SKILLS = 10_000
MAX_EVENTS = 100_000
MAX_MARKS = 1_000  # snapshots and rollbacks: each costs a look at the whole state
START = "0" * 32

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Why(NamedTuple):
    """Why a bank was changed.

    Attributes:
        reason: In words; never empty.
        evidence: The episodes that speak for it.
        gate: Name of the gate that decided, if one did.
        score: What the gate measured.
        threshold: What it demanded.
    """

    reason: str
    evidence: tuple[Evidence, ...] = ()
    gate: str = ""
    score: float | None = None
    threshold: float | None = None


class Event(Form):
    """One change of a bank.

    Attributes:
        number: Its place in the log, from 1.
        op: What was done.
        name: The skill it was done to; the label of a snapshot.
        skill: The record afterwards, for the operations that leave one.
        before: Hash of the record before; None when there was none.
        after: Hash of the record afterwards; None when there is none. Hash of the whole state for a rollback or snapshot.
        to: The event to whose state a rollback goes back.
        reason: Why, in words.
        evidence: The episodes that speak for it.
        gate: Name of the gate that decided.
        score: What the gate measured.
        threshold: What it demanded.
    """

    number: Annotated[int, Field(ge=1, le=MAX_EVENTS)]
    op: Op
    name: Text = ""
    skill: Skill | None = None
    before: Sha256 | None = None
    after: Sha256 | None = None
    to: Annotated[int, Field(ge=0, le=MAX_EVENTS)] | None = None
    reason: Annotated[Text, Field(min_length=1)]
    evidence: Annotated[tuple[Evidence, ...], Field(max_length=1_000)] = ()
    gate: Text = ""
    score: float | None = None
    threshold: float | None = None

    @field_validator("evidence", mode="before")
    @classmethod
    def _tuple(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    @model_validator(mode="after")
    def _check(self) -> Event:
        if (self.op in WITH_SKILL) != (self.skill is not None):
            raise ValueError(f"{self.op}: expected {'the record afterwards' if self.skill is None else 'no record'}")
        if self.skill is not None and self.skill.name != self.name:
            raise ValueError(f"{self.op}: the record is of {self.skill.name!r}, the event of {self.name[:80]!r}")
        if (self.op == "rollback") != (self.to is not None):
            raise ValueError("a rollback says where it goes back to, and nothing else does")
        return self

    def chained(self, previous: str) -> str:
        """Returns the checksum of the log up to this event, given the one before."""
        text = previous + canonical(self.model_dump(mode="json"))
        return hashlib.sha256(text.encode()).hexdigest()[: len(START)]


class Entry(NamedTuple):
    """A record of the state and its hash."""

    skill: Skill
    hash: str


State = dict[str, Entry]


def state_hash(state: State) -> str:
    """Returns the hash of a state: of all records, in order."""
    return digest([[name, entry.hash] for name, entry in state.items()])


def fold(events: Sequence[Event]) -> State:
    """Returns the state that the events make.

    Raises:
        BankError: They do not follow from each other; the text says which one.
    """
    state: State = {}
    kept: dict[int, tuple[Entry, ...]] = {0: ()}
    wanted = _targets(events)
    for place, event in enumerate(events, 1):
        if event.number != place:
            raise BankError(f"event {place}: numbered {event.number}; one is missing or was moved")
        apply(state, event, kept)
        if place in wanted:
            kept[place] = tuple(state.values())
    return state


def _targets(events: Iterable[Event]) -> set[int]:
    marks = [event for event in events if event.op in ("rollback", "snapshot")]
    if len(marks) > MAX_MARKS:
        raise BankError(f"expected at most {MAX_MARKS:,} snapshots and rollbacks, got {len(marks):,}")
    return {event.to for event in marks if event.to is not None}


def apply(state: State, event: Event, kept: dict[int, tuple[Entry, ...]]) -> None:
    """Changes a state by one event.

    Args:
        state: The state; changed in place.
        event: The event.
        kept: Number of an event -> the records after it, for rollbacks.

    Raises:
        BankError: The event does not follow from the state.
    """
    old = state.get(event.name)
    if event.op in ("rollback", "snapshot"):
        if event.op == "rollback":
            _go_back(state, event, kept)
        if event.after != state_hash(state):
            raise BankError(f"event {event.number}: {event.op} names the hash of another state")
        return
    if event.before != (old.hash if old else None):
        raise BankError(f"event {event.number}: {event.op} of {event.name!r} does not follow from the state before")
    if (event.op == "add" and old) or (event.op != "add" and not old):
        raise BankError(
            f"event {event.number}: {event.op} of {event.name!r}, which is {'there' if old else 'not there'}"
        )
    if event.skill is None:
        del state[event.name]
    else:
        _put(state, event, event.skill)
    if event.after != (state[event.name].hash if event.skill else None):
        raise BankError(f"event {event.number}: the record of {event.name!r} is not the one that its hash names")


def _put(state: State, event: Event, skill: Skill) -> None:
    if event.op == "add" and len(state) >= MAX_SKILLS:
        raise BankError(f"event {event.number}: expected at most {MAX_SKILLS:,} skills")
    state[skill.name] = Entry(skill, skill.hash)


def _go_back(state: State, event: Event, kept: dict[int, tuple[Entry, ...]]) -> None:
    if event.to not in kept:
        raise BankError(f"event {event.number}: goes back to event {event.to}, which is not before it")
    records = kept[event.to]
    state.clear()
    state.update((entry.skill.name, entry) for entry in records)
