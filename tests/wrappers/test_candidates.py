from __future__ import annotations

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env, data_equivalence
from hypothesis import given, settings
from hypothesis import strategies as st

from skillshift_gym import restore, snapshot
from skillshift_gym.candidates import candidates
from skillshift_gym.context import PAST_STATE, STATE, Context, Memory
from skillshift_gym.errors import UsageError
from skillshift_gym.features import FEATURES, PAST, state, vectors
from skillshift_gym.reading import Reading
from skillshift_gym.registration import CONDITIONS, SITES, env_id
from skillshift_gym.tasks.oracle import resolve
from skillshift_gym.tasks.registry import family_of
from skillshift_gym.wrappers.candidates import CandidateActions
from skillshift_gym.wrappers.scene import scene_of

IDS = [env_id(site, condition) for site in SITES for condition in CONDITIONS]
BLOG = """<!DOCTYPE html><html><head><title>B</title></head><body><main><h1>Posts</h1>
<article><h2><a href="/a/">Alpha</a></h2><p>May 4, 2024</p></article>
<article><h2><a href="/b/">Beta</a></h2><p>May 5, 2024</p></article>
<article><h2><a href="/c/">Gamma</a></h2><p>May 6, 2024</p></article></main>
<aside><h2>Topics</h2><ul><li><a href="/t/x/">Xylophones</a></li><li><a href="/t/y/">Yachts</a></li></ul></aside>
<form action="/find"><input type="search" name="q" aria-label="Search"><button>Search</button></form></body></html>"""


def view(id_=IDS[0], n=128, **kwargs):
    env = gymnasium.make(id_, observation=CandidateActions.FIELDS, disable_env_checker=True, **kwargs)
    return CandidateActions(env, n=n)


def play(env, seed, steps=6):
    """Returns what an episode of seeded random choices shows."""
    random = np.random.default_rng(seed)
    results = [env.reset(seed=seed)]
    for _ in range(steps):
        results.append(env.step(int(random.choice(np.flatnonzero(env.action_masks())))))
        if results[-1][2] or results[-1][3]:
            break
    return results


@pytest.fixture(scope="module")
def env():
    made = view()
    yield made
    made.close()


@pytest.mark.parametrize("id_", IDS)
def test_gymnasiums_checker_passes(id_):
    env = CandidateActions(gymnasium.make(id_, disable_env_checker=True))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is different from the unwrapped version.*")
        check_env(env, skip_render_check=True)
    env.close()


@pytest.mark.parametrize("id_", IDS)
def test_a_spec_rebuilds_the_view(id_):
    env = view(id_, n=40, budget=4)
    expected = play(env, 3)
    for spec in (env.spec, EnvSpec.from_json(env.spec.to_json()), pickle.loads(pickle.dumps(env.spec))):
        again = gymnasium.make(spec)
        assert again.action_space.n == 40
        assert data_equivalence(play(again, 3), expected)
        again.close()
    env.close()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vector_environments(mode):
    make = [lambda: view(IDS[0], n=64)] * 2
    vector = {"sync": gymnasium.vector.SyncVectorEnv, "async": gymnasium.vector.AsyncVectorEnv}[mode](make)
    try:
        observations, infos = vector.reset(seed=0)
        assert observations in vector.observation_space
        masks = np.stack(vector.call("action_masks"))
        assert masks.dtype == bool and (masks == observations["mask"]).all()
        observations, _, _, _, infos = vector.step(np.array([0, 1]))
        assert observations in vector.observation_space and infos["error"].tolist() == ["", ""]
    finally:
        vector.close()


@pytest.mark.parametrize("id_", [i for i in IDS if "Exec" in i or "SrcPerc" in i])
def test_a_restored_view_goes_on_as_before(id_):
    env = view(id_)
    env.reset(seed=5)
    env.step(3)
    saved = snapshot(env)
    choices = [4, 0, 127, 9]
    first = [env.step(c) for c in choices]
    restore(env, saved)
    assert data_equivalence([env.step(c) for c in choices], first)
    env.close()


def test_equal_seeds_and_choices_give_equal_episodes():
    first, second = view(), view()
    assert data_equivalence(play(first, 7), play(second, 7))
    first.close(), second.close()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), choices=st.lists(st.integers(0, 127), min_size=1, max_size=5))
def test_index_mask_info_and_features_agree(env, seed, choices):
    observation, info = env.reset(seed=seed)
    for choice in choices:
        count = len(info["candidates"])
        assert observation in env.observation_space
        assert observation["mask"].tolist() == [1] * count + [0] * (128 - count)
        assert (env.action_masks() == info["mask"]).all() and info["mask"].sum() == count
        assert not observation["candidates"][count:].any()
        assert len(set(info["candidates"])) == count
        offered = info["candidates"]
        observation, _, terminated, truncated, info = env.step(choice)
        if choice < count:
            assert env.unwrapped._episode.last_action == info["action"] == offered[choice]
        else:
            assert info["error"] == "malformed" and str(count) in info["action"]
        if terminated or truncated:
            return


@pytest.mark.parametrize("choice", [127, -1, 10**9, "1", None, 1.5, np.array([1, 2])])
def test_a_choice_without_a_candidate_is_an_error_that_costs_a_step(env, choice):
    env.reset(seed=0, options={"task": "wordpress.24"})
    small = CandidateActions(env.env, n=500)
    small.reset(seed=0, options={"task": "wordpress.24"})
    observation, reward, terminated, truncated, info = small.step(
        499 if isinstance(choice, int) and choice == 127 else choice
    )
    assert info["error"] == "malformed" and info["steps"] == 1 and reward == 0.0
    assert observation["state"][list(STATE).index("failed")] == 1.0
    assert not terminated and not truncated


def test_numpy_integers_are_choices(env):
    _, info = env.reset(seed=0)
    assert env.step(np.int64(2))[4]["action"] == info["candidates"][2]
    assert env.step(np.array(2))[4]["error"] == ""


def test_masked_choice_is_reachable_through_outer_wrappers():
    outer = gymnasium.wrappers.RecordEpisodeStatistics(view())
    outer.reset(seed=0)
    assert outer.get_wrapper_attr("action_masks")().dtype == bool
    outer.close()


def test_arrays_of_an_observation_are_its_own(env):
    first, _ = env.reset(seed=0)
    kept = {key: value.copy() for key, value in first.items()}
    for value in first.values():
        value[:] = 0
    again, _ = env.reset(seed=0)
    assert data_equivalence(again, kept)


def test_what_was_done_shows(env):
    observation, info = env.reset(seed=0, options={"task": "wordpress.0"})
    index = info["candidates"].index("noop()")
    observation, *_, info = env.step(index)
    tried = observation["candidates"][:, list(FEATURES).index("tried")]
    assert tried[info["candidates"].index("noop()")] == 1.0 and tried.sum() == 1.0
    assert observation["state"][list(STATE).index("progress")] == np.float32(0.1)


def test_an_oracle_plays_through_the_view(env):
    _, info = env.reset(seed=0, options={"task": "wordpress.36"})
    family, number = family_of("wordpress.36")
    for step in family.oracle(family.instances[number].params, "v1"):
        index = info["candidates"].index(resolve(step, env.unwrapped.page))
        _, reward, terminated, _, info = env.step(index)
        if terminated:
            break
    assert terminated and info["success"] and reward == 1.0


def test_candidates_keep_document_order_and_the_cut_leaves_out_unrelated_clicks(page_of):
    page = page_of(BLOG)
    goal = "Find the article “Beta” and open it, then go to Yachts."
    everything = scene_of(goal, page.axtree, page.element_list, Memory().phase(goal), 100)
    cut = scene_of(goal, page.axtree, page.element_list, Memory().phase(goal), len(everything.actions) - 3)
    left_out = [c.name for c in everything.candidates if c not in cut.candidates]
    assert cut.cut == 3 and everything.cut == 0
    assert {"Gamma", "Xylophones", "Search"} == set(left_out)
    assert list(cut.actions) == [a for a in everything.actions if a in cut.actions]
    bids = [int(c.bid) for c in everything.candidates if c.bid]
    assert bids == sorted(bids)


@settings(max_examples=30, deadline=None)
@given(
    goal=st.text(alphabet="abcAB “”’'19 @.,-?", max_size=40) | st.sampled_from(["Open page 2.", "Does it show a cat?"]),
    entered=st.sets(st.sampled_from(["Beta", "x"])), opened=st.booleans(), failed=st.booleans(), actions=st.integers(0, 30),
)  # fmt: skip
def test_features_and_state_are_numbers_between_0_and_1(blog, goal, entered, opened, failed, actions):
    memory = Memory({("u", str(i)) for i in range(actions)}, {"https://fake.test/a/"}, opened, entered, failed)
    context = Context(goal, "https://fake.test/", blog, memory)
    found = candidates(goal, blog)
    for array in (vectors(found, context), state(context)):
        assert array.dtype == np.float32 and array.min() >= 0.0 and array.max() <= 1.0


@settings(max_examples=30, deadline=None)
@given(entered=st.sets(st.sampled_from(["Beta", "x", "Yachts"])), opened=st.booleans(), failed=st.booleans())
def test_only_features_of_the_past_depend_on_more_than_the_phase(blog, entered, opened, failed):
    goal = "Search for “Beta” and open the second result, then Yachts."
    memory = Memory({("https://fake.test/", "noop()")}, {"https://fake.test/a/"}, opened, entered, failed)
    places, known = memory.phase(goal)
    plain = Memory(places=places, entered=set(known))
    found = candidates(goal, blog)
    rest = [name for name in FEATURES if name not in PAST]
    numbers = [name for name in STATE if name not in PAST_STATE]
    contexts = [Context(goal, url, blog, m) for url, m in (("https://fake.test/", memory), ("", plain))]
    assert (vectors(found, contexts[0], rest) == vectors(found, contexts[1], rest)).all()
    assert (state(contexts[0], numbers) == state(contexts[1], numbers)).all()


@settings(max_examples=20, deadline=None)
@given(order=st.permutations(range(8)))
def test_features_are_chosen_by_name(blog, order):
    goal = "Find the article “Beta”."
    context, found = Context(goal, "", blog, Memory()), candidates(goal, blog)
    names = [list(FEATURES)[i] for i in order]
    full = vectors(found, context)
    assert (vectors(found, context, names) == full[:, [list(FEATURES).index(n) for n in names]]).all()


@pytest.fixture(scope="module")
def blog():
    from skillshift_gym.browsers.dom import DomBrowser
    from skillshift_gym.testing import FakeSite

    site = FakeSite({"/": BLOG})
    browser = DomBrowser()
    browser.reset(site)
    browser.goto(f"{site.origin}/")
    return Reading(browser.page().axtree, browser.page().element_list)


def test_no_step_before_reset():
    env = view()
    for call in (env.action_masks, lambda: env.step(0)):
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            call()
    env.close()


@pytest.mark.parametrize("n", [0, 1, -3, 2.5, "8", True])
def test_n_is_a_whole_number(n):
    inner = gymnasium.make(IDS[0], disable_env_checker=True)
    with pytest.raises(UsageError, match="expected a whole number of at least 2"):
        CandidateActions(inner, n=n)
    inner.close()


def test_missing_fields_are_named():
    inner = gymnasium.make(IDS[0], observation=["goal", "url"], disable_env_checker=True)
    with pytest.raises(UsageError, match="found no 'axtree'; make the environment with observation="):
        CandidateActions(inner)
    inner.close()
