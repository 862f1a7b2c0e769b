"""What the model is shown: trajectories and pages in words, with roles and names and never the ids of a session.

Semantic ids, names of tasks and verdicts of the environment are nowhere in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from skillshift_gym.actions import takes_bid
from skillshift_gym.agents.induction.exploring import route_of
from skillshift_gym.agents.induction.functions import seen
from skillshift_gym.agents.induction.site_forms import heading_of
from skillshift_gym.grammar import GRAMMAR, Signature
from skillshift_gym.page import Page
from skillshift_gym.skills.addresses import made_anew
from skillshift_gym.skills.finder import Finder
from skillshift_gym.skills.formats import write_files
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.program import BY_PRIMITIVE, VERBS, Act, Program, Target, Text
from skillshift_gym.skills.recorder import Step
from skillshift_gym.skills.recording import locator_of
from skillshift_gym.skills.rewriting import mapped
from skillshift_gym.skills.skill import Skill
from skillshift_gym.skills.templates import literal
from skillshift_gym.wrappers import pruning

PAGE_TOKENS = 3_000  # of a page, as `pruning.count_tokens` has them
_BID = re.compile(r"^( *)\[\d+\] ", re.MULTILINE)


def where(page: Page) -> str:
    """Returns which page is shown, in a line."""
    heading, route = heading_of(page), route_of(page.url)
    if part := made_anew(route):  # a key of this session says nothing, and is of no use in the next one
        route = route.replace(part, "…")
    return f"on {route} “{page.title}”" + (f", heading “{heading}”" if heading else "")


def page_text(page: Page, tokens: int = PAGE_TOKENS) -> str:
    """Returns a page's accessibility tree without ids, pruned."""
    tree = pruning.prune(_BID.sub(r"\1", page.axtree))
    costs = pruning.costs(tree, pruning.count_tokens)
    return f"Page {where(page)}:\n{pruning.cut(tree, costs, tokens, 6 * tokens)[0]}"


def recorded(step: Step, style: Callable[[Locator], Locator] = seen) -> Act:
    """Returns a step as it was done, without slots, with the semantic id of its target for the judge.

    Args:
        step: The step.
        style: Makes of a recorded locator the one that a method stores; by default role and name, or a test id.
    """
    call = step.primitive
    verb, target, args = BY_PRIMITIVE[call.name], None, call.args
    if takes_bid(call):
        target, args = Target(style(locator_of(Finder(step.page), int(args[0])))), args[1:]
    rest = VERBS[verb].rest
    if rest in ("number", "two numbers"):
        return Act(verb, target, tuple(int(a) for a in args))
    given = args[0] if rest == "with values" else args[:1] if rest else ()
    return Act(verb, target, tuple(Text(literal(str(v))) for v in given))


def bare(acts: Iterable[Act]) -> list[Act]:
    """Returns acts without what only the judge knows: what may be shown."""
    program = mapped(Program(tuple(acts)), without_sid)
    return [s for s in program.statements if isinstance(s, Act)]


def without_sid(locator: Locator) -> Locator:
    """Returns a locator without its semantic id."""
    return replace(locator, sid="")


def code_of(acts: Iterable[Act], form: str) -> list[str]:
    """Returns acts as lines of a format's Python."""
    skill = Skill(name="trajectory", kind="function", program=str(Program(tuple(acts))))
    text = next(iter(write_files(form, [skill]).files.values()))
    return [line.strip() for line in text.rstrip("\n").split("\n")[1:]]


def trajectory(steps: Sequence[Step], lines: Sequence[str]) -> str:
    """Returns steps under the pages that they were taken on.

    Args:
        steps: The steps.
        lines: What was done in each.
    """
    shown, before = ["Trajectory:"], ""
    for step, line in zip(steps, lines, strict=True):
        here = where(step.page)
        shown += [line] if here == before else [f"# {here}", line]
        before = here
    return "\n".join(shown)


def primitives(names: Sequence[str]) -> str:
    """Returns the description of some primitives, elements as `element`; what need not be given is left out."""
    return "\n".join(_signature(GRAMMAR[name]) for name in names)


def _signature(primitive: Signature) -> str:
    needed = ["element" if p.kind == "bid" else p.name for p in primitive.parameters if p.default is ...]
    return f"{primitive.name}({', '.join(needed)}): {primitive.text}"
