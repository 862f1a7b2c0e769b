"""Features of answers: whether they are of the kind that the goal asks for, and whether it is time to give one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .answers import column_named, pairs_asked, rows_asked
from .candidates import Candidate
from .context import Context
from .feature_table import feature as _feature
from .vocabulary import UI_WORDS


@_feature("Of a kind that the goal asks for: a count, a list, a sum, the newest, ...", "messages")
def answer_kind(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for such answers."""
    asked = x.asked
    return (float(c.slot in asked) for c in cs)


@_feature(
    "How well the answer's columns fit the facts that the goal asks for, by their names and what they hold.", "messages"
)
def answer_named(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields the mean over the answer's columns."""
    for c in cs:
        columns = c.name.split("; ") if c.name else []
        kinds = c.role.split("; ")
        fits = (column_named(x.goal, column, kind) for column, kind in zip(columns, kinds, strict=False))
        yield sum(fits) / len(columns) if columns else 0.0


@_feature("Drawn from two columns.", "messages")
def answer_pair(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for a pair of facts."""
    return (float("; " in c.role) for c in cs)


@_feature("A sum of money in the answer, when the goal speaks of money.", "messages")
def answer_money(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for agreement of the answer with the goal."""
    asked = not UI_WORDS["money"].isdisjoint(x.goal_words - {"total"})
    return (float(asked and "$" in c.value) for c in cs)


@_feature("An answer of the kind asked for, on a page of the goal's topic, while nothing is left to enter.", "messages")
def answer_due(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 0 to 1: kind, columns and page together."""
    wanted = rows_asked(x.goal)
    enough = wanted is None or x.asked.isdisjoint(("sum", "list")) or wanted <= x.rows
    ready = not x.due and x.missing == 0.0 and enough and x.topical
    kinds, names = answer_kind(cs, x), answer_named(cs, x)
    pair = pairs_asked(x.goal)
    for c, kind, name in zip(cs, kinds, names, strict=True):
        yield ready * kind * (0.5 + 0.4 * name + 0.1 * (pair == ("; " in c.role)))


_SLOTS = ("count", "first", "last", "matched", "list", "sum", "most", "months", "shown")
for _slot in _SLOTS:
    _feature(f"An answer of the kind `{_slot}` (`answers.Answer.slot`).", "messages", f"answer_{_slot}")(
        lambda cs, x, slot=_slot: [c.slot == slot for c in cs]  # type: ignore[misc]
    )
