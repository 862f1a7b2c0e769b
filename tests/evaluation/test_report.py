import json
import re

import html5lib
import pytest

from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.metrics import measure
from skillshift_gym.evaluation.records import RECORDS, RUN, RunInfo, append_record, read_records
from skillshift_gym.evaluation.report import HTML, MARKDOWN, build_report, count, html, markdown, write_report
from skillshift_gym.tasks.registry import task_ids, task_of

HOSTILE = "</td></table><script src='https://evil.example/x.js'></script><img src=x onerror=alert(1)> & “quoted” 'x'"


@pytest.fixture
def run_of(tmp_path, record):
    """Writes a run of the whole bench split in two conditions; `change` edits single records."""

    def build(change=lambda r: r, info=None):
        info = info or RunInfo(agent="reference", sites=("wordpress",), conditions=("src", "tgt"), version="0.1")
        (tmp_path / RUN).write_text(info.model_dump_json())
        (tmp_path / RECORDS).write_text("")
        for condition in info.conditions:
            for number, task in enumerate(info.tasks or task_ids("wordpress")):
                solved = number % 3 != 0 if condition == "src" else number % 2 == 0
                made = record(number, solved, condition, kind=task_of(task).kind, task=task, steps=1 + number % 7)
                changed = change(made)
                if changed is not None:
                    append_record(tmp_path, changed)
        return tmp_path

    return build


def cells(line):
    return [c.strip() for c in line.strip("|").split("|")]


def table(text):
    """Returns the first table of a Markdown text as (site, condition) -> column -> text."""
    lines = [line for line in text.split("\n\n")[1].splitlines() if line.startswith("|")]
    head = cells(lines[0])
    return {tuple(cells(line)[:2]): dict(zip(head, cells(line), strict=True)) for line in lines[2:]}


def test_the_table_shows_the_metrics(run_of):
    folder = run_of()
    shown = table(write_report(folder))
    for condition in ("src", "tgt"):
        cell = measure([r for r in read_records(folder) if r.condition == condition])
        row = shown["wordpress", condition]
        assert row["n"] == "79"
        assert row["SR %"] == f"{cell.sr.value:.1f} [{cell.sr.interval.low:.1f}, {cell.sr.interval.high:.1f}]"
        assert row["AS"].startswith(f"{cell.steps.value:.2f} [") and row["ASC"] == "0.00 [0.00, 0.00]"
        assert row["SFR %"] == "null"
    assert shown["macro mean", ""]["SR %"] == f"{(100 * 52 / 79 + 100 * 40 / 79) / 2:.1f} (2 cells)"
    assert shown["macro mean", ""]["SFR %"] == "null (0 cells)"


def test_a_single_cell_has_no_macro_mean(run_of):
    info = RunInfo(agent="reference", sites=("wordpress",), conditions=("src",))
    assert "| macro mean" not in write_report(run_of(info=info))


def test_a_null_has_its_reason_and_a_rate_its_calls(run_of):
    text = write_report(run_of())
    assert "- SFR: no skill was called (wordpress src, wordpress tgt)" in text

    def called(r):
        return r.model_copy(update={"skill_calls": int(r.condition == "src"), "skill_failures": 0})

    text = write_report(run_of(called))
    assert table(text)["wordpress", "src"]["SFR %"] == "0.0 [0.0, 0.0] of 79 calls"
    assert "- SFR: no skill was called (wordpress tgt)" in text

    text = write_report(run_of(lambda r: r.model_copy(update={"skill_calls": None, "skill_failures": None})))
    assert "- ASC: the method has no executable skills" in text and "- SFR: the method has no executable" in text


def test_few_calls_are_flagged(run_of):
    text = write_report(run_of(lambda r: r.model_copy(update={"skill_calls": int(r.task == "wordpress.3")})))
    assert "- SFR: fewer than 30 calls (wordpress src, wordpress tgt)" in text
    assert "0.0 [0.0, 0.0] of 1 call |" in text


def as_errors(*tasks, condition="tgt"):
    def change(r):
        if r.task in tasks and r.condition == condition:
            return r.model_copy(update={"status": "error", "end": "error", "success": False})
        return r

    return change


def test_a_cell_with_errors_shows_its_denominator(run_of):
    folder = run_of(as_errors("wordpress.0", "wordpress.2"))
    text = write_report(folder)
    assert table(text)["wordpress", "tgt"]["n"] == "77/79, 2 errors"
    assert "n = 77, 2 tasks not measured in both and left out" in text
    assert ">77/79, 2 errors<" in (folder / HTML).read_text()
    text = write_report(run_of(as_errors("wordpress.0")))
    assert table(text)["wordpress", "tgt"]["n"] == "78/79, 1 error"
    assert "1 task not measured in both and left out" in text


def test_a_run_that_is_not_finished_says_so(run_of):
    folder = run_of(lambda r: r if r.condition == "src" and r.task != "wordpress.5" else None)
    shown = table(write_report(folder))
    assert shown["wordpress", "src"]["n"] == "78/79"
    assert shown["wordpress", "tgt"]["n"] == "0/79" and shown["wordpress", "tgt"]["SR %"] == "null"
    assert build_report(folder).contrasts == []


def test_a_run_without_any_record(run_of):
    folder = run_of(lambda r: None)
    assert "SR: no task was measured (wordpress src, wordpress tgt)" in write_report(folder)
    assert "null: no task was measured" in (folder / HTML).read_text()


def test_paired_differences(run_of):
    report = build_report(run_of())
    (contrast,) = report.contrasts
    src = {n for n in range(79) if n % 3 != 0}
    tgt = {n for n in range(79) if n % 2 == 0}
    assert (contrast.result.n, contrast.dropped) == (79, 0)
    assert (contrast.result.only_first, contrast.result.only_second) == (len(src - tgt), len(tgt - src))
    line = next(li for li in markdown(report).splitlines() if "tgt minus src" in li)
    assert f"{100 * (len(tgt) - len(src)) / 79:+.1f} [" in line and "n = 79;" in line
    assert "dropped" not in line and "left out" not in line


def test_kinds_carry_their_denominators(run_of):
    report = build_report(run_of())
    assert sum(metrics[0][1].n for _, metrics in report.kinds) == 79
    assert "| find the article with a given title | 62 (n = 8) | 50 (n = 8) |" in markdown(report)


def test_action_failures_carry_their_denominators(run_of):
    def failed(r):
        return r.model_copy(update={"errors": {"missing": 2, "covered": 1}}) if r.task == "wordpress.4" else r

    report = build_report(run_of(failed))
    actions = sum(1 + n % 7 for n in range(79))
    assert f"- wordpress src: covered 1, missing 2 (of {actions} actions)" in markdown(report)


def test_named_tasks_are_the_plan(run_of):
    info = RunInfo(
        agent="a", sites=("wordpress",), conditions=("src",), tasks=("wordpress.3", "skillshift.wordpress.3")
    )
    folder = run_of(lambda r: r.model_copy(update={"task": "wordpress.3", "uid": "u"}), info)
    assert table(write_report(folder))["wordpress", "src"]["n"] == "1"


@pytest.mark.parametrize(
    ("n", "planned", "errors", "text"),
    [(79, 79, 0, "79"), (77, 79, 2, "77/79, 2 errors"), (3, 79, 0, "3/79"), (0, 1, 1, "0/1, 1 error")],
)
def test_how_a_denominator_is_written(record, n, planned, errors, text):
    broken = [record(99 + i, False, status="error", end="error") for i in range(errors)]
    assert count(measure([*(record(i) for i in range(n)), *broken], planned)) == text


def hostile(r):
    return r.model_copy(update={"reason": HOSTILE, "message": HOSTILE, "kind": HOSTILE, "errors": {HOSTILE: 1}})


def test_the_page_escapes_hostile_text(run_of):
    info = RunInfo(agent=HOSTILE, sites=("wordpress",), conditions=("src",), agent_kwargs={HOSTILE: HOSTILE})
    folder = run_of(hostile, info)
    write_report(folder)
    document = html5lib.parse((folder / HTML).read_text(), namespaceHTMLElements=False)
    assert document.findall(".//script") == [] and document.findall(".//img") == []
    assert document.find(".//h1").text == HOSTILE
    assert HOSTILE in "".join(document.itertext())
    assert not [a for e in document.iter() if isinstance(e.tag, str) for a in e.attrib if a.startswith("on")]


def test_the_page_needs_nothing_else_and_is_well_formed(run_of):
    folder = run_of()
    write_report(folder)
    text = (folder / HTML).read_text()
    assert not re.search(r"(?:src|href|action|data|poster)\s*=|url\(|@import|<link|<script|https?://", text)
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    document = parser.parse(text)
    assert parser.errors == []
    rows = document.findall(".//details//tbody/tr")
    assert len(rows) == 158
    order = [row[0].text for row in rows]
    assert order[:4] == ["wordpress.0", "wordpress.0", "wordpress.1", "wordpress.1"] and order[-1] == "wordpress.78"
    assert not any(e.get("id") for e in document.iter() if isinstance(e.tag, str))


def test_the_page_shows_the_same_numbers_as_the_table(run_of):
    folder = run_of()
    shown = table(write_report(folder))
    document = html5lib.parse((folder / HTML).read_text(), namespaceHTMLElements=False)
    first = document.find(".//table")
    for row in first.findall("tbody/tr")[:2]:
        texts = ["".join(cell.itertext()).strip() for cell in row]
        assert texts == list(shown[texts[0], texts[1]].values())


def test_bars_stay_inside_their_axes(run_of):
    info = RunInfo(agent="a", sites=("wordpress",), conditions=("src",), budget=4)
    page = html(build_report(run_of(info=info)))  # with steps beyond the budget, as several lines in one action make
    widths = [float(w) for w in re.findall(r'<rect [^>]*width="([\d.]+)"', page)]
    assert len(widths) == 2 and all(0 <= w <= 400 for w in widths)
    assert ">4</text>" in page


def test_the_axis_of_steps_ends_at_the_largest_budget(run_of):
    ticks = re.findall(r'class="tick">([\d.]+)</text>', html(build_report(run_of())))
    assert ticks == ["0", "25", "50", "75", "100", "0", "2.5", "5", "7.5", "10"]


def test_long_reasons_are_cut_at_a_word_and_kept_whole_in_the_title(run_of):
    reason = "word " * 80
    folder = run_of(lambda r: r.model_copy(update={"reason": reason}))
    write_report(folder)
    document = html5lib.parse((folder / HTML).read_text(), namespaceHTMLElements=False)
    cell = next(td for td in document.iter("td") if "reason" in td.get("class", ""))
    assert len(cell.text) <= 140 and cell.text.endswith("word…") and cell.get("title") == reason


def test_files_are_written_and_derive_from_the_records_alone(run_of):
    folder = run_of()
    text = write_report(folder)
    assert (folder / MARKDOWN).read_text() == text
    first = (folder / HTML).read_bytes()
    lines = (folder / RECORDS).read_text().splitlines(keepends=True)
    (folder / RECORDS).write_text("".join(reversed(lines)))
    assert write_report(folder) == text and (folder / HTML).read_bytes() == first
    assert json.loads((folder / RUN).read_text())["agent"] in text


def test_a_folder_without_a_run(tmp_path):
    with pytest.raises(UsageError, match="holds no run"):
        write_report(tmp_path)
