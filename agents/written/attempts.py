"""Attempts at what a model thought of: the lesson's executor acts towards a goal of no task, on pages that are thrown away."""

from __future__ import annotations

from skillshift_gym import actions
from skillshift_gym.actions import Primitive
from skillshift_gym.agents.executor import Executor
from skillshift_gym.agents.induction.episodes import MESSAGE, Episode, Move
from skillshift_gym.agents.induction.exploring import Explorer, shown
from skillshift_gym.agents.llm.model import ReplyError
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder

_REFUSED = "refused: the page did not let it happen"
_ENDS = (MESSAGE, "report_infeasible")


def attempted(explorer: Explorer, executor: Executor, goal: str, most: int) -> Episode:
    """Returns what an executor does towards a goal, from the page shown on, as an episode of no task.

    Args:
        explorer: The browser.
        executor: The executor, without skills; it ends the attempt with a message, which is not sent.
        goal: The goal.
        most: Most actions.
    """
    executor.reset(TaskSpec("", "", "", goal, explorer.page.url, most), CallRecorder())
    moves: list[Move] = []
    error = ""
    while len(moves) < most:
        page = explorer.page
        seen = {"goal": goal, "url": page.url, "axtree": page.axtree, "elements": page.element_list}
        try:
            action = executor.act({**seen, "last_action_error": error})
        except ReplyError:  # of the model that acts: the attempt ends there
            break
        call = actions.parse(action)
        assert isinstance(call, Primitive), "an executor without skills calls none"
        if call.name in _ENDS:
            moves.append(Move(page, call, action, "", effective=True, skill={}))
            break
        error = "" if explorer.do(call.name, *call.args) else _REFUSED
        moves.append(Move(page, call, action, error, shown(page) != shown(explorer.page), {}))
    return Episode("", "", "", "", goal, 0, tuple(moves), explorer.page, success=False)
