"""Skills as candidates: which are proposed for a goal, with which arguments, and whether the page is ready for them."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from skillshift_gym.candidates import SKILL, candidates
from skillshift_gym.features import FEATURES
from skillshift_gym.page import Page
from skillshift_gym.reading import read
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.program import parse
from skillshift_gym.skills.proposing import LIMIT, Proposer, readiness, with_skills
from skillshift_gym.skills.skill import Parameter, Skill
from skillshift_gym.wrappers.candidates import CandidateActions
from skillshift_gym.wrappers.text import TextObservation

SEARCH = 'fill {name="s" role=searchbox label="Search for:"} with title\n'


def skill(name, description, program=SEARCH, parameters=("title",)):
    made = tuple(Parameter(name=p) for p in parameters)
    return Skill(
        name=name, kind="recorded", description=description, parameters=made, program=program, fields={"goal": ""}
    )


FIND = skill("find_it", "Find the article titled “{title}” and open it.")
HOME = skill("go_home", "Go back to the home page of the blog", 'goto "/"\n', ())
OTHER = skill("prices", "Raise the price of every product", 'click {role=button label="Prices"}\n', ())


@pytest.fixture(scope="module")
def reading():
    env = gymnasium.make("SkillShift/WordPress-Src-v0", disable_env_checker=True)
    observation, _ = env.reset(seed=0, options={"task": "wordpress.0"})
    env.close()
    return read(observation["axtree"], observation["elements"])


GOAL = "Find the article titled “Camping” and open it."


def test_a_skill_that_serves_the_goal_is_proposed_with_its_arguments(reading):
    (call,) = Proposer([OTHER, FIND]).calls(GOAL, reading)
    assert (call.action, call.primitive, call.slot) == ("find_it(title='Camping')", SKILL, "find_it")
    assert (call.fit, call.ready) == (1.0, 1.0)


def test_a_skill_whose_argument_the_goal_does_not_give_is_not_proposed(reading):
    assert Proposer([FIND]).calls("Find the article and open it.", reading) == []


def test_proposals_come_in_the_order_of_the_bank_and_are_limited(reading):
    many = [skill(f"find_{i}", f"{FIND.description} | {'x ' * i}") for i in range(12)]
    calls = Proposer(many).calls(GOAL, reading)
    assert [c.slot for c in calls] == [f"find_{i}" for i in range(LIMIT)]
    assert len(Proposer(many, limit=2).calls(GOAL, reading)) == 2


def test_a_text_without_a_program_is_no_candidate(reading):
    text = Skill(name="a_text", kind="workflow", description=GOAL, fields={"title": GOAL, "steps": [{"act": "click"}]})
    assert Proposer([text]).calls(GOAL, reading) == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (SEARCH, 1.0),
        ('goto "/x/"\nclick {role=button label="Nowhere"}\n', 1.0),
        ('click {role=button label="Nowhere"}\n', 0.0),
        ('click {css="#some"}\n', 0.5),
        ('let a = "b"\nif exists {role=button label="Nowhere"}\nclick {role=link label="{title}"}\nend\n', 0.0),
        ("", 1.0),
    ],
)
def test_readiness_is_what_a_reader_of_the_page_can_tell(reading, program, expected):
    assert readiness(parse(program), {"title": "Camping"}, reading) == expected


def test_skills_stand_before_doing_nothing(reading):
    found = candidates(GOAL, reading)
    both = with_skills(found, Proposer([FIND]).calls(GOAL, reading))
    assert both[-1].primitive == "noop"
    assert both[-2].primitive == SKILL
    assert [c for c in both if c.primitive != SKILL] == found


def test_equal_skills_make_equal_proposers():
    assert Proposer([FIND, HOME]) == Proposer([FIND, HOME])
    assert hash(Proposer([FIND])) == hash(Proposer([FIND]))
    assert Proposer([FIND]) != Proposer([HOME])


def test_the_rl_view_has_skills_as_actions_of_their_own():
    bank = Bank()
    bank.add(FIND, "test")
    env = CandidateActions(gymnasium.make("SkillShift/WordPress-Src-v0", skills=bank, disable_env_checker=True))
    observation, info = env.reset(seed=0, options={"task": "wordpress.0"})
    number = info["candidates"].index("find_it(title='Camping')")
    row = dict(zip(FEATURES, observation["candidates"][number], strict=True))
    assert {n: row[n] for n in ("skill", "skill_fits", "skill_exact", "skill_ready", "skill_bound", "skill_called")} == {
        "skill": 1, "skill_fits": 1, "skill_exact": 1, "skill_ready": 1, "skill_bound": 1, "skill_called": 0,
    }  # fmt: skip
    observation, _, _, _, info = env.step(np.int64(number))
    assert info["skill"]["observed"] == "ok"
    number = info["candidates"].index("find_it(title='Camping')")
    assert dict(zip(FEATURES, observation["candidates"][number], strict=True))["skill_called"] == 1
    assert isinstance(env.unwrapped.page, Page)
    env.close()


def test_the_text_view_lists_calls_with_their_arguments():
    bank = Bank()
    bank.add(FIND, "test")
    bank.add(OTHER, "test")
    env = TextObservation(gymnasium.make("SkillShift/WordPress-Src-v0", skills=bank, disable_env_checker=True))
    text, _ = env.reset(seed=0, options={"task": "wordpress.0"})
    assert "Skills for this goal: find_it(title='Camping')\n" in text
    env.close()
    plain = TextObservation(gymnasium.make("SkillShift/WordPress-Src-v0", disable_env_checker=True))
    assert "Skills for" not in plain.reset(seed=0, options={"task": "wordpress.0"})[0]
    plain.close()
