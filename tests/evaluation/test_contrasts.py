"""What each shift costs within a run, and two runs beside each other."""

import pytest

from skillshift_gym.cli import main
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.comparison import compare, markdown
from skillshift_gym.evaluation.contrasts import SHIFTS, describe
from skillshift_gym.evaluation.records import RECORDS, RUN, RunInfo
from skillshift_gym.evaluation.report import build_report, write_report
from skillshift_gym.registration import CONDITIONS
from skillshift_gym.tasks.registry import task_ids

ALL = tuple(CONDITIONS)


@pytest.fixture
def run_of(tmp_path, record):
    """Writes a run; `solved` says which of the tasks (by number) each condition solves."""

    def build(name, solved, change=lambda r: r, **fields):
        info = RunInfo(**{"agent": name, "sites": ("wordpress",), "conditions": ALL} | fields)
        folder = tmp_path / name
        folder.mkdir()
        lines = []
        for condition in info.conditions:
            for number, task in enumerate(task_ids("wordpress")):
                made = change(record(number, solved(condition, number), condition, task=task, steps=2 + number % 2))
                lines += [made.model_dump_json() + "\n"] if made else []
        (folder / RUN).write_text(info.model_dump_json())
        (folder / RECORDS).write_text("".join(lines))
        return folder

    return build


def test_each_shift_is_compared_with_the_condition_without_it(run_of):
    report = build_report(run_of("a", lambda c, n: n >= 10 * ALL.index(c)))
    assert [(c.first, c.second) for c in report.contrasts] == list(SHIFTS)
    lost = [c.result.only_first for c in report.contrasts]
    assert lost == [10, 20, 30, 10, 20]  # 0, 10, 20, 30, 40 and 50 tasks lost by condition
    assert all(c.result.only_second == 0 and c.dropped == 0 for c in report.contrasts)
    assert describe(report.contrasts[3]).startswith("wordpress, tgt-perc minus tgt: -12.7 [")


def test_holm_is_over_the_contrasts_shown(run_of):
    def solved(condition, n):
        return n >= {"src-perc": 5, "src-exec": 7, "tgt-exec": 9}.get(condition, 0)

    report = build_report(run_of("a", solved))
    assert [c.result.p_value for c in report.contrasts] == [2 / 2**5, 2 / 2**7, 1.0, 1.0, 2 / 2**9]
    assert [c.holm for c in report.contrasts] == pytest.approx([3 * 2 / 2**5, 4 * 2 / 2**7, 1.0, 1.0, 5 * 2 / 2**9])
    assert describe(report.contrasts[4]).endswith("exact McNemar p = 0.004 (Holm 0.020)")


def test_contrasts_need_both_arms(run_of):
    report = build_report(run_of("a", lambda c, n: True, conditions=("tgt-exec", "tgt", "src-perc")))
    assert [(c.first, c.second) for c in report.contrasts] == [("tgt", "tgt-exec")]
    assert build_report(run_of("b", lambda c, n: True, conditions=("src-perc", "tgt-perc"))).contrasts == []


def test_dropped_tasks_are_counted_in_text_and_page(run_of):
    folder = run_of("a", lambda c, n: True, lambda r: None if (r.condition, r.task) == ("tgt", "wordpress.4") else r)
    text = write_report(folder)
    assert text.count("n = 78, 1 task not measured in both and left out") == 3  # tgt is an arm of three contrasts
    page = (folder / "report.html").read_text()
    assert page.count("<td>78</td>") == 3 and "<th>left out</th>" in page


def test_two_runs_compared_by_hand(run_of):
    a = run_of("a", lambda c, n: n < 40, conditions=("src", "tgt"))
    b = run_of(
        "b", lambda c, n: n < (46 if c == "tgt" else 40), lambda r: r.model_copy(update={"steps": r.steps + 1}),
        conditions=("src", "tgt"),
    )  # fmt: skip
    src, tgt = compare(a, b).cells
    assert (src.result.difference, src.result.p_value, src.holm) == (0.0, 1.0, 1.0)
    assert (tgt.first, tgt.second, tgt.result.only_first, tgt.result.only_second) == (40, 46, 0, 6)
    assert tgt.result.difference == pytest.approx(6 / 79)
    assert (tgt.result.p_value, tgt.holm) == (2 / 64, 4 / 64)
    assert (tgt.steps, tgt.steps_interval) == (1.0, (1.0, 1.0))
    line = next(row for row in markdown(compare(a, b)).splitlines() if row.startswith("| wordpress | tgt |"))
    assert line.startswith("| wordpress | tgt | 79 | 50.6 | 58.2 | +7.6 [") and "| 0 | 6 | 0.031 | 0.062 |" in line
    turned = compare(b, a).cells[1]
    assert turned.result.difference == -tgt.result.difference and turned.result.p_value == tgt.result.p_value


def test_tasks_without_a_measurement_are_dropped_from_both_runs(run_of):
    def lost(r):
        broken = {"status": "error", "success": False, "end": "error"}
        return r.model_copy(update=broken) if r.task in ("wordpress.1", "wordpress.2") else r

    a = run_of("a", lambda c, n: True, lost, conditions=("src",))
    b = run_of("b", lambda c, n: True, lambda r: None if r.task == "wordpress.78" else r, conditions=("src",))
    (cell,) = compare(a, b).cells
    assert (cell.result.n, cell.dropped, cell.first, cell.second) == (76, 3, 76, 76)
    assert "| 76/79, 3 dropped | 100.0 | 100.0 |" in markdown(compare(a, b))


@pytest.mark.parametrize("field", [{"budget": 20}, {"seed": 3}, {"split": "val"}, {"tasks": ("wordpress.1",)}])
def test_runs_that_differ_have_no_pairs(run_of, field):
    a, b = run_of("a", lambda c, n: True), run_of("b", lambda c, n: True, **field)
    with pytest.raises(UsageError, match=f"cannot be compared task by task: they differ in {next(iter(field))} "):
        compare(a, b)


def test_other_differences_are_noted(run_of):
    a = run_of("a", lambda c, n: True, conditions=("src", "tgt"))
    b = run_of("b", lambda c, n: True, conditions=("src", "src-perc"), version="9", browser="chromium")
    text = markdown(compare(a, b))
    assert "- browser: dom and chromium, so not only the agent differs" in text and "- version:  and 9" in text
    assert "- cells of one run alone, left out: wordpress tgt, wordpress src-perc" in text
    with pytest.raises(UsageError, match="no cell in common"):
        compare(a, run_of("c", lambda c, n: True, conditions=("tgt-exec",)))


def test_the_command_compares_two_runs(run_of, capsys):
    a, b = (run_of(name, lambda c, n: n % 2 == 0, agent_kwargs={"backbone": name}) for name in ("a", "b"))
    assert main(["report", str(a), str(b)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"a = {a}: a backbone=a\n\nb = {b}: b backbone=b\n") and out.count("| wordpress | ") == 6
    assert main(["report", str(a), str(b), str(a)]) == 2
    assert main(["report", str(a), str(b), "--receipt"]) == 2
    assert "expected one run, or two to compare" in capsys.readouterr().err
