from __future__ import annotations

import gymnasium
import pytest

import skillshift_gym
from skillshift_gym.errors import UsageError
from skillshift_gym.registration import make_cell
from skillshift_gym.tasks.oracle import resolve
from skillshift_gym.tasks.registry import family_of
from skillshift_gym.wrappers.blockers import TEXTS, WAYS, choose
from skillshift_gym.wrappers.execution import ExecutionShift
from skillshift_gym.wrappers.firing import SCHEDULES, Count, parse_schedule
from skillshift_gym.wrappers.perceptual import PerceptualShift


@pytest.fixture
def blocked(make):
    """Makes an environment with an execution shift."""

    def build(**kwargs):
        return ExecutionShift(make(budget=60), **{"slack_rule": False, **kwargs})

    return build


def log(env):
    return env.unwrapped.shifts[0].log()


def clear(env):
    """Clears what blocks the page and returns the number of actions it took."""
    actions = 0
    while action := env.unwrapped.clearing():
        *_, info = env.step(action)
        assert info["error"] == ""
        actions += 1
    return actions


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", TEXTS)
def test_a_blocker_covers_the_page_until_it_is_cleared(blocked, text, way):
    env = blocked(blocker=text, way=way)
    before, _ = env.reset(seed=0, options={"task": "wordpress.24"})
    dialog = TEXTS[text].title
    assert f"dialog {dialog!r}" in before["axtree"]
    link = next(e.bid for e in env.unwrapped.page.interactive if e.name == "About")
    observation, *_, info = env.step(f"click('{link}')")
    assert (info["error"], info["blocked_by"]) == ("covered", dialog)
    assert observation["url"] == before["url"] and "clear it first" in observation["last_action_error"]
    assert clear(env) == WAYS[way]
    assert "dialog" not in env.unwrapped.page.axtree
    *_, info = env.step(f"click('{link}')")
    assert info["error"] == ""
    assert log(env)["shown"] == 2 and log(env)["dismissed"] == 1 and log(env)["refused"] == 1


def test_the_control_named_by_the_error_clears_it(blocked):
    env = blocked(way="close")
    env.reset(seed=3)
    env.step("click('20')")
    error = env.unwrapped._episode.error
    env.step(f"click('{error.clear_with}')")
    assert env.unwrapped.clearing() == ""


@pytest.mark.parametrize(
    "action",
    ["fill('{q}', 'x')", "press('{q}', 'Enter')", "hover('{q}')", "focus('{q}')", "keyboard_type('x')", "keyboard_press('Enter')",
     "clear('{q}')", "dblclick('{q}')"],
)  # fmt: skip
def test_pointer_and_keyboard_are_refused_outside(blocked, action):
    env = blocked(way="close")
    env.reset(seed=0)
    field = next(e.bid for e in env.unwrapped.page.interactive if e.role == "searchbox")
    *_, info = env.step(action.format(q=field))
    assert info["error"] == "covered"


@pytest.mark.parametrize("action", ["goto('/about/')", "new_tab()"])
def test_the_browsers_own_controls_evade_it_and_are_counted(blocked, action):
    env = blocked()
    env.reset(seed=0)
    *_, info = env.step(action)
    assert info["error"] == "" and info["shifts"]["execution"]["evaded"] == 1


def test_messages_are_not_blocked(blocked):
    env = blocked()
    env.reset(seed=0)
    assert env.step("send_msg_to_user('x')")[2]


def test_what_was_typed_and_opened_survives(make):
    env = ExecutionShift(make(budget=60), schedule="once@3", way="close", slack_rule=False)
    env.reset(seed=0, options={"task": "wordpress.24"})
    page = env.unwrapped.page
    field = next(e.bid for e in page.interactive if e.role == "searchbox")
    more = next(e.bid for e in page.interactive if e.states.get("expanded") == "false")
    env.step(f"click('{more}')")
    env.step(f"fill('{field}', 'half a word')")
    env.step("scroll(0, 50)")
    assert env.unwrapped.clearing()
    for _ in range(2):
        page = env.unwrapped.page
        assert page.get(field).value == "half a word" and page.get(more).states["expanded"] == "true"
        clear(env)


def test_a_blocked_submit_is_not_sent(make):
    env = ExecutionShift(make(budget=60, terminate_on="answer"), schedule="once@6", way="close", slack_rule=False)
    env.reset(options={"task": "wordpress.36"})
    family, _ = family_of("wordpress.36")
    for step in family.oracle(family.instances[0].params, "v1")[:-1]:
        *_, info = env.step(resolve(step, env.unwrapped.page))
    assert info["error"] == "covered" and env.unwrapped.site.changes() == ()
    clear(env)
    env.step(resolve(step, env.unwrapped.page))
    assert len(env.unwrapped.site.changes()) == 1


def test_blocker_inside_several_lines_stops_them(make):
    env = ExecutionShift(make(budget=60, multi_action=True), schedule="once@2", way="close", slack_rule=False)
    env.reset(seed=0)
    field = next(e.bid for e in env.unwrapped.page.interactive if e.role == "searchbox")
    *_, info = env.step(f"focus('{field}')\nscroll(0, 5)\nfill('{field}', 'x')\nnoop()")
    assert (info["error"], info["steps"]) == ("covered", 3)


@pytest.mark.parametrize(
    ("schedule", "shown"),
    [
        ("every_page", [1, 2, 3, 4]),
        ("first_page", [1, 1, 1, 1]),
        ("until_dismissed(2)", [1, 2, 2, 2]),
        ("once@2", [0, 0, 1, 1]),
        ("periodic(2)", [0, 0, 1, 1]),
        ("bernoulli(0)", [0, 0, 0, 0]),
    ],
)
def test_schedules_fire_when_they_say(blocked, schedule, shown):
    env = blocked(schedule=schedule, way="close")
    env.reset(seed=0)
    counts = [log(env)["shown"]]
    for page in (2, 3, 4):
        clear(env)
        env.step(f"goto('/page/{page}/')")
        counts.append(log(env)["shown"])
    # Clearing is a primitive too; schedules that count primitives see it.
    assert counts[0] == shown[0] and counts[-1] >= shown[-1]
    if "page" in schedule or "until" in schedule or "bernoulli(0)" in schedule:
        assert counts == shown


def test_a_certain_draw_fires_at_every_primitive(blocked):
    env = blocked(schedule="bernoulli(1.0)", way="close")
    env.reset(seed=0)
    for count in (1, 2, 3):
        env.step("scroll(0, 1)") if count == 1 else env.step(env.unwrapped.clearing())
        assert log(env)["shown"] == count


def test_first_page_comes_back_until_it_is_closed(blocked):
    env = blocked(schedule="first_page", way="close")
    env.reset(seed=0)
    env.step("goto('/page/2/')")
    assert log(env)["shown"] == 2 and env.unwrapped.clearing()


def test_on_first_target_meets_the_first_aim(blocked):
    env = blocked(schedule="on_first_target", way="close")
    observation, _ = env.reset(seed=0)
    assert "dialog" not in observation["axtree"]
    *_, info = env.step("click('20')")
    assert info["error"] == "covered"
    clear(env)
    *_, info = env.step("hover('20')")
    assert info["error"] == ""


def test_a_random_page_is_one_page_and_depends_on_the_seed(blocked):
    first = []
    for seed in range(8):
        env = blocked(schedule="random_page_once", way="close")
        env.reset(seed=seed, options={"task": "wordpress.24"})
        pages = 0
        while not env.unwrapped.clearing() and pages < 12:
            pages += 1
            env.step(f"goto('/page/{pages + 1}/')")
        first.append(pages)
        clear(env)
        env.step("goto('/about/')")
        assert not env.unwrapped.clearing()
    assert len(set(first)) > 2 and max(first) < 12


def test_the_same_seed_gives_the_same_blockers(blocked):
    def walk():
        env = blocked(way="varied", blocker="varied", schedule="bernoulli(0.4)")
        trees = [env.reset(seed=5)[0]["axtree"]]
        for page in range(2, 12):
            trees.append(env.step(f"goto('/page/{page}/')")[0]["axtree"])
            clear(env)
        return trees

    assert walk() == walk()


def test_demands_stay_within_the_slack(make):
    env = ExecutionShift(make(), way="two_step")
    env.reset(options={"task": "wordpress.36"})  # oracle 8 of 10: room for one blocker of two actions
    for page in range(2, 6):
        env.step(f"goto('/page/{page}/')")
    assert log(env)["shown"] == 1 and log(env)["skipped"] == 4


def test_snapshots_hold_the_blocker(make):
    env = ExecutionShift(make(budget=60), way="two_step", slack_rule=False)
    env.reset(seed=0)
    env.step(env.unwrapped.clearing())
    saved = skillshift_gym.snapshot(env)
    tree = env.unwrapped.page.axtree
    clear(env)
    skillshift_gym.restore(env, saved)
    assert env.unwrapped.page.axtree == tree and clear(env) == 1


def test_both_shifts_together_need_a_word(make):
    with pytest.raises(UsageError, match="no condition of the benchmark"):
        PerceptualShift(ExecutionShift(make()))
    with pytest.raises(UsageError, match="no condition of the benchmark"):
        ExecutionShift(PerceptualShift(make()))
    both = PerceptualShift(ExecutionShift(make()), allow_both=True)
    assert both.reset(seed=0)[1]["condition"] == "custom"


def test_a_cell_of_another_strength_is_custom():
    env = make_cell("wordpress", "src-exec", {"schedule": "periodic(3)"}, budget=5)
    _, info = env.reset(seed=0)
    assert info["condition"] == "custom" and info["shifts"]["execution"]["shown"] == 0
    again = gymnasium.make(env.spec)
    assert again.reset(seed=0)[1] == info
    env.close(), again.close()


@pytest.mark.parametrize(
    ("kwargs", "text"),
    [
        ({"schedule": "sometimes"}, "expected one of first_page"),
        ({"schedule": "once"}, "once@k"),
        ({"schedule": "every_page(3)"}, "every_page"),
        ({"schedule": "bernoulli(2)"}, "probability"),
        ({"schedule": "periodic(0)"}, "at least 1"),
        ({"blocker": "ad"}, "no 'ad'; expected one of cookies"),
        ({"way": "wait"}, "no 'wait'; expected one of close"),
    ],
)
def test_wrong_arguments(make, kwargs, text):
    with pytest.raises(UsageError, match=text):
        ExecutionShift(make(), **kwargs)


def test_another_environment_is_refused():
    with pytest.raises(UsageError, match="expected a SkillShiftEnv"):
        ExecutionShift(gymnasium.make("CartPole-v1"))


def test_every_schedule_is_spelt_and_parsed():
    for name, (event, argument, _) in SCHEDULES.items():
        text = f"{name}(1)" if argument else name
        assert parse_schedule(text).name == name and event in ("document", "primitive", "target")
    assert not parse_schedule("once@3").is_due("primitive", Count(primitives=2))


def test_draws_cover_all_wordings_and_ways():
    drawn = [choose("varied", "varied", n) for n in range(300)]
    assert {b.text for b in drawn} == set(TEXTS) and {b.way for b in drawn} == set(WAYS)
    assert {choose("varied", "one_action", n).cost for n in range(50)} == {1}
