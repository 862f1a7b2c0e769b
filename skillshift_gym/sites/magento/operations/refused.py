"""The one error of operations."""

from __future__ import annotations


class Refused(Exception):
    """The shop does not do this; the text is what the administrator reads."""
