import re
from collections import Counter

import pytest

from skillshift_gym.evaluation.verify import verify_task
from skillshift_gym.keyed import shuffled
from skillshift_gym.registration import make_cell
from skillshift_gym.tasks.checks import MATCHERS
from skillshift_gym.tasks.magento import data, steps
from skillshift_gym.tasks.oracle import resolve
from skillshift_gym.tasks.registry import families, oracle_length, task_ids, task_of

FAMILIES = families("magento")
KINDS = {  # kind: (families, checks), as the published index counts them; a page check stands for program_html
    "best-selling product, brand or type of a period": (4, "answer"),
    "number of reviews that mention a term": (5, "answer"),
    "top n search terms": (3, "answer"),
    "customer with the n-th most completed orders": (3, "answer"),
    "number of reviews in a status": (3, "answer"),
    "monthly counts of successful orders": (5, "answer"),
    "items sold in the most recent orders": (4, "answer"),
    "show all customers": (1, "url"),
    "attributes of the products that have some units left": (3, "answer"),
    "total paid in the last orders of a status": (5, "answer"),
    "an attribute of the newest or oldest order in a status": (6, "answer"),
    "customer name and e-mail by phone number": (5, "answer"),
    "the customer with the most cancellations": (5, "answer"),
    "number of reviews in a period": (5, "answer"),
    "raise or lower the price of a product": (6, "state"),
    "change the price of all variants with an attribute": (1, "state"),
    "cancel an order by number": (5, "state"),
    "change the title of a page": (5, "state"),
    "set a product out of stock": (5, "state"),
    "change the address of an order": (5, "state"),
    "add colours or sizes to a configurable product": (5, "state"),
    "show the orders in a status": (5, "page+url"),
    "add a simple product": (5, "state+url"),
    "draft a cart price rule": (5, "state+url"),
    "reports over a relative period": (5, "page+url"),
    "reports between two dates": (5, "page+url"),
}
# Kinds with a budget of their own: their shortest way takes more than nine actions in a version.
LONG = {
    "best-selling product, brand or type of a period", "monthly counts of successful orders", "total paid in the last orders of a status",
    "the customer with the most cancellations", "customer with the n-th most completed orders", "change the price of all variants with an attribute", "add a simple product",
    "draft a cart price rule",
}  # fmt: skip
BROKEN = re.compile(r"[{}]|\bNone\b|\s\s|\s[.,?!]|\(\)|“”|,,|(?<!1)[123]th\b|\ba [aeio]\w")


@pytest.fixture(scope="module")
def envs():
    made = {version: make_cell("magento", condition) for version, condition in (("v1", "src"), ("v2", "tgt"))}
    yield made
    for env in made.values():
        env.close()


def of_kind(kind):
    return [f for f in FAMILIES if f.kind == kind]


def instances(family, split):
    return [i for i in family.instances if i.split == split]


def sample(family, key):
    """Returns up to three train and val instances of a family, by a hash of their numbers."""
    return shuffled(range(1, len(family.instances)), "sample", family.id, key)[:3]


def test_the_published_counts():
    assert Counter(f.kind for f in FAMILIES) == {kind: n for kind, (n, _) in KINDS.items()}
    assert {f.kind: f.task().check_kind for f in FAMILIES} == {kind: check for kind, (_, check) in KINDS.items()}
    checks = Counter(
        "url" if c == "url" else c.replace("page", "state") for c in (f.task().check_kind for f in FAMILIES)
    )
    assert checks == {"answer": 56, "state": 32, "state+url": 25, "url": 1}
    assert [f.id for f in FAMILIES] == [f"magento.{n}" for n in range(114)]
    assert task_of("magento.17").uid("v2") == "skillshift.magento.17.v2"


def test_every_instance_of_a_family_has_the_same_kind_of_checks():
    for family in FAMILIES:
        for number in range(len(family.instances)):
            task = family.task(number)
            assert (task.check_kind, task.budget) == (KINDS[family.kind][1], family.budget)
            assert all(getattr(check, "matcher", "list") in MATCHERS for check in task.checks)


def test_goals_read_like_sentences_and_are_all_different():
    for family in FAMILIES:
        assert len(set(family.goals)) == len(family.goals) >= 2
        tasks = [family.task(number) for number in range(len(family.instances))]
        for task in tasks:
            assert (task.goal[0].isupper() or task.goal[0] in "“‘") and task.goal[-1] in ".?!”", task.goal
            assert not BROKEN.search(task.goal), task.goal
            assert task.goal.count("“") == task.goal.count("”"), task.goal
        assert len({(t.goal, str(t.start)) for t in tasks}) == len(tasks), family.id


@pytest.mark.parametrize("kind", KINDS)
def test_bench_train_and_val_never_share_an_entity(kind):
    found = of_kind(kind)
    bench = {f.instances[0].entity for f in found}
    assert len(bench) == len(found)
    train, val = ({i.entity for f in found for i in instances(f, split)} for split in ("train", "val"))
    assert not (train & val or train & bench or val & bench)


def test_there_are_instances_to_train_on():
    counts = {f.id: (len(instances(f, "train")), len(instances(f, "val"))) for f in FAMILIES}
    assert all(train >= 2 for train, _ in counts.values()), counts
    assert len(task_ids("magento", "train")) > 2500 and len(task_ids("magento", "val")) > 700
    poor = sorted(name for name, (train, val) in counts.items() if train < 5 or val < 1)
    print("fewer than 5 train or no val instance, for want of entities:", poor)
    assert len(poor) <= 14


def test_oracles_fit_their_budget_in_both_versions():
    for family in FAMILIES:
        longest = 0
        for number, instance in enumerate(family.instances):
            for version in ("v1", "v2"):
                plan = family.oracle(instance.params, version)
                assert plan[-1].primitive == "send_msg_to_user"
                assert len(plan) == oracle_length(family.task(number), version) < family.budget + (len(plan) <= 9)
                longest = max(longest, len(plan))
        assert (longest <= 9 and family.budget == 10) or family.kind in LONG, (family.id, longest)


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("kind", KINDS)
def test_oracles_solve_a_sample_of_train_and_val(envs, kind, version):
    env = envs[version]
    for family in of_kind(kind):
        for number in sample(family, version):
            env.reset(seed=0, options={"task": f"{family.id}#{number}"})
            for step in family.oracle(family.instances[number].params, version):
                *_, terminated, truncated, info = env.step(resolve(step, env.unwrapped.page))
                assert not info["error"], (family.id, number, step)
                if terminated or truncated:
                    break
            assert info["success"], (family.id, number, info["checks"])


@pytest.mark.parametrize("kind", KINDS)
def test_near_misses_of_a_sample_fail(envs, kind):
    for family in of_kind(kind)[::3]:
        number = sample(family, "near")[0]
        assert [f for f in verify_task(envs["v1"], "src", f"{family.id}#{number}") if not f.ok] == []


def test_altered_parameters_ask_for_something_else():
    for family in FAMILIES:
        for number, instance in enumerate(family.instances):
            altered = family.altered(number)
            if altered is not None:
                for version in ("v1", "v2"):
                    other, own = (family.oracle(params, version) for params in (altered, instance.params))
                    assert other != own, (family.id, number)


SAME_WAY = {
    "number of reviews in a status",
    "number of reviews that mention a term",
}  # other words, by chance one number


def test_sums_ranks_and_counts_have_unique_answers():
    for family in of_kind("best-selling product, brand or type of a period"):
        for instance in family.instances:
            span = instance.params["span"]
            sold = Counter()
            for row in data.rows(
                "SELECT i.name, i.qty_ordered, o.created_at FROM sales_order_item i JOIN sales_order o ON o.entity_id = i.order_id "
                "WHERE o.status != 'canceled'"
            ):
                sold[row["name"]] += row["qty_ordered"] * span.holds(row["created_at"])
            (name, first), (_, second) = sold.most_common(2)
            assert name == instance.params["name"] and first > second
    orders = [o["created_at"] for o in data.orders()]
    assert len(set(orders)) == len(orders)  # the newest order of a status is one order


def test_menu_paths_lead_from_the_first_menu_of_each_version():
    assert [s.within for s in steps.menu("v1", "reports.sales")] == [
        "nav.group{Reports}", "nav.group{Reports/Sales}", "nav.open{reports.sales}",
    ]  # fmt: skip
    assert [s.within for s in steps.menu("v2", "reports.sales")] == ["nav.group{Reports}", "nav.open{reports.sales}"]
    assert [s.within for s in steps.menu("v2", "dashboard")] == ["nav.open{dashboard}"]
