"""Cache, record and replay of a model's replies: one wrapper over any model, one file of JSON lines.

The first line describes the file, every other one holds a request's key (SHA-256 of its canonical JSON), the request
and the reply. A line is written whole, and the first one of a key counts: processes may share a file, and all of them
go on with the same reply. A file that gzip compressed (`.gz`) can be replayed as it is.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from skillshift_gym.agents.llm.model import (
    MAX_TOKENS,
    ChatModel,
    Completion,
    Cost,
    Message,
    Schema,
    Usage,
    key_of,
    request_of,
)
from skillshift_gym.agents.llm.schemas import data_of
from skillshift_gym.errors import InfrastructureError, UsageError
from skillshift_gym.files import parse_json

FORMAT = "skillshift-chat-1"
MODES = ("cache", "record", "replay")
GZIP = ".gz"
_SHOWN = 160  # characters of a request that an error shows


class ReplayMiss(InfrastructureError):
    """A request is not in the recording: the episode is no measurement."""


class Recorded:
    """A model whose replies are kept in a file.

    Args:
        model: The model to ask; None in the mode `replay`, which asks none.
        path: The file; made when it is not there, but for `replay`.
        mode: `cache`: a reply of the file where it has one, else the model's, which is added. `record`: the same, for a
            file of this model alone, with what `header` says of it. `replay`: replies of the file only.
        header: What the file is to say of the model, such as its hash and the version of its runtime.

    Raises:
        UsageError: The file is none of these, is not there, is another model's, or a model is missing.
    """

    def __init__(
        self, model: ChatModel | None, path: str | Path, mode: str, header: Mapping[str, Any] | None = None
    ) -> None:
        if mode not in MODES:
            raise UsageError(f"mode: expected one of {', '.join(MODES)}, got {mode!r}")
        if model is None and mode != "replay":
            raise UsageError(f"{path}: the mode {mode!r} needs a model to ask; only 'replay' does without")
        self._model = model
        self._mode = mode
        self._path = Path(path)
        if self._path.suffix == GZIP and mode != "replay":
            raise UsageError(f"{path}: the mode {mode!r} writes, and a compressed recording can only be replayed")
        self._replies: dict[str, Mapping[str, Any]] = {}
        self._read_to = 0  # bytes of the file that are in `_replies`
        self.header = self._opened({"model": model.name, **(header or {})} if model is not None else {})
        self.name: str = self.header.get("model", "") if model is None else model.name

    def complete(
        self,
        messages: Sequence[Message],
        schema: Schema | None = None,
        max_tokens: int = MAX_TOKENS,
        temperature: float | None = 0.0,
        seed: int | None = None,
    ) -> Completion:
        """Returns the reply to a conversation, from the file where it has one.

        Raises:
            ReplayMiss: The mode is `replay` and the file has none.
            ServiceError: The model's service cannot be had.
        """
        request = request_of(self.name, messages, schema, max_tokens, temperature, seed)
        key = key_of(request)
        if key not in self._replies:
            self._read()  # another process may have been here
        if key in self._replies:
            return _completion(self._replies[key], schema)
        if self._model is None or self._mode == "replay":
            raise ReplayMiss(f"{self._path}: no reply to request {key[:16]}, {_shown(messages)}; record it again")
        made = self._model.complete(messages, schema, max_tokens, temperature, seed)
        self._append({"key": key, "request": request, "reply": _reply(made)})
        self._read()
        kept = self._replies[key]
        return made if kept == _reply(made) else _completion(kept, schema)

    def _opened(self, header: dict[str, Any]) -> dict[str, Any]:
        """Returns the file's header, after writing it to a new file and reading the replies of an old one."""
        if self._mode == "record" and not self._path.exists():
            self._append({"format": FORMAT, **header})
        elif self._mode == "cache" and not self._path.exists():
            self._append({"format": FORMAT})
        try:
            found = self._read()
        except FileNotFoundError:
            raise UsageError(f"{self._path}: expected a recording, there is no such file") from None
        differ = [name for name in header if found.get(name) != header[name]] if self._mode == "record" else []
        if differ:
            name = differ[0]
            raise UsageError(
                f"{self._path} is another recording: {name} is {found.get(name)!r}, here {header[name]!r}; "
                "choose another file"
            )
        return found

    def _append(self, entry: Mapping[str, Any]) -> None:
        """Adds a line in one write, on disk before the call returns; after what a killed process left it begins anew."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps(entry, ensure_ascii=False, sort_keys=True).encode("utf-8", "replace") + b"\n"
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            os.write(handle, b"\n" + line if torn else line)
            os.fsync(handle)
        finally:
            os.close(handle)

    def _read(self) -> dict[str, Any]:
        """Reads what was added to the file; returns its header when it is read from the start."""
        data = _bytes(self._path, self._read_to)
        start, header = self._read_to, {}
        whole = data[: data.rfind(b"\n") + 1]
        self._read_to += len(whole)
        for number, entry in enumerate(_entries(whole)):
            if start == 0 and number == 0:
                header = entry
            elif "key" in entry and _is_reply(entry.get("reply")):
                self._replies.setdefault(str(entry["key"]), entry["reply"])
        if start == 0 and header.get("format") != FORMAT:
            raise UsageError(f"{self._path}: expected a recording of format {FORMAT!r}, got {header.get('format')!r}")
        return header


def read_recording(path: str | Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Returns the header of a recording, and its entries: `key`, `request` and `reply` of each.

    Raises:
        UsageError: It is none.
    """
    Recorded(None, path, "replay")
    header, *entries = _entries(_bytes(Path(path)))
    return header, entries


def _bytes(path: Path, start: int = 0) -> bytes:
    """Returns what a file holds from a place on, unpacked."""
    with gzip.open(path) if path.suffix == GZIP else path.open("rb") as file:
        try:
            file.seek(start)
            return file.read()
        except (gzip.BadGzipFile, EOFError) as error:
            raise UsageError(f"{path}: expected a recording that gzip compressed: {error}") from None


def _entries(data: bytes) -> Iterator[dict[str, Any]]:
    """Yields the lines that are JSON objects; what a killed process left of one is none."""
    for line in data.split(b"\n"):
        try:
            entry = parse_json(line.decode("utf-8"))
        except ValueError:
            continue
        if isinstance(entry, dict):
            yield entry


def _reply(completion: Completion) -> dict[str, Any]:
    return {
        "text": completion.text,
        "finish": completion.finish,
        "usage": list(completion.usage),
        "cost": list(completion.cost),
    }


def _is_reply(value: Any) -> bool:
    """Tells whether a value is what `_reply` makes."""
    if not isinstance(value, dict):
        return False
    texts, usage, cost = (value.get("text"), value.get("finish")), value.get("usage"), value.get("cost")
    return (
        all(isinstance(text, str) for text in texts)
        and isinstance(usage, list)
        and len(usage) == len(Usage._fields)
        and all(isinstance(n, int) for n in usage if n is not None)
        and isinstance(cost, list)
        and len(cost) == len(Cost._fields)
        and isinstance(cost[0], float | None)
    )


def _completion(reply: Mapping[str, Any], schema: Schema | None) -> Completion:
    text, finish = reply["text"], reply["finish"]
    usage, cost = Usage(*reply["usage"]), Cost(*reply["cost"])
    return Completion(text, data_of(text, finish, schema), usage, cost, finish, recorded=True)


def _shown(messages: Sequence[Message]) -> str:
    """Returns the end of a conversation for an error: role, and the beginning of the text."""
    last = messages[-1] if messages else {"role": "nobody", "content": ""}
    text = " ".join(last["content"].split())
    return f"{last['role']}: {text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}"
