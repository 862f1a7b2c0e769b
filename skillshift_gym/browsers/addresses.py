"""Email addresses and URLs as constraint validation judges them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from .values import SPACE

_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def emails_problem(value: str) -> str:
    """Returns what is wrong with a comma separated list of email addresses, empty when nothing is."""
    return next((message for part in value.split(",") if (message := email_problem(part.strip(SPACE)))), "")


def email_problem(address: str) -> str:
    """Returns what is wrong with an email address, in the browser's words; empty when nothing is."""
    local, at, domain = address.partition("@")
    if not address:
        return "Please enter a comma separated list of email addresses."
    if not at:
        return f"Please include an '@' in the email address. '{address}' is missing an '@'."
    if not local:
        return f"Please enter a part followed by '@'. '{address}' is incomplete."
    if not domain:
        return f"Please enter a part following '@'. '{address}' is incomplete."
    if not _LOCAL.fullmatch(local):
        wrong = next(c for c in local if not _LOCAL.fullmatch(c))
        return f"A part followed by '@' should not contain the symbol '{wrong}'."
    if _DOMAIN.fullmatch(domain):
        return ""
    wrong = next((c for c in domain if not (c.isascii() and (c.isalnum() or c in "-."))), "")
    if wrong:
        return f"A part following '@' should not contain the symbol '{wrong}'."
    if domain.startswith(".") or domain.endswith(".") or ".." in domain:
        return f"'.' is used at a wrong position in '{domain}'."
    return "Please enter an email address."


def is_url(value: str) -> bool:
    """Returns whether a text is an absolute URL."""
    if not _SCHEME.match(value):
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return parts.scheme not in ("http", "https", "ftp", "ws", "wss") or bool(parts.netloc or parts.path.strip("/"))
