"""Names of skills, parameters and variables, made of any text."""

from __future__ import annotations

import re
from collections.abc import Collection
from keyword import iskeyword

from ..grammar import GRAMMAR
from .program import RESERVED

_LIMIT, _NUMBERED = 63, 58  # letters; where a number follows, fewer are kept


def slug(text: str, taken: Collection[str] = (), default: str = "skill") -> str:
    """Returns a name made of a text: a-z, 0-9 and `_`, no reserved word, none of those taken.

    Args:
        text: The text.
        taken: Names that are taken; a number tells the new one apart.
        default: What a name begins with whose text does not begin with a letter.
    """
    base = "_".join(re.findall(r"[a-z0-9]+", text.lower()))
    base = base if base[:1].isalpha() else f"{default}_{base}"
    base = base[:_LIMIT].strip("_")
    base = f"{base}_" if base in RESERVED or base in GRAMMAR or iskeyword(base) else base
    number, name = 2, base
    while name in taken:
        name, number = f"{base[:_NUMBERED]}_{number}", number + 1
    return name
