"""The public test kit."""

from __future__ import annotations

import gymnasium
import pytest

from skillshift_gym.candidates import candidates
from skillshift_gym.context import Context, Memory
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.reading import Reading
from skillshift_gym.registration import CONDITIONS, SITES, env_id
from skillshift_gym.testing import ScriptedBackbone, check_env


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
