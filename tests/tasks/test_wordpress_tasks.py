import re
import subprocess
import sys
from collections import Counter

import pytest

from skillshift_gym.evaluation.verify import verify_task
from skillshift_gym.keyed import shuffled
from skillshift_gym.tasks.checks import MATCHERS
from skillshift_gym.tasks.oracle import resolve
from skillshift_gym.tasks.registry import draw, families, family_of, oracle_length, task_ids, task_of
from skillshift_gym.tasks.wordpress import KINDS as KINDS_OF_THE_SITE
from skillshift_gym.tasks.wordpress import data, marks, steps

FAMILIES = families("wordpress")
KINDS = {  # kind: (families, checks), as the published index counts them
    "find the article with a given title": (8, "url"),
    "two facts of the n-th post of the homepage": (8, "answer"),
    "search a keyword, open the n-th result": (8, "url"),
    "go to a category page": (8, "url"),
    "next, previous, home, comments of the top post": (4, "url"),
    "leave a comment on a post": (8, "state"),
    "n-th entry of a section": (6, "url"),
    "go to a tag's archive": (8, "url"),
    "page of the blog feed": (5, "url"),
    "does an article have an image of something": (8, "answer"),
    "archives: a given month": (8, "url"),
}
# Families with fewer than 20 train or 5 val instances, and what there are too few of: the entities left by the bench
# instances of the kind are split by hash, one in four to val.
UNSHARED = "subcategories whose name is no tag's"
RECENT = "recent posts"
LISTED = "entries of the categories list"
FEW = {
    "wordpress.13": "pages of the feed whose fourth post has one category",
    "wordpress.25": UNSHARED,
    "wordpress.26": "main sections",
    "wordpress.27": "subcategories",
    "wordpress.28": "categories whose name is a tag's too",
    "wordpress.29": UNSHARED,
    "wordpress.35": "top posts of lists that have comments",
    "wordpress.44": RECENT,
    "wordpress.45": RECENT,
    "wordpress.48": LISTED,
    "wordpress.49": LISTED,
    "wordpress.54": "tags of the cloud whose name is a category's too",
}
# A slot left open, a value left out, a doubled or lost space, "21th", "a apple".
BROKEN = re.compile(r"[{}]|\bNone\b(?! of)|\s\s|\s[.,?!]|\(\)|“”|,,|(?<!1)[123]th\b|\ba [aeio]\w")


def of_kind(kind):
    return [f for f in FAMILIES if f.kind == kind]


def instances(family, split):
    return [i for i in family.instances if i.split == split]


def test_the_published_counts():
    assert Counter(f.kind for f in FAMILIES) == {kind: n for kind, (n, _) in KINDS.items()}
    assert {f.kind: f.task().check_kind for f in FAMILIES} == {kind: check for kind, (_, check) in KINDS.items()}
    assert Counter(f.task().check_kind for f in FAMILIES) == {"url": 55, "answer": 16, "state": 8}


def test_ids_and_uids():
    assert [f.id for f in FAMILIES] == [f"wordpress.{n}" for n in range(79)]
    assert task_ids("wordpress") == tuple(f.id for f in FAMILIES)
    assert task_of("wordpress.7").uid("v2") == "skillshift.wordpress.7.v2"
    assert task_of("skillshift.wordpress.7#3").id == "wordpress.7#3"
    everything = [t for split in ("bench", "train", "val") for t in task_ids("wordpress", split)]
    assert len(set(everything)) == len(everything) == sum(len(f.instances) for f in FAMILIES)
    assert all(
        task_of(t).split == split for split in ("bench", "train", "val") for t in task_ids("wordpress", split)[:9]
    )


def test_every_instance_of_a_family_has_the_same_kind_of_checks():
    for family in FAMILIES:
        for number in range(len(family.instances)):
            task = family.task(number)
            assert (task.check_kind, task.budget) == (KINDS[family.kind][1], 10)
            for check in task.checks:
                assert getattr(check, "matcher", "list") in MATCHERS


def test_goals_read_like_sentences():
    for family in FAMILIES:
        assert len(family.goals) >= 2 and len(set(family.goals)) == len(family.goals)
        for number in range(len(family.instances)):
            goal = family.task(number).goal
            assert goal[0].isupper() or goal[0] in "“‘", goal
            assert goal[-1] in ".?!”", goal
            assert not BROKEN.search(goal), goal
            assert len(re.findall("“", goal)) == len(re.findall("”", goal)), goal


@pytest.mark.parametrize(
    ("place", "total", "words"),
    [(0, 9, "first"), (9, 99, "tenth"), (8, 9, "last"), (7, 9, "second-to-last"), (6, 9, "third-to-last")]
    + [(n - 1, 200, f"{n}{s}") for n, s in ((11, "th"), (12, "th"), (13, "th"), (21, "st"), (22, "nd"), (33, "rd"))]
    + [(110, 200, "111th"), (0, 1, "first"), (2, 3, "third")],
)  # fmt: skip
def test_how_places_are_named(place, total, words):
    assert steps.ordinal(place, total) == words


@pytest.mark.parametrize("kind", KINDS)
def test_goals_of_a_kind_are_all_different(kind):
    bench = [f.task().goal for f in of_kind(kind)]
    if kind == "next, previous, home, comments of the top post":  # the list they start at tells them apart
        bench = [(f.task().goal, f.task().start) for f in of_kind(kind)]
    assert len(set(bench)) == len(bench)
    for family in of_kind(kind):
        tasks = [family.task(n) for n in range(len(family.instances))]
        assert len({(t.goal, t.start) for t in tasks}) == len(tasks)


@pytest.mark.parametrize("kind", KINDS)
def test_bench_train_and_val_never_share_an_entity(kind):
    found = of_kind(kind)
    bench = {f.instances[0].entity for f in found}
    assert len(bench) == len(found)
    train = {i.entity for f in found for i in instances(f, "train")}
    val = {i.entity for f in found for i in instances(f, "val")}
    assert not (train & val or train & bench or val & bench)
    for family in found:
        assert family.instances[0].split == "bench" and len(instances(family, "bench")) == 1
        entities = [i.entity for i in family.instances]
        assert len(set(entities)) == len(entities)


def test_what_bears_the_answer_is_not_shared_under_another_name():
    """An entity key must not hide that two instances have the same answer."""
    for kind in ("find the article with a given title", "go to a category page", "archives: a given month"):
        bench = {f.instances[0].params["path"] for f in of_kind(kind)}
        others = {i.params["path"] for f in of_kind(kind) for i in f.instances[1:]}
        assert not bench & others


def entities_left(kind):
    """Returns how many entities the bench instances of a kind leave to each of its families."""
    variants = KINDS_OF_THE_SITE[kind]()
    bench = {f.instances[0].entity for f in of_kind(kind)}
    return [len({marks(e)[0] for e in v.pool} - bench) for v in variants]


def test_every_family_has_enough_instances_or_too_few_entities(capsys):
    counts = {f.id: (len(instances(f, "train")), len(instances(f, "val"))) for f in FAMILIES}
    left = dict(zip(counts, (n for kind in KINDS for n in entities_left(kind)), strict=True))
    for name, (train, val) in counts.items():
        print(f"{name}: {train} train, {val} val" + (f" ({left[name]} {FEW[name]} left)" if name in FEW else ""))
        assert name not in FEW or train + val == left[name]
    assert {name for name, (train, val) in counts.items() if train < 20 or val < 5} == set(FEW)
    assert all(train + val >= 1 for train, val in counts.values())
    assert sum(t for t, _ in counts.values()) > 2000 and sum(v for _, v in counts.values()) > 500
    assert len(capsys.readouterr().out.splitlines()) == 79


def test_oracles_fit_their_budget_in_both_versions():
    for family in FAMILIES:
        for number, instance in enumerate(family.instances):
            for version in ("v1", "v2"):
                plan = family.oracle(instance.params, version)
                assert plan[-1].primitive == "send_msg_to_user"
                assert len(plan) <= 9 and len(plan) == oracle_length(family.task(number), version)


def sample(family, version):
    """Returns about three train and val instances of a family, by a hash of their numbers."""
    return shuffled(range(1, len(family.instances)), "sample", family.id, version)[:3]


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("kind", KINDS)
def test_oracles_solve_a_sample_of_train_and_val(make, kind, version):
    env = make()
    for family in of_kind(kind):
        for number in sample(family, version):
            env.reset(options={"task": f"{family.id}#{number}", "version": version})
            for step in family.oracle(family.instances[number].params, version):
                *_, terminated, truncated, info = env.step(resolve(step, env.unwrapped.page))
                assert not info["error"]
                if terminated or truncated:
                    break
            assert info["success"], (family.id, number, info["checks"])


@pytest.mark.parametrize("kind", KINDS)
def test_near_misses_of_a_sample_of_train_and_val_fail(make, kind):
    env = make()
    for family in of_kind(kind)[::3]:
        number = sample(family, "near")[0]
        wrong = [f for f in verify_task(env, "src", f"{family.id}#{number}") if not f.ok]
        assert wrong == []


def test_altered_parameters_ask_for_something_else():
    for family in FAMILIES:
        for number, instance in enumerate(family.instances):
            altered = family.altered(number)
            if altered is None:
                assert family.id == "wordpress.34"  # going home asks for nothing that could be altered
            else:
                for version in ("v1", "v2"):
                    other, own = (family.oracle(params, version) for params in (altered, instance.params))
                    assert other != own, (family.id, number)


def test_titles_and_names_that_goals_use_mean_one_thing():
    titles = Counter(p.title.casefold() for p in data.posts())
    assert all(
        titles[f.task(n).params["title"].casefold()] == 1
        for f in of_kind("find the article with a given title")
        for n in range(len(f.instances))
    )
    for terms in (data.categories(), data.tags()):
        assert len({t.name.casefold() for t in terms}) == len(terms)


def links(page, prefix):
    """Returns the ids of the links of a page whose semantic id starts so, in order, each once."""
    found = []
    for element in page.interactive:
        sid = page.document.sids.get(int(element.bid), "")
        if element.role == "link" and sid.startswith(prefix + "{"):
            found.append(sid[len(prefix) + 1 : -1])
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_nth_result_is_the_nth_on_the_page(make, version):
    env = make()
    for family in of_kind("search a keyword, open the n-th result"):
        params = family.instances[0].params
        env.reset(options={"task": family.id, "version": version})
        for step in steps.search(params["word"]):
            env.step(resolve(step, env.unwrapped.page))
        shown = links(env.unwrapped.page, "post.open")
        place = shown.index(str(params["post"].id))
        assert steps.ordinal(place, len(shown)) == params["nth"]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_nth_entry_is_the_nth_in_its_section(make, version):
    env = make()
    prefixes = {"recent posts": "recent.open", "archives": "archive.open", "categories": "category.open"}
    for family in of_kind("n-th entry of a section"):
        for number, instance in enumerate(family.instances):
            params = instance.params
            if number == 0:
                env.reset(options={"task": family.id, "version": version})
                shown = links(env.unwrapped.page, prefixes[params["section"]])
            target = params["target"]
            key = (
                target
                if isinstance(target, str)
                else getattr(target, "slug" if params["section"] == "categories" else "id")
            )
            assert shown[params["place"]] == str(key), (family.id, number)


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_nth_post_of_a_list_is_the_nth_on_the_page(make, version):
    env = make()
    for family in of_kind("two facts of the n-th post of the homepage"):
        for number in (0, *sample(family, version)):
            params = family.instances[number].params
            env.reset(options={"task": family.task(number).id, "version": version})
            shown = links(env.unwrapped.page, "post.open")
            place = shown.index(str(params["post"].id))
            named = re.search(r"the (\S+) (?:post in the list|article listed)", family.task(number).goal)
            assert steps.ordinal(place, len(shown)) == named[1]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_top_post_is_the_first_of_the_list(make, version):
    env = make()
    for family in of_kind("next, previous, home, comments of the top post"):
        for number in (0, *sample(family, version)):
            task, post = family.task(number), family.instances[number].params["post"]
            env.reset(options={"task": task.id, "version": version})
            if task.start == post.path:  # going home starts at the post itself
                assert "home page" in task.goal
            else:
                assert links(env.unwrapped.page, "post.open")[0] == str(post.id)


def test_a_website_that_the_goal_names_is_expected():
    for family in of_kind("leave a comment on a post"):
        for number in range(len(family.instances)):
            task = family.task(number)
            ((_, _, row),) = task.checks[0].expected
            url = row["author_url"]
            assert bool(url) == ("website" in task.goal) and url in task.goal
            assert all(row[c] in task.goal for c in ("content", "author_name", "author_email"))


def test_half_of_the_image_questions_are_answered_with_yes():
    found = of_kind("does an article have an image of something")
    assert Counter(f.instances[0].params["shown"] for f in found) == {True: 4, False: 4}
    for family in found:
        for instance in family.instances:
            assert (instance.params["motif"] in instance.params["post"].motifs) == instance.params["shown"]


def test_draws_by_seed_are_spread_evenly():
    for split in ("bench", "val"):
        ids = task_ids("wordpress", split)
        drawn = Counter(draw("wordpress", split, seed).id for seed in range(20 * len(ids)))
        assert set(drawn) <= set(ids) and len(drawn) == len(ids)
        expected = 20
        statistic = sum((drawn[i] - expected) ** 2 / expected for i in ids)
        assert (
            abs(statistic - len(ids)) < 5 * (2 * len(ids)) ** 0.5
        )  # chi-squared: mean n, standard deviation sqrt(2 n)


def test_instances_and_draws_are_the_same_in_another_process():
    code = (
        "from skillshift_gym.tasks.registry import *\n"
        "print([[(i.split, i.entity) for i in f.instances] for f in families('wordpress')])\n"
        "print([draw('wordpress', s, n).id for s in ('bench', 'train', 'val') for n in range(50)])\n"
    )
    other = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "123"}
    ).stdout.splitlines()
    assert other == [
        str([[(i.split, i.entity) for i in f.instances] for f in FAMILIES]),
        str([draw("wordpress", s, n).id for s in ("bench", "train", "val") for n in range(50)]),
    ]


@pytest.mark.parametrize(
    "name", ["wordpress.79", "wordpress", "nosite.1", "wordpress.1#x", "wordpress.1#-1", "wordpress.1#²", "", "#1"]
)
def test_ids_that_do_not_exist(name):
    from skillshift_gym.errors import TaskError

    with pytest.raises(TaskError, match="expected"):
        family_of(name)
