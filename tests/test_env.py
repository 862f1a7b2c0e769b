import gymnasium
import pytest

from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.errors import SiteNotReady, TaskError, UsageError
from skillshift_gym.tasks.oracle import resolve
from skillshift_gym.tasks.registry import family_of, task_ids, task_of

URL_TASK, ANSWER_TASK, STATE_TASK = "wordpress.24", "wordpress.8", "wordpress.36"


def steps_of(env, task):
    family, number = family_of(task)
    return family.oracle(family.instances[number].params, env.unwrapped.version)


def play(env, steps):
    """Plays semantic steps and returns the last result."""
    result = None
    for step in steps:
        result = env.step(resolve(step, env.unwrapped.page))
        if result[2] or result[3]:
            break
    return result


# terminate_on, task, what is played: (reward, terminated, truncated, steps taken)
SOLVE, MESSAGE, GIVE_UP, IDLE = "solve", "send_msg_to_user('x')", "report_infeasible('x')", "idle"
TRUTH_TABLE = [
    ("success", URL_TASK, SOLVE, (1.0, True, False, 1)),
    ("success", URL_TASK, MESSAGE, (0.0, True, False, 1)),
    ("success", URL_TASK, GIVE_UP, (0.0, True, False, 1)),
    ("success", URL_TASK, IDLE, (0.0, False, True, 10)),
    ("success", ANSWER_TASK, SOLVE, (1.0, True, False, 1)),
    ("success", ANSWER_TASK, MESSAGE, (0.0, True, False, 1)),
    ("success", ANSWER_TASK, GIVE_UP, (0.0, True, False, 1)),
    ("success", ANSWER_TASK, IDLE, (0.0, False, True, 10)),
    ("success", STATE_TASK, SOLVE, (1.0, True, False, 7)),
    ("success", STATE_TASK, MESSAGE, (0.0, True, False, 1)),
    ("answer", URL_TASK, SOLVE, (1.0, True, False, 2)),
    ("answer", URL_TASK, MESSAGE, (0.0, True, False, 1)),
    ("answer", URL_TASK, GIVE_UP, (0.0, True, False, 1)),
    ("answer", URL_TASK, IDLE, (0.0, False, True, 10)),
    ("answer", ANSWER_TASK, SOLVE, (1.0, True, False, 1)),
    ("answer", ANSWER_TASK, IDLE, (0.0, False, True, 10)),
    ("answer", STATE_TASK, SOLVE, (1.0, True, False, 8)),
    ("answer", STATE_TASK, IDLE, (0.0, False, True, 10)),
]


@pytest.mark.parametrize(("terminate_on", "task", "plan", "expected"), TRUTH_TABLE)
def test_how_episodes_end(make, terminate_on, task, plan, expected):
    env = make(terminate_on=terminate_on)
    env.reset(options={"task": task})
    if plan == SOLVE:
        result = play(env, steps_of(env, task))
    elif plan == IDLE:
        while not (result := env.step("noop()"))[3]:
            assert result[1:4] == (0.0, False, False)
    else:
        result = env.step(plan)
    _, reward, terminated, truncated, info = result
    assert (reward, terminated, truncated, info["steps"]) == expected
    assert info["success"] == (reward == 1.0)
    assert info["checks"] and all(set(c) == {"kind", "ok", "reason"} for c in info["checks"])


def test_a_solved_page_counts_at_truncation_too(make):
    env = make(terminate_on="answer", budget=1)
    env.reset(options={"task": URL_TASK})
    _, reward, terminated, truncated, _ = play(env, steps_of(env, URL_TASK)[:1])
    assert (reward, terminated, truncated) == (1.0, False, True)


def test_a_harmful_step_fails_a_task_and_is_reported(make):
    env = make()
    env.reset(options={"task": URL_TASK})
    play(env, steps_of(env, STATE_TASK)[:-1])
    _, reward, _, _, info = env.step("send_msg_to_user('ok')")
    assert reward == 0.0
    assert any(c["kind"] == "unchanged" and "unexpected insert in comments" in c["reason"] for c in info["checks"])


@pytest.mark.parametrize(
    ("action", "code", "text"),
    [
        ("klick('3')", "malformed", "did you mean 'click'"),
        ("", "malformed", "empty"),
        (7, "malformed", "expected a string, got int"),
        (None, "malformed", "got NoneType"),
        ("click('999999')", "missing", "999999"),
        ("click('\\ud800')", "missing", ""),
        ("fill('0', 'x')", "wrong_type", ""),
        ("click('2')", "hidden", ""),
        ("go_back()", "navigation", ""),
        ("goto('https://elsewhere.example/')", "navigation", "https://wordpress.example"),
        ("tab_focus(4)", "navigation", ""),
        ("keyboard_press('NoSuchKey')", "bad_value", ""),
    ],
)
def test_a_bad_action_is_a_typed_error_in_the_observation(make, action, code, text):
    env = make()
    before, _ = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated, info["error"], info["steps"]) == (0.0, False, False, code, 1)
    assert observation["last_action_error"].startswith(f"{code}: ") and text in observation["last_action_error"]
    assert observation["axtree"] == before["axtree"]
    assert observation in env.observation_space


def test_an_error_is_forgotten_after_a_good_action(make):
    env = make()
    env.reset(seed=1)
    env.step("nonsense")
    observation, *_, info = env.step("noop()")
    assert observation["last_action_error"] == info["error"] == ""
    assert observation["last_action"] == "noop()"


def test_the_budget_is_the_tasks_own_or_a_number(make):
    env = make(budget=3)
    observation, info = env.reset(seed=0)
    assert (observation["budget_left"].tolist(), observation["step"].tolist(), info["budget_left"]) == ([3], [0], 3)
    for left in (2, 1, 0):
        observation, _, _, truncated, info = env.step("noop()")
        assert (observation["budget_left"].item(), info["budget_left"], truncated) == (left, left, left == 0)


def test_stepping_after_the_end_needs_a_reset(make):
    env = make(budget=1)
    env.reset(seed=0)
    env.step("noop()")
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        env.step("noop()")
    with pytest.raises(gymnasium.error.ResetNeeded):
        SkillShiftEnv("wordpress").step("noop()")


def test_several_lines_count_one_by_one_and_stop_at_the_first_error(make):
    env = make(multi_action=True)
    env.reset(options={"task": ANSWER_TASK})
    *_, info = env.step("noop()\nscroll(0, 10)\nclick('99999')\nnoop()")
    assert (info["steps"], info["error"]) == (3, "missing")
    *_, info = env.step("noop()\n" * 20)
    assert info["steps"] == 10


def test_a_bid_of_a_page_that_was_left_is_stale(make):
    env = make(multi_action=True)
    env.reset(options={"task": ANSWER_TASK})
    *_, info = env.step("goto('/about/')\nclick('20')")
    assert info["error"] == "stale"


def test_the_seed_draws_the_task_and_options_name_it(make):
    env = make()
    drawn = [env.reset(seed=s)[1]["task"] for s in range(60)]
    assert drawn == [env.reset(seed=s)[1]["task"] for s in range(60)]
    assert len(set(drawn)) > 30 and set(drawn) <= set(task_ids("wordpress"))
    assert env.reset(options={"task": "wordpress.3#2"})[1]["task"] == "wordpress.3#2"
    assert env.reset(options={"task": "skillshift.wordpress.3"})[1]["uid"] == "skillshift.wordpress.3.v1"
    assert env.reset(options={"version": "v2"})[1]["version"] == "v2"
    assert env.reset(seed=0)[1]["version"] == "v1"
    assert env.reset(options={"split": "val"})[1]["split"] == "val"


def test_without_a_seed_episodes_follow_the_last_one(make):
    first, second = make(), make()
    for env in (first, second):
        env.reset(seed=5)
    assert [first.reset()[1]["seed"] for _ in range(5)] == [second.reset()[1]["seed"] for _ in range(5)]


def test_the_split_of_the_environment_is_drawn_from(make):
    env = make(split="train")
    assert {env.reset(seed=s)[1]["split"] for s in range(5)} == {"train"}


def test_chosen_fields_only(make):
    env = make(observation=["url", "axtree"])
    observation, _ = env.reset(seed=0)
    assert set(observation) == {"url", "axtree"} == set(env.observation_space)


def test_rendering_as_text(make):
    env = make(render_mode="ansi")
    env.reset(options={"task": ANSWER_TASK})
    assert task_of(ANSWER_TASK).goal in env.render() and "RootWebArea" in env.render()
    assert SkillShiftEnv("wordpress").render() is None


def test_closing_twice_is_fine(make):
    env = make()
    env.reset(seed=0)
    env.close()
    env.close()


@pytest.mark.parametrize(
    ("kwargs", "error", "text"),
    [
        ({"site": "nosite"}, TaskError, "expected one of wordpress"),
        ({"version": "v9"}, SiteNotReady, "expected one of v1, v2"),
        ({"terminate_on": "never"}, UsageError, "expected one of success, answer, got 'never'"),
        ({"budget": 0}, UsageError, "a positive number"),
        ({"budget": True}, UsageError, "a positive number"),
        ({"observation": "axtree"}, UsageError, "a sequence of field names"),
        ({"budget": "long"}, UsageError, "'task' or a positive number"),
        ({"observation": ["axtree", "dom"]}, UsageError, "no field 'dom'"),
        ({"browser": "lynx"}, UsageError, "expected one of dom"),
        ({"split": "test"}, TaskError, "expected one of bench, train, val"),
        ({"render_mode": "human"}, UsageError, "ansi"),
    ],
)
def test_wrong_arguments(kwargs, error, text):
    with pytest.raises(error, match=text):
        SkillShiftEnv(**{"site": "wordpress", **kwargs})


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"task": "wordpress.999"}, TaskError, "no task 'wordpress.999'"),
        ({"task": "wordpress.1#9999"}, TaskError, "instances 0 to"),
        ({"task": "magento.1"}, TaskError, "magento.1"),
        ({"task": "wordpress.3#²"}, TaskError, "expected an id such as"),
        ({"task": 7}, TaskError, "no task 7"),
        ({"task": "wordpress.3", "split": "val"}, TaskError, "of split bench, not 'val'"),
        ({"split": "holdout"}, TaskError, "holdout"),
        ({"version": "v3"}, SiteNotReady, "v3"),
        ({"taks": "wordpress.1"}, UsageError, "'taks'"),
    ],
)
def test_wrong_options(make, options, error, text):
    with pytest.raises(error, match=text):
        make().reset(options=options)
