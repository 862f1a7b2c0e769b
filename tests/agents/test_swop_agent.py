"""SWOP on web streams: classes that cover every page, evidence that is carried, runs that repeat and go on."""

from __future__ import annotations

import json
from dataclasses import replace

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym import cli
from skillshift_gym.agents.executor import Executor
from skillshift_gym.agents.swop import web_stream
from skillshift_gym.agents.swop.agent import ADAPTIVE, SHAPE, SWOP, Experience
from skillshift_gym.agents.swop.measured import from_stream, measured
from skillshift_gym.agents.swop.situations import (
    ACTIONS,
    ANSWER,
    DISMISS,
    STATES,
    Situation,
    executed,
    options,
    situation,
    situation_of,
)
from skillshift_gym.agents.swop.web_arms import ARMS, CARRIED, PRIOR
from skillshift_gym.agents.swop.web_findings import advantage
from skillshift_gym.agents.swop.web_stream import Stream, bank_of_site, jobs_of, read_arm, run_arm
from skillshift_gym.agents.swop.web_study import Study
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.episode import task_spec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.evaluation.verify import actions_of
from skillshift_gym.registration import CONDITIONS, env_id
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.shipped import recorded_bank
from skillshift_gym.tasks.registry import family_of, task_ids

SITE = "wordpress"
STREAM = Stream(SITE, "jump", 6, 1, tuple(CONDITIONS))  # an episode of each condition
CHECKED = (PRIOR, "mpcr-carried", "swop", "swop-adaptive")


@pytest.fixture(scope="module")
def bank():
    return bank_of_site(recorded_bank(), SITE)


@pytest.fixture(scope="module")
def played(bank, tmp_path_factory):
    """Arms of a small stream, each played to its end without a break."""
    jobs = jobs_of(STREAM, CHECKED, 2.0, bank, "executor", tmp_path_factory.mktemp("whole"))
    return {job.arm: (run_arm(job), read_arm(job)) for job in jobs}


# Classes.


@given(st.integers(0, STATES - 1))
def test_a_state_is_a_situation_and_back(state):
    assert situation_of(state).state == state and str(situation_of(state))


@given(st.builds(Situation, st.booleans(), st.booleans(), st.integers(0, 2), st.booleans()))
def test_a_situation_is_a_state_and_back(found):
    assert 0 <= found.state < STATES and situation_of(found.state) == found


@pytest.mark.parametrize("condition", ["src", "tgt-exec"])
def test_classes_cover_every_page_of_oracles(condition, bank):
    env = gymnasium.make(env_id(SITE, condition), skills=bank, terminate_on="answer", disable_env_checker=True)
    agent, seen = Executor(bank), set()
    for task in task_ids(SITE)[::8]:
        observation, info = env.reset(seed=0, options={"task": task})
        agent.reset(task_spec(env, info), CallRecorder())
        family, number = family_of(task)
        for step in family.oracle(family.instances[number].params, CONDITIONS[condition].version):
            for action in actions_of(env.unwrapped, step):
                seen.add(checked(agent, observation))
                agent.follow(observation, action)
                observation, *_ = env.step(action)
    env.close()
    assert len(seen) >= 3
    assert any(situation_of(s).dialog for s in seen) == condition.endswith("exec")


def checked(agent, observation):
    """The state of a page, once its classes are found to be in order."""
    proposals = agent.propose(observation)
    offered = options(observation, proposals)
    assert any(p is proposals[0] for p in offered.values())
    assert set(offered) <= set(range(len(ACTIONS)))
    assert len({p.candidate.action for p in offered.values()}) == len(offered)
    assert (ANSWER in offered) == (proposals[0].candidate.primitive == "send_msg_to_user")
    found = situation(observation, offered, failed=False)
    assert found.dialog or DISMISS not in offered
    return found.state


def test_what_counts_as_done():
    before, after = {"axtree": "a", "url": "u"}, {"axtree": "b", "url": "u"}
    assert executed("click('1')", before, after)
    assert not executed("click('1')", before, before)
    assert not executed("click('1')", before, {**after, "last_action_error": "covered"})
    assert executed("send_msg_to_user('x')", before, before)


# Evidence.


def test_values_are_optimistic_and_follow_the_window():
    experience = Experience(20, 40, 2, beta=0.1)
    values, beta = experience.values(0.5)
    assert values.shape == SHAPE[1:] and (values == 1).all() and beta == 0.1
    for _ in range(2):
        experience.add([(3, 0, 0)] * 4)
    low = experience.values(0.5)[0][3, 0]
    assert low < 1 and experience.episode == 2
    experience.add([(3, 1, 1)])
    experience.add([(3, 1, 1)])
    values, _ = experience.values(0.5)
    assert values[3, 0] == 1 and values[3, 1] == 1  # the failures have left the window


def test_without_a_window_nothing_is_forgotten_and_the_adaptive_one_finds_a_change():
    forever, adaptive = Experience(200, 200, None, beta=0.1), Experience(200, 200, ADAPTIVE)
    for experience in (forever, adaptive):
        for reward in [1] * 100 + [0] * 60:
            experience.add([(3, 0, reward)])
    assert forever.values(0.9)[0][3, 0] > 0.6
    assert adaptive.values(0.9)[0][3, 0] < 0.3
    assert adaptive.values(0.0)[0] is None  # the prior is played now and then


def test_the_temperature_is_that_of_the_window():
    assert Experience(100, 500, 25).values(0.5)[1] == pytest.approx(0.2)


class _Candidate:
    def __init__(self, rank):
        self.rank = rank


@pytest.mark.parametrize("prior", [True, False])
def test_without_evidence_the_prior_is_played_and_a_class_that_fails_is_left(prior):
    agent = SWOP(Bank(read_only=True), experience=Experience(10, 10, 5), prior=prior)
    agent._episode, agent._steps, agent._beta, agent._values = 0, [], 0.2, np.ones(SHAPE[1:])
    offered = {2: _Candidate(0), 0: _Candidate(1), 1: _Candidate(4)}
    assert agent._chosen(7, offered, offered[2]) == 2
    agent._values[7, 2] = 0.0
    assert agent._chosen(7, offered, offered[2]) == 0
    agent._values[7] = 0.0, 0.0, 0.3, 1.0, 1.0  # what is not offered is not played
    assert agent._chosen(7, offered, offered[2]) == 2


# Streams.


def test_the_prior_is_the_executor(bank, played):
    found = []
    for line in played[PRIOR][1]:
        env = gymnasium.make(env_id(SITE, line["condition"]), skills=bank, disable_env_checker=True)
        seed = web_stream.seed_of(STREAM, line["k"])
        observation, info = env.reset(seed=seed, options={"task": line["task"]})
        agent = Executor(bank)
        env.unwrapped.assistant = agent.assist
        agent.reset(task_spec(env, info), CallRecorder())
        over = False
        while not over:
            observation, _, terminated, truncated, info = env.step(agent.act(observation))
            over = terminated or truncated
        found.append((info["success"], info["steps"]))
        env.close()
    assert found == [(line["success"], line["steps"]) for line in played[PRIOR][1]]


def test_arms_meet_the_same_tasks_in_the_same_conditions(played):
    met = {arm: [(line["k"], line["task"], line["condition"]) for line in lines] for arm, (_, lines) in played.items()}
    assert len({str(m) for m in met.values()}) == 1
    assert [condition for _, _, condition in met[PRIOR]] == list(CONDITIONS)


def test_no_arm_stalls(played):
    for _, lines in played.values():
        assert all(1 <= line["steps"] <= 40 for line in lines)
    for arm in (PRIOR, "swop", "swop-adaptive"):
        assert all(len(line["evidence"]) == line["steps"] for line in played[arm][1])
    assert sum(len(line["evidence"]) for line in played["mpcr-carried"][1]) >= STREAM.episodes


@pytest.mark.parametrize("arm", CHECKED)
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(arm, played, tmp_path):
    job, lines = played[arm]
    again = replace(job, out=str(tmp_path))
    text = job.file.read_text()
    kept = "".join(line + "\n" for line in text.split("\n")[:4])
    again.file.parent.mkdir(parents=True)
    again.file.write_text(kept + '{"k": 3, "tas')
    assert len(read_arm(again)) == 3
    run_arm(again)
    assert again.file.read_text() == text and read_arm(again) == lines
    run_arm(again)
    assert again.file.read_text() == text


def test_a_file_of_another_run_is_refused(played, tmp_path):
    job, _ = played["swop"]
    other = replace(job, out=str(tmp_path), variation=5.0)
    other.file.parent.mkdir(parents=True)
    other.file.write_text(job.file.read_text())
    with pytest.raises(UsageError, match=r"differs in window.*choose another folder"):
        run_arm(other)
    other.file.write_text("{\n")
    with pytest.raises(UsageError, match="expected one JSON object a line"):
        read_arm(other)


def test_every_task_comes_before_any_comes_again():
    tasks = replace(STREAM, episodes=200).tasks()
    count = len(task_ids(SITE))
    assert sorted(tasks[:count]) == sorted(task_ids(SITE)) == sorted(tasks[count : 2 * count])
    assert tasks[:count] != tasks[count : 2 * count]
    assert tasks[:20] != replace(STREAM, episodes=20, seed=1).tasks()


def test_wrong_arms_and_banks_are_named(bank, tmp_path):
    with pytest.raises(UsageError, match="no arm 'magic'; expected some of prior"):
        jobs_of(STREAM, ["magic"], 1.0, bank, "executor", tmp_path)
    with pytest.raises(UsageError, match="evidence of 'magento', got none"):
        bank_of_site(bank, "magento")
    with pytest.raises(UsageError, match="at least 12 episodes"):
        Study((SITE,), 11, tmp_path)


# Budget and findings.

TABLE = {"src": {"a": [1, 1], "b": [1, 0]}, "tgt": {"a": [0, 0], "b": [1, 0]}}


def test_the_budget_of_a_hand_made_table():
    found = measured(TABLE, ["src", "src", "tgt", "src"])
    assert found.value == pytest.approx(2.0) and found.mean == pytest.approx(1.0)
    assert (found.calls, found.skills) == (8, 2)
    assert found.bias == pytest.approx(0.0) and found.chance > 0  # `a` fills the maximum, and no draw can raise it
    assert measured(TABLE, ["src", "src"]).value == 0


def test_the_estimate_is_biased_upwards_where_nothing_drifts():
    same = {"src": {"b": [1, 0, 1, 0]}, "tgt": {"b": [0, 1, 1, 0]}}
    found = measured(same, ["src", "tgt"] * 5)
    assert found.value == 0 and found.bias > 0.5 and found.interval.high > 0


def test_the_estimate_from_a_stream_sees_what_changes():
    lines = [{"evidence": [[0, 0, reward]] * 10} for reward in (1, 1, 0, 0)]
    assert from_stream(lines, 2).estimate == pytest.approx(1.0)
    assert from_stream(lines[:2], 2).estimate == 0


def test_the_advantage_counts_failures_and_draws_whole_tasks():
    def line(task, success):
        return {"task": task, "success": success}

    prior = [line("a", False), line("b", True), line("a", False), line("c", True)]
    arm = [line("a", True), line("b", False), line("a", True), line("c", True)]
    found = advantage(prior, arm)
    assert (found.value, found.only_prior, found.only_arm) == (1, 1, 2)
    assert found.interval.low <= 1 <= found.interval.high and str(found).startswith("+1 [")
    assert advantage(prior, prior).value == 0 == advantage(prior, prior).interval.high


def test_the_command_writes_a_report_and_a_chart(bank, tmp_path, capsys):
    few = Bank(duplicates=True)
    for skill in list(bank.skills.values())[:3]:
        few.add(skill, "for a test")
    few.save(tmp_path / "bank.jsonl")
    command = ["regret", "--web", "--site", SITE, "--kind", "jump", "--arms", "swop", "--episodes", "12", "--calls", "1",
               "--workers", "0", "--quiet", "--bank", str(tmp_path / "bank.jsonl"), "--out", str(tmp_path)]  # fmt: skip
    assert cli.main(command) == 0
    out = capsys.readouterr().out
    assert "| wordpress, jump, K = 12 | 5 |" in out and "calls of" in out and "A(K) over the prior" in out
    assert (tmp_path / "wordpress-jump-K12-s0.svg").read_text().startswith("<svg")
    assert cli.main(command) == 0
    assert capsys.readouterr().out.split("written:")[0] == out.split("written:")[0]
    rows = tmp_path / "executability-wordpress.json"
    rows.write_text(json.dumps({**json.loads(rows.read_text()), "made_with": {}}))
    assert cli.main(command) == 2 and "choose another folder" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--episodes", "12,20"], ["--world", "jumps"], ["--episodes", "3"]])
def test_wrong_arguments_of_the_command_exit_with_2(arguments, tmp_path, capsys):
    assert cli.main(["regret", "--web", "--out", str(tmp_path / "x"), *arguments]) == 2
    assert "expected" in capsys.readouterr().err and not (tmp_path / "x").exists()


def test_every_arm_says_what_it_is():
    assert all(arm.text for arm in ARMS.values()) and CARRIED > 5
