"""Whatever an agent says, the environment answers: no exception, no hang, observations inside the space."""

from __future__ import annotations

import gymnasium
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from skillshift_gym.grammar import GRAMMAR
from skillshift_gym.registration import CONDITIONS, SITES, env_id

IDS = [(site, env_id(site, condition)) for site in SITES for condition in CONDITIONS]
EPISODES, STEPS = {"wordpress": 60, "magento": 15}, 100
SEEDS = 40  # few, so that shifted pages come from the cache

hostile = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        ["", "\x00", "\ud800", "'; DROP TABLE posts; --", "<script>alert(1)</script>", "%", "../../etc/passwd", "a" * 5_000,
         "javascript:alert(1)", "http://[", "https://wordpress.example:99999/", "//", "?s=%ff", "/page/99999999999/",
         "/wp-json/wp/v2/posts?per_page=0", "\u202e", "💥", "Control+", "+", "{{7*7}}", "\n\r\t"]
    ),
)  # fmt: skip
bids = st.one_of(st.integers(-5, 700).map(str), hostile)
arguments = st.one_of(
    bids, hostile, st.integers(), st.floats(), st.booleans(), st.none(), st.lists(hostile, max_size=3)
)
calls = st.builds(
    lambda name, args: f"{name}({', '.join(map(repr, args))})",
    st.sampled_from(sorted(GRAMMAR)),
    st.lists(arguments, max_size=3),
)
likely = st.builds(
    lambda name, bid, text: {
        "click": f"click({bid!r})", "fill": f"fill({bid!r}, {text!r})", "press": f"press({bid!r}, 'Enter')",
        "goto": f"goto({text!r})", "keyboard_type": f"keyboard_type({text!r})", "back": "go_back()", "tab": "new_tab()",
        "check": f"check({bid!r})", "select": f"select_option({bid!r}, {text!r})", "hover": f"hover({bid!r})",
    }[name],
    st.sampled_from(["click", "click", "fill", "press", "goto", "keyboard_type", "back", "tab", "check", "select", "hover"]),
    st.integers(0, 500).map(str),
    hostile,
)  # fmt: skip


@pytest.mark.parametrize(("site", "id_"), IDS)
def test_nothing_an_agent_says_breaks_the_environment(site, id_):
    env = gymnasium.make(id_, disable_env_checker=True)
    taken = 0

    class Episode(RuleBasedStateMachine):
        @initialize(seed=st.integers(0, SEEDS))
        def reset(self, seed):
            observation, _ = env.reset(seed=seed)
            assert observation in env.observation_space

        @rule(action=st.one_of(likely, calls, hostile))
        def step(self, action):
            nonlocal taken
            taken += 1
            observation, reward, terminated, truncated, info = env.step(action)
            assert observation in env.observation_space
            assert reward in (0.0, 1.0)
            assert 0 < info["steps"] <= env.unwrapped.task.budget
            if terminated or truncated:
                env.reset(seed=taken % SEEDS)

    run_state_machine_as_test(
        Episode,
        settings=settings(
            max_examples=EPISODES[site], stateful_step_count=STEPS, deadline=None, suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )  # fmt: skip
    env.close()
    print(f"{taken} actions")
    assert taken >= 55 * EPISODES[site]  # of each id; with both sites 24,000 in all
