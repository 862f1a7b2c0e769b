"""ASI: functions of two to five primitives, kept when a replay test holds; cut out by a rule, or written by a chat model.

Source: "Inducing Programmatic Skills for Agentic Tasks" (ASI), sections 2 and 3, and its published code.

| | paper says | code does | we do: rule | we do: model (`written.asi`) |
|---|---|---|---|---|
| writer | a language model writes functions and the rewritten trajectory | the same, at temperature 1 | a rule: chunks of the trajectory, slots where goals of a family differ; the trajectory with the chunk replaced by its call | a chat model writes both, one request an episode, temperature 0; its code is read as a tree and never run |
| what is cut | several steps that recur | left to the model, 2 to 5 calls | the whole trajectory when it has at most 5 steps, else the chunks that would have saved most steps over the site's episodes | left to the model, 2 to 5 calls, at most 3 functions of a reply |
| when | online, after each task | the same | once, after the lesson's episodes were played without skills | the same; an episode that an accepted function was tested on is not written about |
| which episodes | judged correct by a model | a vision model's verdict; fewer than 3 steps are skipped | the environment's verdict; fewer than 3 steps are skipped | the same |
| cleaning | steps with errors removed | errors other than a timeout | also steps without effect, blockers dismissed, ways gone and come back | the same |
| static filter | more than one call in the body | that, and the name is free | that, arguments that the goal gives, no finding of the checker; names that are taken get a number | the same, and: a docstring, calls of primitives only, the name is free, called in the rewritten trajectory |
| test | the rewritten trajectory up to and including the first new call, then the agent | the same, on the same task | the same, and on up to two other instances of the family, with their own arguments | the same; each function by itself, after the steps that were done before its call |
| accepted | all solved, a new function called and the page changed | the same | the same | the same |
| purpose | the docstring | the same | the goals of the episodes that it was tested on, with slots | these, the model's docstring after them |
| reuse | a function may be called in any later task | the same | what other families do alike is tested there, and their goals are added to the function's purpose | the same, where the rewritten trajectory calls a known function |
| exposure | the library is part of the action space | the source of all functions, "prefer them" | all functions, scored by goal; one that begins where tasks begin is proposed until the task is under way, one whose docstring has a precondition where the page shows it | the same |
| element | by its id in the accessibility tree, often an argument | `click(bid)`, bound when called | test id, else role and name (a slot where the goal has the name), bound when called: as robust as reading the page anew | the same, written `click('{role=link label="{title}"}')` |
| failure | the exception is the action's error | the same | the same; no other mark is tried, nothing is healed | the same |

The model that acts is another setting: `backbone="chat"`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from skillshift_gym.agents.asi_induction import Induction
from skillshift_gym.agents.base import Observation
from skillshift_gym.agents.executor import Executor
from skillshift_gym.agents.induction.functions import has_precondition
from skillshift_gym.agents.induction.lesson import Learned, Lesson
from skillshift_gym.agents.written.asi import Writing
from skillshift_gym.candidates import Candidate
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.reading import Reading


class ASI(Executor):
    """Calls functions in place of primitives where the goal is one of those that they serve."""

    healing: ClassVar[Mapping[str, Any]] = {"order": ["test id", "role+name", "css", "xpath"], "cascade": False}

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts an episode."""
        super().reset(task, recorder)
        self._begun = False
        self._in_dialog = False

    def heard(self, observation: Observation) -> None:
        """Notes whether the task is under way: whether something was done beyond seeing to a dialog."""
        self._begun |= bool(self._memory.last) and not self._memory.failed and not self._in_dialog
        self._in_dialog = self._context.reading.dialog is not None

    def calls(self, goal: str, reading: Reading) -> list[Candidate]:
        """Returns the calls of functions that a goal suggests, where they are of use.

        A function begins where tasks begin, and is of use until the task is under way; or it has a precondition, which
        the page must meet by role and name. It is called for the goals of its docstring only, which is what its tests speak
        for; whether it does any good for other goals, and what they would give it, is a guess.
        """
        return [call for call in super().calls(goal, reading) if self._is_due(call)]

    def _is_due(self, call: Candidate) -> bool:
        skill = self.bank.skills[call.slot]
        return call.fit >= 1.0 and (call.ready > 0 if has_precondition(skill) else not self._begun)


def learn(lesson: Lesson) -> Learned:
    """Returns the bank of the functions that passed their tests, with a log of those that did not."""
    return (Induction if lesson.inducer is None else Writing)(lesson, ASI).learned()
