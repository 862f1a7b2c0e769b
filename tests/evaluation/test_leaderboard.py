"""The leaderboard: sorted by SR, complete and valid files only, published rows in a block of their own."""

import re

import html5lib
import pytest

from skillshift_gym.cli import main
from skillshift_gym.evaluation.leaderboard import COLUMNS, build, find, html, markdown
from skillshift_gym.evaluation.published import TASKS
from skillshift_gym.evaluation.receipt import Receipt, RunClaim, per_cell, sealed
from skillshift_gym.evaluation.results import (
    Method,
    Model,
    Provenance,
    Results,
    Submission,
    dump,
    file_name,
    receipt_path,
)
from skillshift_gym.evaluation.totals import Totals, aggregate, counts, reasons
from skillshift_gym.registration import CONDITIONS

HOSTILE = "<script>alert(1)</script> | x\n## y [z](javascript:0) `q`"


@pytest.fixture
def entered(tmp_path):
    """Writes a results file and its receipt from sums: `rate` of the tasks of each cell are solved."""

    def build(name, rate=0.5, sites=tuple(TASKS), calls=20, failures=5, errors=0, budget="task"):
        grid = {
            (site, c): Totals(TASKS[site] - errors, errors, int(TASKS[site] * rate), 400, calls, failures)
            for site in sites
            for c in CONDITIONS
        }
        submission = Submission(
            name=name, date="2026-02-03", contact="c", method=Method(name=name), model=Model(id="m"),
            provenance=Provenance(label="self-reported"), repro_command="",
        )  # fmt: skip
        n, sums = per_cell(grid)
        receipt = Receipt(
            harness_version="h 1", n_per_cell=n, sums_per_cell=sums, aggregate=aggregate(grid),
            env_digests={site: f"skillshift_gym embedded 0.1.0 {site}" for site in sites}, per_task_commitment="0" * 64,
            run=RunClaim(agent="a", agent_kwargs={}, sites=list(sites), conditions=list(CONDITIONS), split="bench",
                         seed=0, browser="dom", budget=budget),
        )  # fmt: skip
        results = Results(
            submission=submission, harness_version="h 1", metrics=aggregate(grid), n=counts(grid),
            reasons=reasons(grid), notes="",
        )  # fmt: skip
        path = tmp_path / file_name(submission)
        path.write_text(dump(results))
        receipt_path(path).write_text(dump(sealed(receipt)))
        return path

    return build


def row_of(text, method):
    line = next(li for li in text.splitlines() if li.startswith(f"| {method} |"))
    return dict(zip(["method", "model", "date", "environment", "n", *COLUMNS], (c.strip() for c in line.strip("|").split("|")), strict=True))  # fmt: skip


def test_the_order_is_that_of_success_never_of_failed_calls(entered, tmp_path):
    for name, rate, failures in (("low", 0.2, 0), ("high", 0.8, 20), ("mid", 0.5, 10)):
        entered(name, rate, failures=failures)
    board = build([tmp_path])
    assert [r.method for r in board.rows] == ["high", "mid", "low"] and board.refused == []
    text = markdown(board)
    assert text.index("| high |") < text.index("| mid |") < text.index("| low |") < text.index("## Published")


def test_a_row_shows_numbers_with_their_denominators(entered):
    text = markdown(build([entered("one", calls=20, failures=5)]))
    row = row_of(text, "one")
    assert (row["n"], row["SFR"], row["calls"]) == ("2130", "25.00", str(18 * 20))
    assert (row["model"], row["date"], row["environment"]) == ("m", "2026-02-03", "skillshift\\_gym embedded 0.1.0")
    assert (row["gitlab"], row["magento"], row["wordpress"]) == ("50.00", "50.00", "49.37")
    assert row["SR"] == "49.79" and row["ASC"] == "0.18"  # (20/162 + 20/114 + 20/79) / 3


def test_few_calls_are_flagged(entered):
    row = row_of(markdown(build([entered("few", calls=1, failures=1)])), "few")
    assert (row["SFR"], row["calls"]) == ("100.00†", "18")
    row = row_of(markdown(build([entered("none", calls=None, failures=None)])), "none")
    assert (row["SFR"], row["ASC"], row["calls"]) == ("null", "null", "null")


def test_partial_and_invalid_files_are_refused_with_the_reason(entered, tmp_path):
    entered("part", sites=("wordpress",))
    broken = entered("broken")
    broken.write_text(broken.read_text().replace('"overall": 49.79', '"overall": 59.79'))
    entered("whole")
    board = build([tmp_path])
    assert [r.method for r in board.rows] == ["whole"]
    reasons_of = dict(board.refused)
    assert reasons_of["2026-02-03--part--m.json"] == "partial: gitlab, magento not run (n = 0)"
    assert reasons_of["2026-02-03--broken--m.json"].startswith("invalid, denominators and identity: SR: the mean of")
    assert "## Refused" in markdown(board)


def test_errors_stay_out_unless_asked(entered):
    path = entered("lost", rate=0.4, errors=2)
    assert build([path]).refused[0][1].startswith("invalid, denominators and identity: n.websites.gitlab: 160/162")
    (row,) = build([path], allow_errors=True).rows
    assert (row.n, row.marks) == ("2094/2130", "36 tasks without a measurement")


def test_another_budget_is_marked(entered):
    assert "- long: budget 30 actions: AS is not comparable" in markdown(build([entered("long", budget=30)]))


def test_published_rows_stand_apart_and_say_so():
    text = markdown(build([]))
    assert text.startswith("# Leaderboard\n\nNo entry.")
    after = text.split("## Published: not comparable in level")[1]
    assert "other backbones, tasks and sites, not comparable in level" in after
    row = row_of(after, "MPCR")
    assert (row["SR"], row["tgt-exec"], row["SFR"], row["calls"]) == ("41.26", "19.99", "31.00", "not published")
    assert row_of(after, "AWM")["SFR"] == "null" and "MPCR" not in text.split("## Published")[0]


def test_what_counts_as_a_results_file(entered, tmp_path):
    path = entered("one")
    (tmp_path / "run.json").write_text("{}")
    assert find([tmp_path]) == find([path]) == find([path, tmp_path]) == [path]


def test_hostile_names_stay_text(entered):
    board = build([entered(HOSTILE)])
    text = markdown(board)
    assert "<script>" not in text.replace("\\<script\\>", "") and "\n## y" not in text
    document = html5lib.parse(html(board), namespaceHTMLElements=False)
    assert document.findall(".//script") == [] and "<script>alert(1)</script>" in "".join(document.itertext())


def test_the_page_is_well_formed_and_needs_nothing_else(entered, tmp_path):
    entered("part", sites=("wordpress",))
    entered("whole")
    page = html(build([tmp_path]))
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    document = parser.parse(page)
    assert parser.errors == [] and not re.search(r"(?:src|href)\s*=|url\(|@import|<link|<script|https?://", page)
    tables = document.findall(".//table")
    assert [len(t.findall("tbody/tr")) for t in tables] == [1, 6]
    for table in tables:
        width = len(table.findall("thead/tr")[1])
        assert {len(tr) for tr in table.findall("tbody/tr")} == {width}
        assert sum(int(th.get("colspan", 1)) for th in table.findall("thead/tr")[0]) == width


def test_the_command(entered, tmp_path, capsys):
    path = entered("whole")
    assert main(["leaderboard", str(tmp_path), "--html", str(tmp_path / "board.html")]) == 0
    assert "| whole | m |" in capsys.readouterr().out and (tmp_path / "board.html").is_file()
    entered("part", sites=("magento",))
    assert main(["leaderboard", str(tmp_path)]) == 1
    assert main(["leaderboard", "check", str(path)]) == 0
    assert main(["leaderboard", "check"]) == 2
    assert main(["leaderboard", str(tmp_path / "none.json")]) == 2
