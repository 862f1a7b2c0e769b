"""AWM by a chat model: one solved trajectory of each family goes to the model, which returns workflows.

Source: "Agent Workflow Memory", section 2, and its published code: goal and trajectory in, workflows of (why, act) out, at
least two steps each, values as slots, nothing verified beyond the trajectory. What is ours: a sample is a request of its own
(the published prompt has all samples of a site), acts have the bank's form, and a reply that spells out a value of the goal
or has another form is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from skillshift_gym.actions import SkillCall, takes_bid
from skillshift_gym.agents.induction.families import Solved, families
from skillshift_gym.agents.induction.lesson import Learned, Lesson
from skillshift_gym.agents.induction.workflow_memory import LEAST_STEPS, SHORT, Memory, Sample, sample_of
from skillshift_gym.agents.induction.workflows import Act, act_of, parsed, slotted
from skillshift_gym.agents.written.prompts import AWM, WORKFLOWS
from skillshift_gym.agents.written.showing import trajectory
from skillshift_gym.agents.written.writer import Rejected, Writer, line_of
from skillshift_gym.grammar import GRAMMAR
from skillshift_gym.skills.templates import check_template, literal, slots

MOST = 5  # workflows of a reply that are looked at; ours, the published code takes all
SPELLED = "a value of the goal is spelled out"


def learn(lesson: Lesson) -> Learned:
    """Returns the bank of the workflows that the lesson's inducer writes."""
    return _Writing(lesson).learned()


class _Writing:
    """One run over a lesson."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson, self._writer = lesson, Writer(lesson, "awm")
        self._memory = Memory()
        self._written = 0
        self._reasons: Counter[str] = Counter()

    def learned(self) -> Learned:
        """Returns what comes of the lesson."""
        episodes = list(self._lesson.episodes())
        solved = [group for group in families(episodes) if group]
        samples = [sample_of(group, self._lesson.seed).solved for group in solved]
        asked = [s for s in samples if len(s.steps) >= LEAST_STEPS]
        self._reasons[SHORT] += len(samples) - len(asked)
        for sample in asked:
            self._ask(sample)
        funnel = {
            "episodes": len(episodes),
            "solved": sum(map(len, solved)),
            "templates": len(samples),
            "long enough": len(asked),
            "written": self._written,
            "workflows": len(self._memory.bank.skills),
        }
        steps = sum(len(e.moves) for e in episodes)
        reasons = {why: n for why, n in self._reasons.items() if why and n}
        return Learned(self._memory.bank, funnel, reasons, len(episodes), steps, self._writer.account)

    def _ask(self, solved: Solved) -> None:
        lines = [str(act_of(step, {})) for step in solved.steps]
        said = (f"Goal: {solved.episode.goal}", trajectory(solved.steps, lines))
        try:
            reply = self._writer.ask(AWM, said, WORKFLOWS)
        except Rejected as rejected:
            self._reasons[str(rejected)] += 1
            return
        for workflow in reply["workflows"][:MOST]:
            self._written += 1
            try:
                self._reasons[self._memory.keep(read(workflow, solved))] += 1
            except Rejected as rejected:
                self._reasons[str(rejected)] += 1


def read(workflow: Mapping[str, Any], solved: Solved) -> Sample:
    """Returns a workflow of a reply in the bank's form.

    Args:
        workflow: It as the model wrote it.
        solved: The episode that it was written about.

    Raises:
        Rejected: It has another form, or is of use for this episode alone.
    """
    title = line_of(workflow["title"])
    if not title or check_template(title):
        raise Rejected("a title that is none, or with a brace that is no slot")
    acts = tuple(_act(line_of(step["act"])) for step in workflow["steps"])
    texts = [title, *(text for act in acts for text in (act.name, act.value or ""))]
    if any(_spells_out(text, _telling(solved)) for text in texts):
        raise Rejected(SPELLED)
    return Sample(solved, acts, (title,), tuple(line_of(step["why"]) for step in workflow["steps"]))


def _act(text: str) -> Act:
    act = parsed(text)
    if act is None or act.primitive not in GRAMMAR or any(map(check_template, (act.name, act.value or ""))):
        raise Rejected("a step of another form")
    required = [p for p in GRAMMAR[act.primitive].parameters if p.default is ...]
    on_element = takes_bid(SkillCall(act.primitive))
    if bool(act.role) != on_element or (act.value is not None) != (len(required) > on_element):
        raise Rejected("a step without role and name of what it acts on, or without what it enters")
    return act


def _telling(solved: Solved) -> dict[str, str]:
    """Returns the values of a goal that belong to this episode alone: those that the trajectory has, and names and numbers."""
    done = [str(act_of(step, solved.values)) for step in solved.steps]
    used = {slot for line in done for slot in slots(line)}
    return {
        slot: value
        for slot, value in solved.values.items()
        if slot in used or value != value.lower() or value.isdigit()
    }


def _spells_out(text: str, values: Mapping[str, str]) -> bool:
    """Tells whether a template says a value of the goal outside of its slots."""
    bare = text
    for slot in slots(text):
        bare = bare.replace(f"{{{slot}}}", " ")
    return slotted(bare, values) != literal(bare)
