"""The environments on Chromium: the same episodes as on the in-process browser."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from skillshift_gym import restore, snapshot
from skillshift_gym.errors import UsageError
from skillshift_gym.keyed import keyed
from skillshift_gym.registration import CONDITIONS, env_id
from skillshift_gym.tasks import registry
from skillshift_gym.tasks.oracle import resolve
from skillshift_gym.testing import check_env

SRC, TGT = "SkillShift/WordPress-Src-v0", "SkillShift/WordPress-Tgt-v0"
IDS = [env_id("wordpress", condition) for condition in CONDITIONS]
START = ["fork", "spawn", "forkserver"]


@pytest.fixture
def pair():
    """Makes an environment on each browser."""
    made = []

    def build(id_, **kwargs):
        for browser in ("dom", "chromium"):
            made.append(gymnasium.make(id_, browser=browser, disable_env_checker=True, **kwargs))
        return made[-2:]

    yield build
    for env in made:
        env.close()


def kinds():
    """Returns one bench task per kind of check."""
    found = {}
    for task in registry.task_ids("wordpress"):
        found.setdefault(tuple(sorted({c.kind for c in registry.task_of(task).checks})), task)
    return list(found.values())


def same(results):
    """Asserts that two results of `reset` or `step` are equal, and returns one."""
    ours, theirs = results
    assert ours[0].keys() == theirs[0].keys()
    for name in ours[0]:
        assert np.array_equal(ours[0][name], theirs[0][name]), name
    assert ours[1:] == theirs[1:]
    return theirs


def assert_same_page(envs):
    ours, theirs = (env.unwrapped.page for env in envs)
    for name in ("url", "title", "axtree", "element_list", "html", "focused_bid"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.snapshot.rendered == theirs.snapshot.rendered
    assert ours.document.sids == theirs.document.sids and ours.elements == theirs.elements


def steps_of(env, step):
    """Yields the actions of an oracle's step: first those that clear what blocks it."""
    while step.role and (action := env.clearing()):
        yield action
    yield resolve(step, env.page)


@pytest.mark.parametrize("id_", IDS)
def test_oracles_see_the_same_pages(pair, id_):
    envs = pair(id_)
    ours = envs[0].unwrapped
    for task in kinds():
        result = same([env.reset(seed=0, options={"task": task}) for env in envs])
        assert_same_page(envs)
        family, number = registry.family_of(task)
        for step in family.oracle(family.instances[number].params, ours.version):
            for action in steps_of(ours, step):
                result = same([env.step(action) for env in envs])
                assert_same_page(envs)
            if result[2]:
                break
        assert result[1] == 1.0 and result[2]


@pytest.mark.parametrize("id_", [SRC, TGT])
def test_random_walks_see_the_same_pages(pair, id_):
    envs = pair(id_, budget=1000, observation=("url", "axtree", "elements", "last_action_error"))
    for walk in range(3):
        same([env.reset(seed=walk) for env in envs])
        for number in range(25):
            action = wanted(envs[0].unwrapped.page, (id_, walk, number))
            if same([env.step(action) for env in envs])[2]:
                break
            assert_same_page(envs)


def wanted(page, key):
    """Returns an action, a function of page and key."""

    def choose(what, *options):
        return options[keyed(what, key) % len(options)]

    if not page.interactive:
        return choose("empty", "go_back()", "goto('/')", "tab_close()")
    element = choose("element", *page.interactive)
    if choose("kind", *range(8)) == 0:
        return choose(
            "other", "go_back()", "go_forward()", "keyboard_press('Tab')", "new_tab()", "tab_focus(0)", "tab_close()"
        )
    if element.role in ("textbox", "searchbox"):
        enter = f"press('{element.bid}', 'Enter')"
        return choose("field", f"fill('{element.bid}', 'harbour market')", enter, f"click('{element.bid}')")
    return choose("button", f"click('{element.bid}')", f"click('{element.bid}')", f"focus('{element.bid}')")


@pytest.mark.parametrize("id_", [SRC, TGT])
def test_a_comment_is_posted(pair, id_):
    envs = pair(id_, budget=50)
    same([env.reset(seed=0, options={"task": kinds()[0]}) for env in envs])
    both = lambda action: same([env.step(action) for env in envs])
    page = envs[0].unwrapped.page
    post = next(e for e in page.interactive if page.document.sids.get(int(e.bid), "").startswith("post.open"))
    both(f"click('{post.bid}')")
    both(f"click('{submit(envs)}')")
    assert both("noop()")[-1]["error"] == ""
    for field in envs[0].unwrapped.page.interactive:
        if field.tag == "textarea" or field.attrs.get("name") in ("author", "email"):
            both(f"fill('{field.bid}', {'v@example.org' if field.attrs.get('name') == 'email' else 'Hello <b>'!r})")
    before = envs[1].unwrapped.site.revision
    both(f"click('{submit(envs)}')")
    assert_same_page(envs)
    assert envs[1].unwrapped.site.revision == envs[0].unwrapped.site.revision != before
    both("go_back()")
    assert_same_page(envs)


def submit(envs):
    return next(e.bid for e in envs[0].unwrapped.page.interactive if e.attrs.get("name") == "submit")


def test_the_contract_of_the_environments():
    check_env(TGT, browser="chromium")


@pytest.mark.parametrize("id_", [SRC, TGT])
def test_a_snapshot_branches(id_):
    env = gymnasium.make(id_, browser="chromium", budget=50, disable_env_checker=True)
    env.reset(seed=3)
    for number in range(4):
        env.step(wanted(env.unwrapped.page, ("before", number)))
    saved = snapshot(env)

    def branch():
        return [
            same([result, result]) for n in range(4) for result in [env.step(wanted(env.unwrapped.page, ("after", n)))]
        ]

    first = branch()
    restore(env, saved)
    for one, other in zip(first, branch(), strict=True):
        same([one, other])
    env.close()


@pytest.mark.parametrize("context", START)
def test_vector_environments(context):
    with gymnasium.make(SRC, browser="chromium") as parent:  # a Chromium in the parent of a fork must not matter
        expected = [parent.reset(seed=seed)[0]["axtree"] for seed in (1, 2)]
        vector = gymnasium.make_vec(
            SRC, 2, vectorization_mode="async", vector_kwargs={"context": context}, browser="chromium"
        )
        observations, _ = vector.reset(seed=1)
        assert list(observations["axtree"]) == expected
        vector.step(["noop()", "scroll(0, 10)"])
        vector.close()
        assert parent.step("noop()")[-1]["error"] == ""


def test_pictures():
    env = gymnasium.make(SRC, browser="chromium", render_mode="rgb_array", disable_env_checker=True)
    env.reset(seed=0)
    picture = env.render()
    assert picture.shape == (720, 1280, 3) and picture.std() > 10
    env.close()


def test_the_in_process_browser_draws_nothing():
    with pytest.raises(UsageError, match="use browser='chromium'"):
        gymnasium.make(SRC, render_mode="rgb_array")
