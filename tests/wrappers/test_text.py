"""The page as one text: within its budget, stable, and a good Gymnasium wrapper."""

from __future__ import annotations

import pickle
import re
import warnings

import gymnasium
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym import restore, snapshot
from skillshift_gym.errors import UsageError
from skillshift_gym.wrappers import pruning
from skillshift_gym.wrappers.pruning import costs, count_tokens, prune
from skillshift_gym.wrappers.text import MIN_TOKENS, TextObservation

IDS = ["SkillShift/WordPress-Src-v0", "SkillShift/WordPress-TgtExec-v0"]
ADDRESSES = ["/", "/about/", "/?s=fish", "/page/3/", "/contact/", "/nowhere/"]
MARKER = re.compile(r"^  \[… (\d+) nodes left out\]$")
BID = re.compile(r"^ *\[(\d+)\] (\w+)", re.MULTILINE)


def observations():
    found = []
    for id_ in IDS:
        env = gymnasium.make(id_, budget=50, disable_env_checker=True)
        env.reset(seed=0, options={"task": "wordpress.17"})
        found += [env.step(f"goto('{address}')")[0] for address in ADDRESSES]
        found.append(env.step("click('99999')")[0])
        env.close()
    return found


SEEN = observations()
ENV = gymnasium.make(IDS[0], disable_env_checker=True)


def text(observation, max_tokens=4_000, **kwargs):
    return TextObservation(ENV, max_tokens, **kwargs).observation(observation)


def nodes(page):
    return [line for line in page.split("\n") if not MARKER.match(line)]


def cut(tree, tokens):
    return pruning.cut(tree, costs(tree, count_tokens), tokens, 10**6)


def is_part(part, whole):
    """Tells whether lines are some of other lines, in the same order."""
    rest = iter(whole)
    return all(line in rest for line in part)


@given(st.sampled_from(SEEN), st.integers(MIN_TOKENS, 9_000))
@settings(deadline=None, max_examples=80)
def test_it_stays_within_its_budget_and_says_the_same_again(observation, budget):
    first = text(observation, budget)
    assert count_tokens(first) <= budget
    assert first in TextObservation(ENV, budget).observation_space
    assert text(dict(observation), budget) == first


@given(st.sampled_from(SEEN), st.integers(MIN_TOKENS, 9_000), st.integers(0, 3_000))
@settings(deadline=None, max_examples=80)
def test_more_budget_only_adds_nodes(observation, budget, more):
    head, _, page = text(observation, budget).partition("\n\n")
    larger_head, _, larger = text(observation, budget + more).partition("\n\n")
    assert is_part(nodes(page), nodes(larger))
    assert head == larger_head or budget < 600


@given(st.sampled_from(SEEN), st.integers(MIN_TOKENS, 9_000))
@settings(deadline=None, max_examples=40)
def test_markers_count_what_is_missing(observation, budget):
    page = text(observation, budget).partition("\n\n")[2]
    left_out = sum(int(m[1]) for line in page.split("\n") if (m := MARKER.match(line)))
    assert len(nodes(page)) + left_out == len(prune(observation["axtree"]).lines)


@pytest.mark.parametrize("number", range(len(SEEN)))
def test_bids_and_lines_are_those_of_the_page(number):
    observation = SEEN[number]
    shown = text(observation).partition("\n\n")[2]
    lines = {line.strip() for line in observation["axtree"].split("\n")}
    assert {line.strip() for line in nodes(shown)} <= lines
    assert BID.findall(shown)


def test_with_room_for_all_it_is_the_whole_pruned_tree():
    page = text(SEEN[0], 20_000).partition("\n\n")[2]
    assert page == "\n".join(prune(SEEN[0]["axtree"]).lines)
    controls = re.compile(r"\[(\d+)\] (?:link|button|searchbox|textbox|combobox|checkbox)")
    assert set(controls.findall(page)) == set(controls.findall(SEEN[0]["axtree"]))


LINES = st.lists(
    st.tuples(
        st.integers(0, 6),
        st.sampled_from(
            ["StaticText 'some words'", "StaticText '/'", "[7] link 'Go'", "[7] list", "[7] listitem", "[7] main",
             "[7] button 'Push', pressed", "[7] dialog 'Wait'", "[7] heading 'Title', level=2", "[7] complementary",
             "[7] article", "[cut: 3 of 5 lines shown]", "漢字 🙂", ""]
        ),
    ),
    max_size=40,
)  # fmt: skip


@given(LINES, st.integers(0, 200), st.integers(0, 60))
@settings(deadline=None, max_examples=200)
def test_any_tree_can_be_cut(lines, budget, more):
    tree = prune("\n".join(["RootWebArea 'A page'", *("  " * depth + line for depth, line in lines)]))
    small, kept = cut(tree, budget)
    larger, kept_more = cut(tree, budget + more)
    assert kept <= kept_more and is_part(nodes(small) if kept else [], nodes(larger))
    assert kept == 0 or count_tokens(small) <= budget


def test_no_single_token_more_keeps_less():
    for axtree in (
        SEEN[0]["axtree"],
        "RootWebArea 'x'" + "\n  [1] main\n    [2] link 'A'\n  [3] search 'S'\n    StaticText 'b'" * 4,
    ):
        tree = prune(axtree)
        kept = [cut(tree, budget)[1] for budget in range(20, 700)]
        assert kept == sorted(kept)
        assert all(count_tokens(cut(tree, budget)[0]) <= budget for budget in range(20, 700, 7))


def test_a_change_of_the_page_moves_only_the_cut():
    before = SEEN[0]["axtree"].split("\n")
    at = next(i for i, line in enumerate(before) if "] main" in line)
    after = [
        *before[: at + 1],
        "    [5001] heading 'A new post', level=2",
        "      [5002] link 'A new post'",
        *before[at + 1 :],
    ]
    old, new = prune("\n".join(before)), prune("\n".join(after))
    for budget in (400, 900, 1_500, 2_500):
        kept = cut(old, budget)[1]
        kept_now = {new.lines[i] for i in new.order[: cut(new, budget)[1]]}
        lost = [i for i in old.order[:kept] if old.lines[i] not in kept_now]
        assert tuple(lost) == old.order[kept - len(lost) : kept]
        assert len(lost) <= 6


def test_a_dialog_outlives_everything_else_and_controls_the_rest():
    blocked = next(o for o in SEEN if "] dialog" in o["axtree"])
    page = text(blocked, MIN_TOKENS)
    assert "dialog" in page and "button" in page.partition("] dialog")[2]
    ranks = [prune(blocked["axtree"]).lines[i] for i in prune(blocked["axtree"]).order]
    last_search = max(i for i, line in enumerate(ranks) if "searchbox" in line)
    assert all("StaticText" not in line for line in ranks[6:last_search])


def test_the_main_content_is_kept_before_sidebars():
    post = next(o for o in SEEN if "/about/" in o["url"])
    page = text(post, 2_500)
    main = post["axtree"].partition("] main")[2].partition("complementary")[0]
    texts = [t for t in re.findall(r"StaticText '[^'\n]{20,}'", main)]
    assert texts and all(t in page for t in texts)


def test_wrappers_of_one_node_collapse_and_signs_alone_go():
    tree = prune(
        "RootWebArea 'x'\n  [1] list\n    [2] listitem\n      [3] link 'A'\n    [4] listitem\n      [5] link 'B'\n"
        "      StaticText '/'\n    [6] listitem\n  [7] list 'Named'\n  [8] group\n    [9] list\n      [10] listitem"
    )
    assert tree.lines == ("RootWebArea 'x'", "  [1] list", "    [3] link 'A'", "    [5] link 'B'", "  [7] list 'Named'")


def test_what_the_header_says():
    env = TextObservation(gymnasium.make(IDS[0], disable_env_checker=True))
    first, _ = env.reset(seed=0, options={"task": "wordpress.17"})
    assert first.startswith("Goal: Search the blog for “warden” and open the second result.\nPage: Port Ansel Almanac")
    assert "\nSteps left: 10\n\nRootWebArea" in first and "Error" not in first and "Tabs" not in first
    second = env.step("click('9999')")[0]
    assert "\nSteps left: 9\nLast action: click('9999')\nError: missing: there is no element" in second
    assert "\nTabs: 2 open, tab 1 is shown\n" in env.step("new_tab()")[0]
    assert len(env.step("fill('1', '" + "word " * 1_900 + "')")[0]) < 30_000
    env.close()


def test_the_actions_come_first_when_asked_for_and_count():
    page = text(SEEN[0], 1_500, actions_help=True)
    assert page.startswith("Actions:\nclick(bid: str") and count_tokens(page) <= 1_500
    with pytest.raises(UsageError, match=r"expected at least \d+ with actions_help, got 400"):
        TextObservation(ENV, 400, actions_help=True)


@pytest.mark.parametrize("id_", IDS)
def test_gymnasiums_checker_passes(id_):
    env = TextObservation(gymnasium.make(id_, disable_env_checker=True))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is different from the unwrapped version.*")
        check_env(env, skip_render_check=True)
    env.close()


@pytest.mark.parametrize("id_", IDS)
def test_a_spec_rebuilds_it(id_):
    counter = "skillshift_gym.wrappers.pruning:count_tokens"
    env = TextObservation(gymnasium.make(id_, disable_env_checker=True), 900, count_tokens=counter)
    expected = run(env)
    for spec in (env.spec, EnvSpec.from_json(env.spec.to_json()), pickle.loads(pickle.dumps(env.spec))):
        again = gymnasium.make(spec)
        assert isinstance(again, TextObservation) and run(again) == expected
        assert again.spec.additional_wrappers[-1] == env.spec.additional_wrappers[-1]
        again.close()
    env.close()


def run(env):
    return [env.reset(seed=3)[0], *(env.step(action)[0] for action in ("noop()", "goto('/about/')", "go_back()"))]


def test_a_snapshot_brings_the_text_back():
    env = TextObservation(gymnasium.make(IDS[1], disable_env_checker=True))
    env.reset(seed=0)
    saved = snapshot(env)
    first = [env.step(a)[0] for a in ("goto('/about/')", "noop()")]
    restore(env, saved)
    assert [env.step(a)[0] for a in ("goto('/about/')", "noop()")] == first
    env.close()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_it_works_in_vector_environments(mode):
    env = gymnasium.make_vec(IDS[0], 2, vectorization_mode=mode, wrappers=[TextObservation])
    try:
        texts, _ = env.reset(seed=0)
        assert texts in env.observation_space and texts[0] != texts[1]
        assert "Last action: noop()" in env.step(("noop()", "noop()"))[0][1]
    finally:
        env.close()


def heavy(page):
    """A count that is more for the whole than for its lines."""
    return len(page.split()) + len(page) // 40


def test_your_own_count_is_kept_even_when_it_does_not_add_up():
    for budget in (300, 700, 1_500):
        assert heavy(text(SEEN[0], budget, count_tokens=heavy)) <= budget
    small, large = (text(SEEN[0], b, count_tokens=heavy).partition("\n\n")[2] for b in (700, 800))
    assert is_part(nodes(small), nodes(large))


def test_a_function_has_no_json_and_says_what_to_give():
    env = TextObservation(gymnasium.make(IDS[0], disable_env_checker=True), count_tokens=heavy)
    with pytest.raises(UsageError, match="count_tokens='module:function'"):
        env.spec.to_json()
    assert isinstance(gymnasium.make(env.spec), TextObservation)
    env.close()


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"max_tokens": 299}, "max_tokens: expected a whole number of at least 300, got 299"),
        ({"max_tokens": True}, "got True"),
        ({"max_tokens": 1e4}, "got 10000.0"),
        ({"count_tokens": "tokens"}, "expected a function or 'module:function', got 'tokens'"),
        ({"count_tokens": "no.such:f"}, "got 'no.such:f'"),
        ({"count_tokens": "math:pi"}, "'math:pi' cannot be called"),
    ],
)
def test_wrong_arguments(kwargs, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        TextObservation(ENV, **kwargs)


def test_missing_fields_are_named():
    env = gymnasium.make(IDS[0], observation=["goal", "url", "axtree"], disable_env_checker=True)
    with pytest.raises(UsageError, match=r"'title' is missing from axtree, goal, url; name it in gymnasium.make"):
        TextObservation(env)
    with pytest.raises(UsageError, match=r"'goal' is missing from WebText"):
        TextObservation(TextObservation(ENV))


def test_a_count_that_no_header_satisfies():
    with pytest.raises(UsageError, match="expected the bare header to take 300 tokens"):
        text(SEEN[0], 300, count_tokens=lambda page: 10**6 if page.strip() else 0)
