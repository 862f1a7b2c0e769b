"""Chunks: parts of trajectories in the step language, and how often they come up across the episodes of a site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from skillshift_gym import actions
from skillshift_gym.agents.induction.families import Solved
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.program import Act, Example, Program, Text, parse
from skillshift_gym.skills.recorder import kept, record
from skillshift_gym.skills.rewriting import mapped
from skillshift_gym.skills.templates import literal


class Trace(NamedTuple):
    """A solved episode as a program.

    Attributes:
        solved: The episode.
        acts: One act for each step that a program repeats; messages are left out.
        actions: The actions that they were.
        examples: Parameter -> its value in this episode.
    """

    solved: Solved
    acts: tuple[Act, ...]
    actions: tuple[str, ...]
    examples: Mapping[str, str]


class Chunk(NamedTuple):
    """Some acts of a trace, one after the other.

    Attributes:
        trace: The trace.
        start: Place of the first act.
        end: Place after the last act.
        key: What it does, whatever the episode: equal for equal chunks.
    """

    trace: Trace
    start: int
    end: int
    key: str

    def __len__(self) -> int:
        return self.end - self.start

    @property
    def acts(self) -> tuple[Act, ...]:
        """Its acts."""
        return self.trace.acts[self.start : self.end]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names that it takes, in order of first use."""
        return Program(self.acts).parameters

    @property
    def examples(self) -> dict[str, str]:
        """Parameter -> its value in the episode."""
        return {name: self.trace.examples[name] for name in self.parameters}

    @property
    def program(self) -> Program:
        """It as a program, with the arguments of the episode."""
        examples = (Example(name, Text(literal(value))) for name, value in self.examples.items())
        return Program((*examples, *self.acts))

    @property
    def before(self) -> tuple[str, ...]:
        """The actions that led to it."""
        return self.trace.actions[: self.start]

    def overlaps(self, other: Chunk) -> bool:
        """Tells whether two chunks of one trace share an act."""
        return self.start < other.end and other.start < self.end


def trace_of(solved: Solved, style: Callable[[Locator], Locator]) -> Trace:
    """Returns a solved episode as a program.

    Args:
        solved: The episode.
        style: Makes of a recorded locator the one that a method stores.
    """
    episode, steps = solved.episode, kept(solved.steps)
    skill = record(steps, "trace", episode.goal, goal=episode.goal, facts=solved.values, site=episode.site).skill
    program = mapped(parse(skill.program), style)
    acts = tuple(s for s in program.statements if isinstance(s, Act))
    return Trace(solved, acts, tuple(actions.format_action(s.primitive) for s in steps), program.examples)


def chunks_of(trace: Trace, least: int, most: int) -> Iterator[Chunk]:
    """Yields the chunks of a trace of `least` to `most` acts, the longest and earliest first."""
    lines = [str(mapped(Program((act,)), _without_sid)) for act in trace.acts]
    for length in range(min(most, len(lines)), least - 1, -1):
        for start in range(len(lines) - length + 1):
            yield Chunk(trace, start, start + length, "\n".join(lines[start : start + length]))


def recurrence(traces: Iterable[Trace], least: int, most: int) -> Counter[str]:
    """Returns chunk's key -> episodes in which it comes up."""
    return Counter(key for trace in traces for key in {chunk.key for chunk in chunks_of(trace, least, most)})


def _without_sid(locator: Locator) -> Locator:
    return replace(locator, sid="")
