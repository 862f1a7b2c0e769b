"""MPCR: masked prior-guided candidate reranking, at test time, over a frozen library.

Source: "SkillShift-Bench: Benchmarking Skill Learning under Environment Evolution for Web Agents", MPCR: propose primitive and
skill candidates, verify them against evidence about the current page, score them for executability, rerank a shortlist; at
most two candidates a step and a shortlist of two. It introduces no skill. The paper's text has no formula for the score; what
is computed here is our definition, the SWOP policy with the bonus inside the exponent:

    s(c) = log pi0(c | o) + (1 / beta) [ e_W(key) + alpha sqrt(L_t / max(1, n_W(key))) + phi(c) ],   masked: -inf

| part | definition | ours |
|---|---|---|
| `log pi0` | log-probability of a backbone that has one, else `-log(1 + rank)` | which backbones have one |
| `e_W` | `(1 + successes) / (2 + n)` over the last `W` outcomes of the key | prior counts 1 and 1 |
| `L_t` | `log(1 + t)`, t the number of the step | the form |
| `phi` | `probing.Evidence.phi`, in [0, 1] | equal weights |
| key | site, kind, name, role and name of the target | as reconstructed |
| mask | target missing, hidden, disabled, of another kind or covered; or the same action failed `F` = 2 times on the page in the window | what is not known masks nothing |
| fallback | all masked: dismiss the modal dialog, else the prior's first choice unmasked | never stalls |

The window holds outcomes of one episode: episodes stay independent, so runs can be parallel, resumed and replayed.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urldefrag

from skillshift_gym.agents.base import Observation
from skillshift_gym.agents.executor import Proposal
from skillshift_gym.agents.wrapping import PROPOSER, Wrapping
from skillshift_gym.candidates import SKILL, Candidate, candidates
from skillshift_gym.context import Context, Memory
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.features import vectors
from skillshift_gym.probing import Evidence, Probe
from skillshift_gym.reading import read
from skillshift_gym.skills.bank import Bank

BETA, ALPHA = 0.5, 0.25
WINDOW = 5  # outcomes: half the published budget of ten, so that a window forgets within an episode
FAILURES = 2


class Arm(NamedTuple):
    """What an arm leaves out; all parts by default.

    Attributes:
        mask: Whether what cannot be carried out is masked.
        prior: Whether the prior counts.
        evidence: Whether outcomes, bonus and feasibility count; the mask stays.
        window: Whether old outcomes are forgotten.
        skills: Whether skills are proposed.
        shortlist: Whether only the best `L` are kept.
    """

    mask: bool = True
    prior: bool = True
    evidence: bool = True
    window: bool = True
    skills: bool = True
    shortlist: bool = True


# The six arms (all but the first reconstructed), and two beyond them.
ARMS = {
    "full": Arm(),
    "no-mask": Arm(mask=False),
    "no-prior": Arm(prior=False),
    "no-evidence": Arm(evidence=False),
    "no-window": Arm(window=False),
    "primitives-only": Arm(skills=False),
    "prior-only": Arm(mask=False, evidence=False),
    "no-shortlist": Arm(shortlist=False),
}


class Outcome(NamedTuple):
    """How an action ended.

    Attributes:
        key: What it was, across pages.
        page: Address of its page, without fragment.
        action: Its text.
        ok: Whether it met no error and changed the page (or sent a message).
    """

    key: tuple[str, ...]
    page: str
    action: str
    ok: bool


class Judged(NamedTuple):
    """A proposal with what is held for and against it."""

    proposal: Proposal
    evidence: Evidence
    masked: str
    parts: Mapping[str, float]
    score: float


class MPCR(Wrapping):
    """Reranks what a proposer proposes by what the current page and recent outcomes say.

    Args:
        bank: The frozen bank.
        proposer: Agent that proposes: a short name or `module:Attribute` of an `Executor`.
        arm: A key of `ARMS`.
        candidates: Greatest number of proposals a step (M).
        shortlist: How many are kept (L).
        beta: Temperature: how much the prior weighs against evidence.
        alpha: Weight of the bonus for what was seldom tried.
        window: Outcomes remembered (W).
        **settings: Arguments of the proposer.

    Raises:
        UsageError: There is no such arm, or a number is out of range.
    """

    def __init__(
        self, bank: str | Path | Bank | None = None, proposer: str = PROPOSER, arm: str = "full", candidates: int | str = 2,
        shortlist: int | str = 2, beta: float | str = BETA, alpha: float | str = ALPHA, window: int | str = WINDOW, **settings: Any,
    ) -> None:  # fmt: skip
        super().__init__(bank, proposer, **settings)
        if arm not in ARMS:
            raise UsageError(f"arm: expected one of {', '.join(ARMS)}, got {arm!r}")
        self._arm = ARMS[arm]
        self._most, self._kept, self._width = (_number(n, int, 1) for n in (candidates, shortlist, window))
        self._beta, self._alpha = _number(beta, float, 1e-6), _number(alpha, float, 0)
        self._probe: Probe | None = None
        self.log: list[dict[str, Any]] = []

    def attach(self, probe: Probe) -> None:
        """Takes the probe of the live page; without one, nothing is known and nothing masked."""
        self._probe = probe

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts an episode with an empty window."""
        super().reset(task, recorder)
        self._site = task.site
        self._outcomes: deque[Outcome] = deque(maxlen=self._width if self._arm.window else None)
        self._waiting: tuple[tuple[str, ...], str, str, str] | None = None
        self._steps = 0
        self.log = []

    def act(self, observation: Observation) -> str:
        """Returns the action of the best candidate that can be carried out."""
        started, probes = time.perf_counter(), self._probes()
        self._steps += 1
        self._noted(observation)
        proposed = self._agent.propose(observation)
        proposed = [p for p in proposed if self._arm.skills or p.candidate.primitive != SKILL][: self._most]
        judged = [self._judged(p, observation) for p in proposed]
        chosen, why = self._chosen(judged, observation)
        self._waiting = (
            self._key(chosen.candidate),
            _page(observation),
            chosen.candidate.action,
            observation["axtree"],
        )
        self._count(judged, chosen, why)
        spent = {"probes": self._probes() - probes, "seconds": time.perf_counter() - started}
        self.log.append(
            {
                "step": self._steps,
                "candidates": [_row(j) for j in judged],
                "choice": chosen.candidate.action,
                "why": why,
                **spent,
            }
        )
        return self._agent.take(chosen)

    def _noted(self, observation: Observation) -> None:
        """Enters the outcome of the last action."""
        if self._waiting is not None:
            key, page, action, before = self._waiting
            ok = not observation.get("last_action_error") and observation["axtree"] != before
            self._outcomes.append(Outcome(key, page, action, ok))

    def _judged(self, proposal: Proposal, observation: Observation) -> Judged:
        candidate = proposal.candidate
        evidence = (
            self._probe.evidence(candidate.action) if self._probe is not None else Evidence(detail="no live page")
        )
        masked = _reason(evidence) or self._failed(candidate, observation) if self._arm.mask else ""
        parts = self._parts(proposal, evidence)
        return Judged(proposal, evidence, masked, parts, -math.inf if masked else sum(parts.values()))

    def _parts(self, proposal: Proposal, evidence: Evidence) -> Mapping[str, float]:
        held = [o.ok for o in self._outcomes if o.key == self._key(proposal.candidate)]
        rate = (1 + sum(held)) / (2 + len(held))
        bonus = self._alpha * math.sqrt(math.log(1 + self._steps) / max(1, len(held)))
        weight = 1 / self._beta if self._arm.evidence else 0.0
        return {
            "prior": self._prior(proposal) if self._arm.prior else 0.0,
            "outcomes": weight * rate,
            "bonus": weight * bonus,
            "feasibility": weight * evidence.phi,
        }

    def _prior(self, proposal: Proposal) -> float:
        """Returns the logarithm of the prior's probability (up to a constant), from the rank where scores are none."""
        return proposal.score if self._agent.probabilistic else -math.log(1 + proposal.rank)

    def _failed(self, candidate: Candidate, observation: Observation) -> str:
        """Returns why an action that keeps failing here is masked, empty when it does not."""
        here = [o for o in self._outcomes if not o.ok and (o.page, o.action) == (_page(observation), candidate.action)]
        return f"failed {len(here)} times here" if len(here) >= FAILURES else ""

    def _chosen(self, judged: Sequence[Judged], observation: Observation) -> tuple[Proposal, str]:
        open_ = [j for j in judged if not j.masked]
        if open_:
            order = sorted(open_, key=lambda j: (-j.score, j.proposal.rank, j.proposal.candidate.action))
            return order[: self._kept if self._arm.shortlist else None][0].proposal, "best of the shortlist"
        if any(j.evidence.modal for j in judged):
            dismissal = dismissal_of(observation)
            if dismissal is not None:
                return Proposal(dismissal, 0.0, 0), "all masked: dismiss the dialog"
        if judged:
            return judged[0].proposal, "all masked: the prior's first choice"
        return self._agent.propose(observation)[0], "nothing proposed: the executor's default"

    def _key(self, candidate: Candidate) -> tuple[str, ...]:
        if candidate.primitive == SKILL:
            return self._site, SKILL, candidate.slot
        return self._site, "primitive", candidate.primitive, candidate.role, candidate.name

    def _probes(self) -> int:
        return self._probe.count if self._probe is not None else 0

    def _count(self, judged: Sequence[Judged], chosen: Proposal, why: str) -> None:
        first = judged[0].proposal if judged else None
        self.counts.update(self._agent.counts - self.counts)
        self.counts["probes"] = self._probes()
        self.counts["masked"] += sum(bool(j.masked) for j in judged)
        self.counts["reranked"] += why.startswith("best") and chosen is not first
        self.counts["dismissals"] += "dismiss" in why
        self.counts["unmasked_fallbacks"] += "prior's" in why


def dismissal_of(observation: Observation) -> Candidate | None:
    """Returns the candidate that closes the dialog on a page, by the same reading as the backbones', None without one."""
    reading = read(observation["axtree"], observation["elements"])
    found = candidates(observation["goal"], reading)
    worth = vectors(found, Context(observation["goal"], observation["url"], reading, Memory()), ["closes"])[:, 0]
    best = int(worth.argmax())
    return found[best] if worth[best] > 0 else None


def _reason(evidence: Evidence) -> str:
    """Returns what rules an action out, empty when nothing that is known does."""
    names = ("exists", "visible", "enabled", "compatible", "receives")
    return next((f"not {name}" for name in names if getattr(evidence, name) is False), "")


def _page(observation: Observation) -> str:
    return urldefrag(str(observation["url"])).url


def _row(judged: Judged) -> dict[str, Any]:
    candidate = judged.proposal.candidate
    parts = {name: round(value, 6) for name, value in judged.parts.items()}
    score = None if judged.masked else round(judged.score, 6)
    return {"action": candidate.action, "kind": "skill" if candidate.primitive == SKILL else "primitive", "rank": judged.proposal.rank,
            "evidence": judged.evidence.to_json(), "masked": judged.masked, "parts": parts, "score": score}  # fmt: skip


def _number(value: float | str, kind: type[int | float], least: float) -> Any:
    try:
        number = kind(value)
    except (TypeError, ValueError):
        number = math.nan
    if not number >= least:
        raise UsageError(f"MPCR: expected a number of at least {least}, got {value!r}")
    return number
