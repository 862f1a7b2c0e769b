"""A bank as a file: JSON Lines, a header and one event a line, each line with a checksum of all before it.

The checksums find what was cut, mixed up or edited by hand. They are no signature: somebody who computes them anew is only
found by the hash that a run's receipt names.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from ..errors import BankError
from ..files import parse_json, write_atomically
from .events import MAX_EVENTS, START, Event, Sha256
from .skill import Form, problems
from .values import canonical

MAX_FILE = 64_000_000
MAX_LINE = 2_000_000


class Header(Form):
    """First line of a bank file.

    Attributes:
        format: Always `skillshift-bank`.
        format_version: Version of the form.
        hash: SHA-256 of the state.
        events: How many lines follow.
        log: Checksum of the last line.
        cap: How many skills the bank holds at most.
        eviction: Which one goes when it is full.
        duplicates: Whether it takes skills that say the same.
    """

    format: Literal["skillshift-bank"] = "skillshift-bank"
    format_version: Literal[1] = 1
    hash: Sha256
    events: int = 0
    log: str = START
    cap: int | None = None
    eviction: str = "oldest"
    duplicates: bool = False

    def text(self, events: Sequence[Event]) -> str:
        """Returns the text of the file."""
        lines, chain = [], START
        for event in events:
            chain = event.chained(chain)
            lines.append(canonical({"chain": chain, "event": event.model_dump(mode="json")}))
        head = self.model_dump() | {"events": len(lines), "log": chain}
        return "\n".join([canonical(head), *lines, ""])


def write(path: Path, header: Header, events: Sequence[Event]) -> None:
    """Writes a bank, the whole or nothing."""
    write_atomically(path, header.text(events))


def read(path_or_json: str | Path) -> tuple[Header, list[Event]]:
    """Returns the header and the events of a bank.

    Raises:
        BankError: It is no bank, or was altered or cut; the text says at which line.
    """
    text = _text(path_or_json)
    lines = text.split("\n")
    if lines[-1]:
        raise BankError(f"line {len(lines)}: cut short; it does not end")
    header = _header(lines[0])
    if len(lines) - 2 != header.events:
        raise BankError(
            f"line {len(lines) - 1}: expected {header.events} events after the header, got {len(lines) - 2}"
        )
    if header.events > MAX_EVENTS:
        raise BankError(f"line 1: expected at most {MAX_EVENTS:,} events, got {header.events:,}")
    events, chain = [], START
    for number, line in enumerate(lines[1:-1], 2):
        event, said = _event(number, line)
        chain = event.chained(chain)
        if chain != said:
            raise BankError(f"line {number}: altered, or a line before it was; its checksum is {chain}, it says {said}")
        events.append(event)
    if chain != header.log:
        raise BankError(f"line 1: the log's checksum is {chain}, the header says {header.log}")
    return header, events


def _text(source: str | Path) -> str:
    if isinstance(source, str) and source.lstrip()[:1] == "{":
        if len(source) > MAX_FILE:
            raise BankError(f"expected at most {MAX_FILE:,} characters, got {len(source):,}")
        return source
    if isinstance(source, str) and ("\n" in source or "\0" in source or len(source) > 4_096):
        raise BankError(f"expected a path or the text of a bank, got {source[:40]!r}…")
    return read_text(Path(source))


def read_text(path: Path, limit: int = MAX_FILE) -> str:
    """Returns the text of a regular file of bounded size.

    Raises:
        BankError: There is no such file, it is too large, or it is no text.
    """
    if not path.is_file():
        raise BankError(f"{path}: no such file" if not path.exists() else f"{path}: not a regular file")
    if (size := path.stat().st_size) > limit:
        raise BankError(f"{path}: expected at most {limit:,} bytes, got {size:,}")
    data = path.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BankError(f"{path}, line {line}: not UTF-8 text (byte {error.start})") from None


def _json(number: int, line: str) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise BankError(f"line {number}: expected at most {MAX_LINE:,} characters, got {len(line):,}")
    try:
        value = parse_json(line)
    except ValueError as error:
        raise BankError(f"line {number}: not JSON: {str(error)[:200]}") from None
    if not isinstance(value, dict):
        raise BankError(f"line {number}: expected an object, got {type(value).__name__}")
    return value


def _header(line: str) -> Header:
    try:
        return Header.model_validate(_json(1, line))
    except ValidationError as error:
        raise BankError(f"line 1: not the header of a bank: {problems(error)[:500]}") from None


def _event(number: int, line: str) -> tuple[Event, str]:
    value = _json(number, line)
    if set(value) != {"chain", "event"} or not isinstance(value["chain"], str):
        raise BankError(f"line {number}: expected a checksum and an event, got {', '.join(sorted(value))[:200]}")
    try:
        return Event.model_validate(value["event"]), value["chain"][:64]
    except ValidationError as error:
        raise BankError(f"line {number}: {problems(error)[:2_000]}") from None
