"""Numbers as HTML writes them, kept exact."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def parse_number(text: str) -> Fraction | None:
    """Returns the exact value of a valid floating-point number, None for anything else."""
    if not _NUMBER.fullmatch(text):
        return None
    rounded = float(text)
    if not math.isfinite(rounded):
        return None
    return Fraction(Decimal(text)) if rounded else Fraction(0)


def format_number(number: Fraction) -> str:
    """Returns a number as a browser prints it."""
    if number.denominator == 1 and abs(number) < 10**21:
        return str(number.numerator)
    text = repr(float(number))
    return text.removesuffix(".0").replace("e-0", "e-").replace("e+0", "e+")
