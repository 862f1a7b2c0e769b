"""JSON steps of WALT and workflow-use as statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..locator import Locator, quoted
from ..templates import literal
from .base import Note
from .lines import Inexpressible, checked, css, locator, stop, template, xpath

Names = Mapping[str, str]


def program_of(steps: Sequence[Mapping[str, Any]], names: Names) -> tuple[str, list[Note]]:
    """Returns the program of some steps, and what it does not say.

    Args:
        steps: The steps.
        names: Placeholder -> name of the parameter.
    """
    lines, notes = [], []
    for number, step in enumerate(steps, 1):
        try:
            line, lost = _line(step, names)
            lines.append(checked(line) if line else "")
            notes += [Note("", number, _told(step), reason) for reason in lost]
        except Inexpressible as error:
            lines.append(stop(f"step {number}: {error}"))
            notes.append(Note("", number, _told(step), f"has no counterpart ({error}); a call gives up here"))
    return "\n".join(line for line in lines if line), notes


def _told(step: Any) -> str:
    return str(step.get("description") or step.get("type") or "step") if isinstance(step, Mapping) else str(step)[:80]


def _line(step: Any, names: Names) -> tuple[str, list[str]]:
    if not isinstance(step, Mapping):
        raise Inexpressible("not an object")
    kind = str(step.get("type", ""))
    if kind not in _KINDS:
        raise Inexpressible(f"step of type {kind[:40]!r}")
    return _KINDS[kind](step, names)


def _text(step: Mapping[str, Any], *keys: str) -> str:
    for key in keys:
        if isinstance(step.get(key), str | int | float) and not isinstance(step.get(key), bool):
            return str(step[key])
    raise Inexpressible(f"without {' or '.join(keys)}")


def _target(step: Mapping[str, Any], names: Names) -> tuple[Locator, list[str]]:
    """Returns the locator of a step, and which of its parts it leaves out."""
    lost = []
    found: dict[str, str] = {}
    for key, name, usable in (("cssSelector", "css", css), ("xpath", "xpath", xpath)):
        written = step.get(key)
        if isinstance(written, str) and written:
            found[name] = template(usable(written), names)
            lost += [] if found[name] else [f"{key} {written[:80]!r} is outside of what locators say; left out"]
    if not any(found.values()):
        raise Inexpressible("no selector that locators can say")
    tag = step.get("elementTag")
    return locator(**found, tag=tag.lower() if isinstance(tag, str) and tag.isalnum() else ""), lost


def _goto(step: Mapping[str, Any], names: Names) -> tuple[str, list[str]]:
    if step.get("url_operation"):
        raise Inexpressible("url_operation")
    return f"goto {quoted(template(_text(step, 'url'), names))}", []


def _act(verb: str) -> Callable[[Mapping[str, Any], Names], tuple[str, list[str]]]:
    def line(step: Mapping[str, Any], names: Names) -> tuple[str, list[str]]:
        target, lost = _target(step, names)
        if verb in ("fill", "select"):
            value = _text(step, "value") if verb == "fill" else _text(step, "selectedText", "value")
            return f"{verb} {target} with {quoted(template(value, names))}", lost
        return f"{verb} {target}", lost

    return line


def _key(step: Mapping[str, Any], names: Names) -> tuple[str, list[str]]:
    key = quoted(literal(_text(step, "key")))
    if any(step.get(name) for name in ("cssSelector", "xpath")):
        target, lost = _target(step, names)
        return f"press {target} {key}", lost
    return f"key {key}", []


def _scroll(step: Mapping[str, Any], names: Names) -> tuple[str, list[str]]:
    across, down = (int(float(_text({k: step.get(k, 0)}, k))) for k in ("scrollX", "scrollY"))
    return f"scroll {across} {down}", []


def _wait(step: Mapping[str, Any], names: Names) -> tuple[str, list[str]]:
    return "", ["a wait for time; pages here are complete when they are shown; left out"]


def _extract(step: Mapping[str, Any], names: Names) -> tuple[str, list[str]]:
    target, lost = _target(step, names)
    output = step.get("output")
    name = output if isinstance(output, str) and output.isidentifier() and output.islower() else "extracted"
    return f"let {name} = text {target}", lost


def _agent(step: Mapping[str, Any], names: Names) -> tuple[str, list[str]]:
    limit = step.get("max_steps", 5)
    steps = max(1, min(10, limit)) if isinstance(limit, int) else 5
    return f"agent {quoted(template(_text(step, 'task', 'description'), names))} at most {steps}", []


_KINDS: dict[str, Callable[[Mapping[str, Any], Names], tuple[str, list[str]]]] = {
    "navigation": _goto,
    "click": _act("click"),
    "input": _act("fill"),
    "select": _act("select"),
    "select_change": _act("select"),
    "key": _key,
    "key_press": _key,
    "scroll": _scroll,
    "wait": _wait,
    "extract": _extract,
    "extract_page_content": _extract,
    "agent": _agent,
}
