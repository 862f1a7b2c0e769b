"""Form data as bytes: the three encodings of the HTML standard."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple
from urllib.parse import quote_plus

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
PLAIN = "text/plain"
_NEWLINE = re.compile(r"\r\n|\r|\n")


class Entry(NamedTuple):
    """One name and value of a form's entry list.

    Attributes:
        name: Name of the control.
        value: Value, or the file name of a file control.
        is_file: Whether the value is a file; files are always empty.
    """

    name: str
    value: str
    is_file: bool = False


def encode(enctype: str, entries: list[Entry]) -> tuple[bytes, str]:
    """Returns the body and its content type.

    Args:
        enctype: One of the three encodings; another one counts as the default, as in HTML.
        entries: The entry list.
    """
    entries = [Entry(_crlf(e.name), e.value if e.is_file else _crlf(e.value), e.is_file) for e in entries]
    if enctype == MULTIPART:
        return _multipart(entries)
    if enctype == PLAIN:
        return "".join(f"{e.name}={e.value}\r\n" for e in entries).encode(), PLAIN
    return urlencoded(entries).encode(), URLENCODED


def urlencoded(entries: list[Entry]) -> str:
    """Returns the entry list as a query string."""
    return "&".join(f"{_quoted(e.name)}={_quoted(e.value)}" for e in entries)


def _quoted(text: str) -> str:
    return quote_plus(_crlf(text), safe="*-._").replace("~", "%7E")


def _crlf(text: str) -> str:
    return _NEWLINE.sub("\r\n", text) if "\n" in text or "\r" in text else text


def _multipart(entries: list[Entry]) -> tuple[bytes, str]:
    parts = [_part(entry) for entry in entries]
    # A browser draws the boundary at random; the content's own hash cannot occur in the content either.
    boundary = "----SkillShiftFormBoundary" + hashlib.sha256("".join(parts).encode()).hexdigest()[:16]
    body = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts) + f"--{boundary}--\r\n"
    return body.encode(), f"{MULTIPART}; boundary={boundary}"


def _part(entry: Entry) -> str:
    header = f'Content-Disposition: form-data; name="{_escaped(entry.name)}"'
    if entry.is_file:
        return f'{header}; filename="{_escaped(entry.value)}"\r\nContent-Type: application/octet-stream\r\n\r\n'
    return f"{header}\r\n\r\n{entry.value}"


def _escaped(text: str) -> str:
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
