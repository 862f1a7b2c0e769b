"""What the chat backbone shows a model: a fixed beginning, and a page in at most `LIMIT` tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, count
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
REPLIES = ("words", "number")
_RULES = """You control a web browser, one action at a time, to do what a user asks. You see the page, the actions that are possible, \
and the task. Pick the action to do next.
- A control that has the words of the task in its name is usually right.
- First fill in the fields that the task names, then press the button that saves or submits.
- To find something, search for it, or open the menu that it belongs to.
- Close a dialog that is in the way first.
- Actions marked (done) were taken already; do not repeat them.
- An answer ends the task: give one only when nothing else is left to do."""
# Published systems tell the model to prefer them (ASI, WALT).
_SKILLS = "Skills, each of which does several actions at once; prefer one that fits the task to single actions:"
_COPIED = {
    "words": "copied from the list, without the dash and without (done)",
    "number": "by its number in the list, as a string",
}
_FIELDS = {
    ("choice",): 'one field, "choice": the best action',
    ("first", "second"): 'two fields, "first" and "second": the best action and the next best, each',
}


@lru_cache(maxsize=64)
def instructions(choices: tuple[str, ...], skills: str = "", reply: str = "words") -> str:
    """Returns the fixed beginning: how to choose, what the actions do, the skills, and the form of the reply.

    Args:
        choices: Fields of the reply, ("choice",) or ("first", "second").
        skills: What is said of skills.
        reply: How an action is named, one of `REPLIES`.
    """
    form = f"Reply with JSON that has {_FIELDS[choices]} {_COPIED[reply]}."
    parts = [_RULES, f"Actions:\n{actions.document(SHOWN)}", f"{_SKILLS}\n{skills}" if skills else "", form]
    return "\n\n".join(filter(None, parts))


def situation(shown: Sequence[Candidate], context: Context, reply: str = "words") -> tuple[list[str], str]:
    """Returns what the candidates offered are called, each its own, and the part about the page, in at most `LIMIT` tokens.

    Names are cut before candidates are left out, from the end of the list. The task comes last: small models follow what
    they read last.
    """
    for width in _WIDTHS:
        names, text = _text(shown, context, width, reply)
        if count_tokens(text) <= LIMIT:
            return names, text
    while len(names) > 1 and count_tokens(text) > LIMIT:
        names, text = _text(shown[: len(names) - 1], context, _WIDTHS[-1], reply)
    return names, text


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


def _text(shown: Sequence[Candidate], context: Context, width: int, reply: str) -> tuple[list[str], str]:
    lines = [describe(c, width) for c in shown]
    placed = _unlike(
        f"{line}{_place(c, context, width) if lines.count(line) > 1 else ''}"
        for c, line in zip(shown, lines, strict=True)
    )
    done = [" (done)" if c.action in context.tried else "" for c in shown]
    numbers = [str(n) for n in range(1, len(shown) + 1)]
    marks = [f"{n}:" for n in numbers] if reply == "number" else ["-"] * len(shown)
    listed = [f"{mark} {line}{end}" for mark, line, end in zip(marks, placed, done, strict=True)]
    text = "\n".join([*_head(context, width), "Actions:", *listed, f"Task: {cut(context.goal, _GOAL)}"])
    return (numbers if reply == "number" else placed), text


def _unlike(lines: Iterable[str]) -> list[str]:
    """Returns lines, those that are the same as an earlier one with the first number that is free."""
    found: dict[str, None] = {}
    for line in lines:
        numbered = (f"{line} ({n})" for n in count(2))
        found[next(new for new in chain([line], numbered) if new not in found)] = None
    return list(found)


def _head(context: Context, width: int) -> list[str]:
    """Returns the lines about page and past."""
    memory, reading = context.memory, context.reading
    title = reading.nodes[0].name if reading.nodes else ""
    told = memory if isinstance(memory, ToldMemory) else ToldMemory(failed=memory.failed)
    error = told.error or ("the last action failed" if told.failed else "")
    past = "; ".join(describe(c, width // 2 + 4) for c in told.taken[-_PAST:])
    headings = ", ".join(cut(h, width) for h in reading.headings[:2])
    values = {
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
