"""The tables of a study: from records alone, with denominators, pairs and the rules for what is undefined."""

from __future__ import annotations

from shutil import copyfile

import pytest

from skillshift_gym.evaluation import banks
from skillshift_gym.evaluation.records import RECORDS, RunInfo
from skillshift_gym.evaluation.study import arms
from skillshift_gym.evaluation.study.running import Study
from skillshift_gym.evaluation.study.tables import (
    Rows,
    advantage_table,
    advantages,
    against,
    kept_table,
    library_table,
    methods_table,
    published_block,
    relearning_table,
    true_failures,
)

SITES = ["wordpress"]


@pytest.fixture
def rows(record):
    def build(name, successes, condition="src", **fields):
        return Rows(name, [record(n, bool(s), condition, **fields) for n, s in enumerate(successes)])

    return build


def cell(table, arm, place):
    return next(line for line in table.splitlines() if line.startswith(f"| {arm} ")).split(" | ")[place]


def test_a_cell_is_its_own_tasks_and_an_empty_one_is_null(rows):
    table = methods_table([rows("asi", [1, 1, 0, 0])], SITES)
    line = next(x for x in table.splitlines() if x.startswith("| asi | wordpress | 50.0"))
    assert line.count("null") == 5
    assert line.endswith("| 50.0 |")


def test_a_method_without_skills_has_no_calls_to_rate(rows):
    awm = rows("awm", [1, 0], skill_calls=None, skill_failures=None)
    assert true_failures(awm.records).value is None
    table = methods_table([awm], SITES)
    assert table.split("### ASC")[1].split("###")[0].count("null") == 7


def test_true_failures_are_out_of_the_same_calls(rows):
    made = rows("asi", [1, 1], skill_calls=4, skill_failures=1, skill_failures_true=3)
    assert true_failures(made.records).value == 75.0
    assert true_failures(made.records).n == 8


def test_errors_are_no_measurements(rows, record):
    made = rows("asi", [1, 0])
    with_error = Rows("asi", [*made.records, record(7, False, status="error", end="error")])
    assert methods_table([with_error], SITES) == methods_table([made], SITES)


def test_differences_are_paired_task_by_task(rows):
    base, arm = rows("prior", [1, 1, 0, 0, 0]), rows("mpcr", [1, 0, 1, 1, 0])
    line = against(base, [arm], SITES, ["src"]).splitlines()[2]
    assert "| +20.0 [" in line
    assert "| 1 / 2 |" in line
    assert line.endswith("| 5 |")


def test_the_advantage_counts_failures_of_the_base_less_those_of_the_arm(rows):
    base, arm = rows("prior", [1, 1, 0, 0, 0]), rows("mpcr", [1, 0, 1, 1, 0])
    assert advantages(base, arm, SITES, ["src"]) == [0, -1, 1, 1, 0]
    assert cell(advantage_table(base, [arm], SITES), "mpcr", 1).startswith("+1 [")
    assert cell(advantage_table(base, [arm], SITES), "mpcr", 2) == "null (no pair)"


def test_an_arm_that_was_not_run_on_a_task_gives_no_pair(rows):
    base, arm = rows("prior", [1, 1, 0]), rows("mpcr", [0])
    assert advantages(base, arm, SITES, ["src"]) == [-1]


def test_what_is_kept_is_out_of_what_was_solved_at_the_source(rows):
    made = Rows("asi", [*rows("asi", [1, 1, 1, 0]).records, *rows("asi", [1, 0, 0, 0], "src-exec").records])
    assert cell(kept_table([made], SITES), "asi", 2) == "33 % (1/3)"
    assert cell(kept_table([rows("asi", [0])], SITES), "asi", 1) == "null"


def test_probes_are_counted_a_step(rows):
    table = library_table(rows("prior", [1]), [rows("mpcr", [1, 0], agent={"probes": 6})], SITES)
    assert cell(table, "mpcr", 11).strip(" |") == "2.00"
    assert cell(table, "prior", 11).strip(" |") == "0.00"


def test_relearning_breaks_even_when_its_actions_are_repaid(rows):
    base, arm = rows("frozen", [0, 0, 1, 1], "tgt", steps=5), rows("relearned", [1, 0, 1, 1], "tgt", steps=5)
    table = relearning_table([base, arm], {"relearned": (10, 50)}, SITES, ["tgt"])
    assert cell(table, "relearned", 2) == "10, 50"
    assert cell(table, "relearned", 3).strip(" |") == "40"  # 50 / (0.25 * 5)
    worse = relearning_table([base, rows("relearned", [0, 0, 0, 1], "tgt")], {"relearned": (10, 50)}, SITES, ["tgt"])
    assert cell(worse, "relearned", 3).strip(" |") == "never (no gain)"


def test_published_numbers_stand_apart_and_say_so():
    assert "not comparable in level" in published_block()
    assert published_block().count("| ") > 40


def test_arms_have_distinct_names_and_one_frozen_library():
    every = [*arms.methods("heldout"), *arms.methods("published"), *arms.reranking()[1:]]
    assert len({arm.name for arm in every}) == len(every)
    assert {arm.bank for arm in arms.reranking()} == {arms.FROZEN}
    assert {arm.bank.condition for arm in arms.relearning()} == {"src", "tgt"}


def test_a_study_learns_a_bank_before_it_runs_and_says_what_it_cost(tmp_path):
    learned = []

    def learn(plan, site, folder):
        learned.append((plan.name, site, folder.name))

    said = {
        "wordpress": {
            "episodes": 7,
            "steps": 30,
            "funnel": {"solved": 5},
            "rejected": {},
            "skills": 3,
            "hash": "ab" * 32,
        }
    }
    study = Study(tmp_path, SITES, learn, lambda folder: said)
    target = arms.relearning()[2]
    assert study.costs([arms.PRIOR, target]) == {target.name: (7, 30)}
    assert study.info(arms.REFERENCE) == RunInfo(
        agent="executor", sites=("wordpress",), conditions=study.info(arms.REFERENCE).conditions, version=study.info(arms.REFERENCE).version
    )  # fmt: skip
    assert "| asi-tgt-heldout-1 | wordpress | 7, 30 | solved 5 | none | 3 | `abababababab` |" in study.accounts(
        [target]
    )
    assert learned[0] == ("asi-tgt-heldout-1", "wordpress", "asi-tgt-heldout-1")
    assert study.sizes() == "n = 79 (wordpress) a cell."


def test_a_recorded_study_counts_its_skill_calls_again(tmp_path):
    def learn(plan, site, folder):
        folder.mkdir(parents=True, exist_ok=True)
        copyfile(banks.file_of(plan.method, site), folder / f"{site}.jsonl")

    study = Study(tmp_path, SITES, learn, lambda folder: {}, workers=0, record=True)
    made = study.rows(arms.PRIOR, ["src"])
    assert sum(r.codes.get("ok", 0) for r in made.records) > 10
    assert study.recount() == {arms.PRIOR.name: []}
    file = tmp_path / "runs" / "asi-heldout-src" / RECORDS
    file.write_text(file.read_text().replace('"codes": {"ok": 1}', '"codes": {"blocked": 1}', 1))
    assert study.recount()[arms.PRIOR.name] == [
        "wordpress src, ok (observed): 38 in the records, 39 in the trajectories",
        "wordpress src, blocked (observed): 1 in the records, 0 in the trajectories",
    ]
