"""MPCR: masks what cannot be carried out, reranks what can, never stalls, never adds a skill."""

from __future__ import annotations

import gymnasium
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillshift_gym.agents.mpcr import ARMS, MPCR, dismissal_of
from skillshift_gym.candidates import SKILL
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.episode import task_spec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.probing import Evidence, Probe
from skillshift_gym.skills.shipped import recorded_bank

ARM_NAMES = [*ARMS]
known = st.sampled_from([None, True, False])
evidence = st.builds(
    Evidence, exists=known, unique=known, visible=known, enabled=known, in_view=known, receives=known, compatible=known, modal=known,
    resolvable=st.sampled_from([None, 0.0, 0.4, 1.0]),
)  # fmt: skip


class Told:
    """A probe that says what it is told, in turn."""

    def __init__(self, answers):
        self.answers = list(answers)
        self.count = 0

    def evidence(self, action):
        self.count += 1
        return self.answers[self.count % len(self.answers)]


BANK = recorded_bank()


def made(probe=None, task="wordpress.0", condition="Src", **settings):
    env = gymnasium.make(f"SkillShift/WordPress-{condition}-v0", skills=BANK, disable_env_checker=True)
    observation, info = env.reset(seed=0, options={"task": task})
    agent = MPCR(BANK, proposer="executor", **settings)
    agent.attach(probe or Probe(env.unwrapped))
    agent.reset(task_spec(env, info), CallRecorder())
    return env, agent, observation


def played(arm, answers=None, steps=6, task="wordpress.36", condition="Src", **settings):
    env, agent, observation = made(Told(answers) if answers else None, task, condition, arm=arm, **settings)
    actions, over = [], False
    while not over and len(actions) < steps:
        actions.append(agent.act(observation))
        observation, _, terminated, truncated, _ = env.step(actions[-1])
        over = terminated or truncated
    env.close()
    return actions, agent


class Moment:
    """What is seen, kept out of failure reports by having no long repr."""

    def __init__(self, observation, task):
        self.observation, self.task = observation, task


@pytest.fixture(scope="module")
def moment():
    """One moment of an episode: what is seen, and what the agent is told of its task."""
    env, agent, observation = made(task="wordpress.36")
    yield Moment(observation, agent._agent.task)
    env.close()


def acting(moment, arm, answers, errors):
    """Returns what an agent does that sees the same page again and again, with these errors, and the agent."""
    observation, task = moment.observation, moment.task
    agent = MPCR(BANK, proposer="executor", arm=arm)
    agent.attach(Told(answers))
    agent.reset(task, CallRecorder())
    return [agent.act({**observation, "last_action_error": error}) for error in errors], agent


said = st.lists(st.sampled_from(["", "covered: a dialog", "missing: gone"]), min_size=1, max_size=4)
many = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@many
@given(st.sampled_from(ARM_NAMES), st.lists(evidence, min_size=2, max_size=5), said)
def test_whatever_the_evidence_it_acts_and_adds_nothing(moment, arm, answers, errors):
    actions, agent = acting(moment, arm, answers, errors)
    assert len(actions) == len(errors)
    for row in agent.log:
        proposed = [c["action"] for c in row["candidates"]]
        assert row["choice"] in proposed or "dismiss" in row["why"]
        assert len(proposed) <= 2
        for one in row["candidates"]:
            assert one["kind"] != SKILL or one["action"].partition("(")[0] in BANK.skills


@many
@given(
    st.lists(
        st.sampled_from(
            [Evidence(), Evidence(resolvable=0.0), Evidence(resolvable=1.0, unique=False), Evidence(detail="?")]
        ),
        min_size=2,
        max_size=4,
    ),
    said,
)
def test_what_is_not_known_masks_nothing(moment, answers, errors):
    _, agent = acting(moment, "full", answers, errors)
    assert all(
        c["masked"] in ("", "failed 2 times here", "failed 3 times here") for r in agent.log for c in r["candidates"]
    )


@many
@given(st.lists(evidence, min_size=2, max_size=5), said)
def test_without_a_shortlist_it_does_the_same_when_all_proposals_fit_in_it(moment, answers, errors):
    assert acting(moment, "no-shortlist", answers, errors)[0] == acting(moment, "full", answers, errors)[0]


def test_a_masked_first_choice_gives_way_to_the_second():
    gone, there = Evidence(exists=False), Evidence(*[True] * 7, modal=False)
    _, agent = played("full", [there, gone], steps=1)
    (row,) = agent.log
    assert [bool(c["masked"]) for c in row["candidates"]] == [True, False]
    assert row["choice"] == row["candidates"][1]["action"]
    assert agent.counts["reranked"] == 1
    _, careless = played("no-mask", [there, gone], steps=1)
    assert careless.log[0]["candidates"][0]["masked"] == ""


def test_all_masked_behind_a_dialog_it_dismisses_the_dialog():
    env, agent, observation = made(condition="SrcExec")
    action = agent.act(observation)
    assert agent.log[0]["why"] == "all masked: dismiss the dialog"
    assert action == dismissal_of(observation).action
    _, _, _, _, info = env.step(action)
    assert info["shifts"]["execution"]["dismissed"] == 1
    env.close()


def test_all_masked_without_a_dialog_it_does_what_the_prior_wants():
    hidden = Evidence(exists=True, visible=False, modal=False)
    _, agent = played("full", [hidden], steps=1)
    assert agent.log[0]["why"] == "all masked: the prior's first choice"
    assert agent.log[0]["choice"] == agent.log[0]["candidates"][0]["action"]


def test_an_action_that_failed_twice_on_a_page_is_masked_there():
    unknown = Evidence()
    env, agent, observation = made(Told([unknown]))
    stuck = {**observation, "last_action_error": "missing: gone"}
    first = agent.act(observation)
    masked = []
    for _ in range(6):
        agent.act(stuck)
        masked += [c["action"] for c in agent.log[-1]["candidates"] if c["masked"].startswith("failed")]
    assert first in masked or len({row["choice"] for row in agent.log}) > 2
    env.close()


def test_without_its_evidence_it_is_the_prior_and_the_mask():
    there = Evidence(*[True] * 7, modal=False, resolvable=0.0)
    actions, agent = played("no-evidence", [there], steps=3)
    assert actions == played("prior-only", [there], steps=3)[0]
    assert all(c["parts"]["feasibility"] == c["parts"]["outcomes"] == 0 for row in agent.log for c in row["candidates"])


def test_the_prior_alone_is_the_proposer():
    env, agent, observation = made(arm="prior-only")
    other = MPCR(BANK, proposer="executor")._agent
    other.reset(agent._agent.task, CallRecorder())
    for _ in range(4):
        action = agent.act(observation)
        assert action == other.act(observation)
        observation, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            break
    env.close()


def test_only_primitives_are_proposed_when_told_so():
    _, agent = played("primitives-only", steps=3)
    assert all(c["kind"] == "primitive" for row in agent.log for c in row["candidates"])


def test_a_step_is_logged_with_evidence_scores_and_probes():
    _, agent = played("full", steps=2)
    for row in agent.log:
        assert {"step", "candidates", "choice", "why", "probes", "seconds"} <= set(row)
        assert row["probes"] == len(row["candidates"])
        for one in row["candidates"]:
            assert one["score"] == pytest.approx(sum(one["parts"].values()), abs=1e-4) or one["masked"]


@pytest.mark.parametrize(
    ("wrong", "text"),
    [({"arm": "all"}, "arm: expected one of full"), ({"beta": 0}, "at least 1e-06"), ({"candidates": "x"}, "at least 1"), ({"proposer": "reference"}, "an Executor")],
)  # fmt: skip
def test_wrong_settings_are_refused(wrong, text):
    with pytest.raises(UsageError, match=text):
        MPCR(BANK, **{"proposer": "executor", **wrong})
