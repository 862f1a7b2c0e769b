"""The table of features: what each says, which candidates it can be about, and how it is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .candidates import SKILL, Candidate
from .context import Context
from .reading import words

Function = Callable[[Sequence[Candidate], Context], Iterable[float]]

# Which candidates a feature can be about, by name: it is 0 for all others.
ABOUT: dict[str, Callable[[Candidate, Context], bool]] = {
    "any": lambda c, x: True,
    "clicks": lambda c, x: c.primitive == "click",
    "shared": lambda c, x: bool(c.bid) and not x.goal_words.isdisjoint(words(c.name)),
    "shared clicks": lambda c, x: c.primitive == "click" and not x.goal_words.isdisjoint(words(c.name)),
    "values": lambda c, x: c.primitive in ("fill", "select_option"),
    "keys": lambda c, x: c.primitive in ("press", "keyboard_press"),
    "skills": lambda c, x: c.primitive == SKILL,
    "messages": lambda c, x: c.primitive == "send_msg_to_user",
}
# Name -> what the feature says of a candidate; which candidates it is about; how it is computed for those.
FEATURES: dict[str, tuple[str, Column]] = {}


class Column(NamedTuple):
    """How a feature is computed.

    Attributes:
        about: Which candidates it can be about; it is 0 for others.
        function: Those candidates and the context -> a number for each, in [0, 1].
    """

    about: str
    function: Function


def feature(text: str, about: str, name: str = "") -> Callable[[Function], Function]:
    """Returns a decorator that enters a feature into `FEATURES`.

    Args:
        text: What it says of a candidate.
        about: Which candidates it can be about.
        name: Its name; the function's by default.
    """

    def register(function: Function) -> Function:
        FEATURES[name or function.__name__] = (text, Column(about, function))
        return function

    return register
