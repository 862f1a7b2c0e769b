"""Banks of skills: a log of events with reasons, whose fold is the state."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from ..errors import BankError, BankReadOnly
from .bank_file import Header, read, write
from .duplicates import key_of
from .events import Entry, Event, Op, State, Why, apply, fold, state_hash
from .eviction import POLICIES, victim
from .skill import Skill, problems
from .values import text_problem

Reason = str | Why


class Bank:
    """A set of skills with a memory: every change is an event with a reason, and can be gone back to.

    Args:
        cap: How many skills it holds at most; one more evicts one.
        eviction: Which one goes: `oldest`, `least_used` or `lowest_utility`.
        duplicates: Whether a skill that says what another one says is taken.
        read_only: Whether every write is refused, as in evaluation.
    """

    def __init__(
        self, *, cap: int | None = None, eviction: str = "oldest", duplicates: bool = False, read_only: bool = False
    ) -> None:
        if eviction not in POLICIES:
            raise BankError(f"eviction: expected one of {', '.join(POLICIES)}, got {eviction!r}")
        if cap is not None and cap < 1:
            raise BankError(f"cap: expected a number from 1, or None, got {cap}")
        self.cap, self.eviction, self.duplicates = cap, eviction, duplicates
        self._read_only = read_only
        self._events: list[Event] = []
        self._state: State = {}
        self._keys: dict[str, str] = {}  # what a skill says -> its name
        self._hash: str | None = None

    @classmethod
    def load(cls, path_or_json: str | Path, *, read_only: bool = True) -> Bank:
        """Returns the bank of a file, or of its text.

        Args:
            path_or_json: Path of a file, or the text of one.
            read_only: Whether every write is refused.

        Raises:
            BankError: It is no bank, or was altered or cut; the text says at which line.
        """
        header, events = read(path_or_json)
        bank = cls(cap=header.cap, eviction=header.eviction, duplicates=header.duplicates, read_only=read_only)
        bank._events = list(events)
        bank._rebuilt(fold(events))
        if bank.hash != header.hash:
            raise BankError(f"line 1: the bank's hash is {bank.hash}, the header says {header.hash}")
        return bank

    def save(self, path: str | Path) -> None:
        """Writes the bank to a file, the whole or nothing.

        Raises:
            BankReadOnly: The bank is frozen.
        """
        self._writable("save")
        write(Path(path), self._header, self._events)

    def text(self) -> str:
        """Returns what `save` writes; `Bank.load` takes it too."""
        return self._header.text(self._events)

    def copy(self, *, read_only: bool = False) -> Bank:
        """Returns a bank with the same log, which can be written when this one cannot."""
        return Bank.load(self.text(), read_only=read_only)

    @property
    def read_only(self) -> bool:
        """Whether every write is refused."""
        return self._read_only

    def freeze(self) -> None:
        """Refuses every write from now on; there is no way back."""
        self._read_only = True

    @property
    def skills(self) -> dict[str, Skill]:
        """Name -> skill, the active ones in order."""
        return {name: e.skill for name, e in self._state.items() if e.skill.status == "active"}

    @property
    def all(self) -> Mapping[str, Skill]:
        """Name -> skill, those in testing and retired ones too."""
        return MappingProxyType({name: entry.skill for name, entry in self._state.items()})

    @property
    def events(self) -> tuple[Event, ...]:
        """The log, oldest first."""
        return tuple(self._events)

    @property
    def hash(self) -> str:
        """SHA-256 of all records in order; the log's wording does not count."""
        if self._hash is None:
            self._hash = state_hash(self._state)
        return self._hash

    def get(self, name: str) -> Skill | None:
        """Returns an active skill, None when there is none of this name."""
        entry = self._state.get(name)
        return entry.skill if entry and entry.skill.status == "active" else None

    def duplicate_of(self, skill: Skill) -> str | None:
        """Returns the name of another skill with the same program, or the same words when there is none."""
        name = self._keys.get(key_of(skill))
        return name if name != skill.name else None

    def add(self, skill: Skill, why: Reason) -> Skill:
        """Adds a skill; a full bank evicts one first.

        Raises:
            BankError: The name is taken, or another skill says the same.
        """
        self._writable("add")
        why = _why(why)
        if skill.name in self._state:
            raise BankError(f"{skill.name!r} is in the bank; change it with update()")
        if not self.duplicates and (other := self.duplicate_of(skill)):
            raise BankError(f"{skill.name!r} says what {other!r} says; update that one, or allow duplicates")
        while self.cap is not None and len(self._state) >= self.cap:
            gone = victim(self.eviction, self.all.values())
            reason = f"the bank is full (cap {self.cap}); {self.eviction} makes room for {skill.name}"
            self._append("evict", gone, why._replace(reason=reason))
        return self._changed("add", why, skill)

    def update(self, skill: Skill, why: Reason) -> Skill:
        """Puts a new version of a skill in the place of the old one; its version number rises by one."""
        return self._revise("update", skill.name, why, skill.content)

    def write_back(self, name: str, program: str, why: Reason) -> Skill:
        """Puts healed locators into a skill: a new version with another program."""
        return self._revise("heal_writeback", name, why, {"program": program})

    def delete(self, name: str, why: Reason) -> None:
        """Removes a skill."""
        self._existing(name)
        self._append("delete", name, why)

    def promote(self, name: str, why: Reason) -> Skill:
        """Makes a skill active: agents are shown it."""
        return self._changed("promote", why, self._existing(name).revised(status="active"))

    def demote(self, name: str, why: Reason, *, retire: bool = False) -> Skill:
        """Takes a skill away from agents, for testing or for good."""
        status = "retired" if retire else "testing"
        return self._changed("demote", why, self._existing(name).revised(status=status))

    def snapshot(self, label: str, why: Reason = "snapshot") -> int:
        """Names the present state, and returns the number of the event."""
        if any(e.op == "snapshot" and e.name == label for e in self._events):
            raise BankError(f"there is a snapshot {label!r}; take another label")
        self._append("snapshot", label, why)
        return len(self._events)

    def rollback(self, to: int | str, why: Reason) -> None:
        """Goes back to the state after an event, or of a snapshot; the log goes on.

        Args:
            to: Number of an event (0 for the empty bank), or the label of a snapshot.
            why: The reason.
        """
        self._writable("rollback")
        number = self._number(to)
        state = fold(self._events[:number])
        kept = {number: tuple(state.values())}
        self._append("rollback", "" if isinstance(to, int) else to, why, to=number, kept=kept, after=state_hash(state))

    def replayed(self) -> Bank:
        """Returns a bank made from the log alone; its hash is this one's."""
        other = Bank(cap=self.cap, eviction=self.eviction, duplicates=self.duplicates)
        other._events = list(self._events)
        other._rebuilt(fold(self._events))
        return other

    def _revise(self, op: Op, name: str, why: Reason, changes: Mapping[str, Any]) -> Skill:
        old = self._existing(name)
        new = old.revised(**{**changes, "version": old.version + 1})
        other = self.duplicate_of(new)
        if not self.duplicates and other and key_of(new) != key_of(old):
            raise BankError(f"{name!r} would say what {other!r} says; delete one, or allow duplicates")
        return self._changed(op, why, new)

    def _changed(self, op: Op, why: Reason, skill: Skill) -> Skill:
        self._append(op, skill.name, why, skill)
        return skill

    def _append(self, op: Op, name: str, why: Reason, skill: Skill | None = None, **more: Any) -> None:
        self._writable(op)
        kept = more.pop("kept", {})
        old = self._state.get(name) if op not in ("rollback", "snapshot") else None
        if op == "snapshot":
            more["after"] = self.hash
        hashes = {"before": old.hash if old else None, "after": skill.hash if skill else None}
        why = _why(why)
        try:
            number = len(self._events) + 1
            event = Event(number=number, op=op, name=name, skill=skill, **{**hashes, **more}, **why._asdict())
        except ValidationError as error:
            raise BankError(f"{op} of {name[:80]!r}: {problems(error)}") from None
        apply(self._state, event, kept)
        self._events.append(event)
        self._hash = None
        self._indexed(op, old, skill)

    def _indexed(self, op: Op, old: Entry | None, skill: Skill | None) -> None:
        if op == "rollback":
            self._rebuilt(self._state)
        if old and self._keys.get(key_of(old.skill)) == old.skill.name:
            del self._keys[key_of(old.skill)]
        if skill and key_of(skill):
            self._keys.setdefault(key_of(skill), skill.name)

    def _rebuilt(self, state: State) -> None:
        self._state, self._hash, self._keys = state, None, {}
        for entry in state.values():
            if key := key_of(entry.skill):
                self._keys.setdefault(key, entry.skill.name)

    def _existing(self, name: str) -> Skill:
        if name not in self._state:
            raise BankError(
                f"there is no skill {name[:80]!r}; the bank has {', '.join(list(self._state)[:20]) or 'none'}"
            )
        return self._state[name].skill

    def _number(self, to: int | str) -> int:
        if isinstance(to, int):
            if not 0 <= to <= len(self._events):
                raise BankError(f"rollback: expected an event from 0 to {len(self._events)}, got {to}")
            return to
        for event in self._events:
            if event.op == "snapshot" and event.name == to:
                return event.number
        labels = [e.name for e in self._events if e.op == "snapshot"]
        raise BankError(f"rollback: no snapshot {to!r}; there are {', '.join(labels) or 'none'}")

    def _writable(self, op: str) -> None:
        if self._read_only:
            raise BankReadOnly(f"{op}: the bank is read-only (as in evaluation); copy() gives one that can be changed")

    @property
    def _header(self) -> Header:
        return Header(cap=self.cap, eviction=self.eviction, duplicates=self.duplicates, hash=self.hash)


def _why(why: Reason) -> Why:
    found = Why(why) if isinstance(why, str) else why
    if problem := text_problem(found.reason) or ("" if found.reason.strip() else "expected words, got none"):
        raise BankError(f"reason: {problem}")
    return found
