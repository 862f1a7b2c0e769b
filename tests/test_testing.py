"""The public test kit."""

from __future__ import annotations

from itertools import islice

import gymnasium
import pytest

from skillshift_gym.candidates import candidates
from skillshift_gym.context import Context, Memory
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.fuzzing import hostile_actions
from skillshift_gym.reading import Reading
from skillshift_gym.registration import CONDITIONS, SITES, env_id
from skillshift_gym.testing import ScriptedBackbone, check_env, fuzz


@pytest.mark.parametrize("id_", [env_id(s, c) for s in SITES for c in CONDITIONS])
def test_registered_environments_pass(id_):
    check_env(id_, budget=30)


class Forgetful(SkillShiftEnv):
    """An environment whose episodes depend on how many there were before."""

    made = 0

    def reset(self, **kwargs):
        Forgetful.made += 1
        observation, info = super().reset(**kwargs)
        return {**observation, "title": f"{Forgetful.made}"}, info


def test_a_broken_environment_does_not():
    gymnasium.register(id="Forgetful-v0", entry_point=Forgetful, kwargs={"site": "wordpress"})
    try:
        with pytest.raises(AssertionError):
            check_env("Forgetful-v0")
    finally:
        gymnasium.registry.pop("Forgetful-v0")


def test_a_scripted_backbone_follows_its_script(page_of):
    page = page_of("<a href=/a>A</a><a href=/b>B</a>")
    reading = Reading(page.axtree, page.element_list)
    found = candidates("x", reading)
    backbone = ScriptedBackbone(["click('3')", "click('9')"])
    context = Context("x", page.url, reading, Memory())
    first, second, third = (backbone.score(found, context) for _ in range(3))
    assert found[first.argmax()].action == "click('3')"
    assert not second.any() and not third.any()


def test_a_hostile_agent_is_answered_and_its_actions_are_a_function_of_the_seed():
    first, second = (list(islice(hostile_actions(seed), 500)) for seed in (1, 1))
    assert first == second != list(islice(hostile_actions(2), 500))
    env = gymnasium.make("SkillShift/WordPress-TgtExec-v0", disable_env_checker=True)
    found = fuzz(env, seed=0, actions=200)
    env.close()
    assert found.actions == 200 and found.episodes >= 20 and 0 < found.errors < 200


def test_fuzzing_finds_an_observation_outside_its_space():
    class Broken(gymnasium.Wrapper):
        def step(self, action):
            observation, *rest = super().step(action)
            return {**observation, "url": 3}, *rest

    env = Broken(gymnasium.make("SkillShift/WordPress-Src-v0", disable_env_checker=True))
    with pytest.raises(AssertionError, match="outside the space"):
        fuzz(env, seed=0, actions=5)
    env.close()
