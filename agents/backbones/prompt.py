"""What the chat backbone shows a model: a fixed beginning, and a page in at most `LIMIT` tokens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urlsplit

from skillshift_gym import actions
from skillshift_gym.agents.memory import ToldMemory
from skillshift_gym.candidates import SKILL, Candidate
from skillshift_gym.context import Context
from skillshift_gym.reading import ITEM_ROLES
from skillshift_gym.wrappers.pruning import count_tokens

LIMIT = 400  # tokens of the part about the page, as `count_tokens` has them, which is on the high side
# The primitives that candidates are made of; `document` describes them.
SHOWN = ("click", "fill", "press", "select_option", "keyboard_press", "send_msg_to_user", "noop")
_WIDTHS = (80, 60, 40, 30, 20, 12)  # characters of a name or value, tried one after another until the text fits
_GOAL, _ERROR = 600, 160  # characters
_PAST = 4  # actions told
_CUT = "…"
_RULES = """You use a website to reach a goal. You see the goal, the page you are on, and numbered actions. Choose the one \
action that brings you closer to the goal.
- An answer ends the task. Give one only when everything else is done.
- Close a dialog that is in the way first.
- Fill in what the goal says, then submit it.
- Do not repeat an action that is marked as done."""
_FORMS = {
    ("choice",): 'Reply with JSON, {"choice": "N"}, where N is the number of the best action.',
    ("first", "second"): 'Reply with JSON, {"first": "N", "second": "M"}: the numbers of the best action and of the next best.',
}  # fmt: skip


@lru_cache(maxsize=64)
def instructions(choices: tuple[str, ...], skills: str = "") -> str:
    """Returns the fixed beginning: how to choose, what the actions do, the skills, and the form of the reply.

    Args:
        choices: Fields of the reply, ("choice",) or ("first", "second").
        skills: What is said of skills.
    """
    parts = [_RULES, f"Actions:\n{actions.document(SHOWN)}", f"Skills:\n{skills}" if skills else "", _FORMS[choices]]
    return "\n\n".join(filter(None, parts))


def situation(shown: Sequence[Candidate], context: Context) -> tuple[int, str]:
    """Returns how many candidates are offered, and the part about the page, in at most `LIMIT` tokens.

    Names are cut before candidates are left out, from the end of the list.
    """
    for width in _WIDTHS:
        text = _text(shown, context, width)
        if count_tokens(text) <= LIMIT:
            return len(shown), text
    offered = len(shown)
    while offered > 1 and count_tokens(text) > LIMIT:
        offered -= 1
        text = _text(shown[:offered], context, _WIDTHS[-1])
    return offered, text


def distinct(order: Sequence[int], candidates: Sequence[Candidate], context: Context, most: int) -> list[int]:
    """Returns the first positions of an order, without those whose words are the same as those of an earlier one.

    Args:
        order: Positions of candidates, best first.
        candidates: The candidates.
        context: The page.
        most: How many to return at most.
    """
    first: dict[str, int] = {}
    for index in order:
        first.setdefault(describe(candidates[index]) + _place(candidates[index], context, _WIDTHS[0]), index)
        if len(first) == most:
            break
    return list(first.values())


def describe(candidate: Candidate, width: int = _WIDTHS[0]) -> str:
    """Returns a candidate in words.

    Args:
        candidate: The candidate.
        width: Greatest number of characters of its name and of its value.
    """
    name, value = cut(candidate.name, width), cut(candidate.value, width)
    target = f"{candidate.role} '{name}'"
    match candidate.primitive:
        case "click":
            return f"click {target}"
        case "fill":
            return f"fill {target} with '{value}'"
        case "select_option":
            return f"select '{value}' in {target}"
        case "press":
            return f"press {value} in {target}"
        case "send_msg_to_user":
            return f"answer '{value}'" + (f" ({name})" if name else "")
        case "keyboard_press":
            return f"press {value}"
        case _ if candidate.primitive == SKILL:
            return f"skill {cut(candidate.action, 2 * width)}" + (f": {name}" if name else "")
        case _:
            return cut(candidate.action, width)


def cut(text: str, width: int) -> str:
    """Returns a text on one line, of at most so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + _CUT


def _text(shown: Sequence[Candidate], context: Context, width: int) -> str:
    lines = [describe(c, width) for c in shown]
    placed = [
        f"{line}{_place(c, context, width) if lines.count(line) > 1 else ''}"
        for c, line in zip(shown, lines, strict=True)
    ]
    marked = [f"{n}: {line}{' (done)' if c.action in context.tried else ''}" for n, (c, line) in enumerate(zip(shown, placed, strict=True), 1)]  # fmt: skip
    return "\n".join([*_head(context, width), "Actions:", *marked])


def _head(context: Context, width: int) -> list[str]:
    """Returns the lines about goal, page and past."""
    memory, reading = context.memory, context.reading
    title = reading.nodes[0].name if reading.nodes else ""
    told = memory if isinstance(memory, ToldMemory) else ToldMemory(failed=memory.failed)
    error = told.error or ("the last action failed" if told.failed else "")
    past = "; ".join(describe(c, width // 2 + 4) for c in told.taken[-_PAST:])
    headings = ", ".join(cut(h, width) for h in reading.headings[:2])
    values = {
        "Goal": cut(context.goal, _GOAL),
        "Page": f"{cut(title, width)} ({cut(urlsplit(context.url).path, width)})",
        "Headings": headings,
        "A dialog is open": "yes" if reading.dialog is not None else "",
        "You did": past,
        "Error of the last action": cut(error, _ERROR),
    }
    return [f"{key}: {value}" for key, value in values.items() if value]


def _place(candidate: Candidate, context: Context, width: int) -> str:
    """Returns the row or item that a target stands in, or the heading over it: what tells it from its likes."""
    reading = context.reading
    position = reading.position.get(candidate.bid)
    if position is None:
        return ""
    item = position
    while item >= 0 and reading.nodes[item].role not in ITEM_ROLES:
        item = reading.parents[item]
    texts = reading.texts_in(item)[:3] if item >= 0 else [reading.label_of(position)]
    others = [t for t in texts if t != candidate.name and t]
    return f" of '{cut(', '.join(others), width)}'" if others else ""
