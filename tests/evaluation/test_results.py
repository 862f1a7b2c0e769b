"""Results files and receipts: built from a run, in the published form."""

import hashlib
import json
from datetime import date

import pytest

from skillshift_gym import __version__
from skillshift_gym.cli import main
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.metrics import measure
from skillshift_gym.evaluation.provenance import environment_digest, environment_name, harness_version, reference_digest
from skillshift_gym.evaluation.published import TASKS, published_entries
from skillshift_gym.evaluation.receipt import HIDDEN, Receipt, canonical, commitment, seal
from skillshift_gym.evaluation.records import RECORDS, RUN, RunInfo, read_records
from skillshift_gym.evaluation.results import BrokenFile, Results, file_name, parse, receipt_path, slug
from skillshift_gym.evaluation.submission import Entry, build_submission, write_submission
from skillshift_gym.evaluation.totals import Totals, aggregate, counts, reasons, remarks
from skillshift_gym.registration import CONDITIONS
from skillshift_gym.tasks.registry import task_ids

ENTRY = Entry("2026-02-03")
SLOTS = [*TASKS, *CONDITIONS, "overall"]


@pytest.fixture
def run_of(tmp_path, record):
    """Writes a WordPress run; `change` edits single records, `fields` the run's description."""

    def build(change=lambda r: r, **fields):
        info = RunInfo(
            **{"agent": "reference", "sites": ("wordpress",), "conditions": tuple(CONDITIONS), "version": __version__}
            | fields
        )
        made = [
            record(number, (number + place) % 3 != 0, condition, task=task, steps=1 + number % 7)
            for place, condition in enumerate(CONDITIONS)
            for number, task in enumerate(task_ids("wordpress"))
        ]
        lines = [r.model_dump_json() + "\n" for r in map(change, made) if r is not None]
        (tmp_path / RUN).write_text(info.model_dump_json())
        (tmp_path / RECORDS).write_text("".join(lines))
        return tmp_path

    return build


def edit(**fields):
    return lambda r: r.model_copy(update=fields)


def test_numbers_are_those_of_the_metrics(run_of):
    folder = run_of(edit(skill_calls=2, skill_failures=1))
    results, receipt = build_submission(folder, ENTRY)
    cells = [measure([r for r in read_records(folder) if r.condition == c]) for c in CONDITIONS]
    named = results.metrics.named()
    for name, field in {"SR": "sr", "AS": "steps", "ASC": "calls", "SFR": "failures"}.items():
        values = [getattr(cell, field).value for cell in cells]
        assert list(named[name]) == SLOTS
        assert [named[name][c] for c in CONDITIONS] == [round(v, 2) for v in values]
        assert named[name]["wordpress"] == named[name]["overall"] == round(sum(values) / 6, 2)
        assert named[name]["gitlab"] is None and results.reasons[f"{name}.gitlab"] == "site not run (n = 0)"
    assert results.n.model_dump() == {
        "websites": {"gitlab": 0, "magento": 0, "wordpress": 79},
        "conditions": dict.fromkeys(CONDITIONS, 79),
        "skill_calls": 6 * 79 * 2,
    }
    assert receipt.aggregate == results.metrics
    assert receipt.n_per_cell == {"wordpress": dict.fromkeys(CONDITIONS, 79)}
    assert f"pooled SFR 50.00 (474 of {6 * 79 * 2} calls)" in results.notes and "6 of 6 cells" in results.notes


def test_what_is_said_of_the_submission(run_of):
    results, receipt = build_submission(run_of(agent_kwargs={"backbone": "lexical"}), ENTRY)
    said = results.submission
    assert (said.name, said.method.name, said.model.id) == ("reference (lexical)", "reference", "lexical")
    assert (said.date, said.provenance.label, said.contact) == ("2026-02-03", "self-reported", "not given")
    assert said.repro_command.startswith(
        "skillshift run --agent reference --agent-arg backbone=lexical --site wordpress"
    )
    assert results.harness_version == receipt.harness_version == f"skillshift_gym {__version__}"
    assert receipt.env_digests == {"wordpress": environment_name("wordpress")}
    assert (
        receipt.env_digests["wordpress"] == f"skillshift_gym embedded {__version__} {environment_digest('wordpress')}"
    )
    full = Entry("2026-02-03", "n", "My Method", "GPT-5 mini", "a@b.example", "d", "p", "c", 0.5, True)
    said = build_submission(run_of(), full)[0].submission
    assert file_name(said) == "2026-02-03--my-method--gpt-5-mini.json"
    assert (said.model.temperature, said.model.vision, said.provenance.code_released) == (0.5, True, True)


def test_files_have_the_published_names_and_are_the_same_each_time(run_of):
    folder = run_of()
    path, receipt = write_submission(folder, ENTRY)
    assert path == folder / "2026-02-03--reference--lexical.json" and receipt == receipt_path(path)
    assert receipt.name == "2026-02-03--reference--lexical.receipt.json"
    before = path.read_bytes(), receipt.read_bytes()
    lines = (folder / RECORDS).read_text().splitlines(keepends=True)
    (folder / RECORDS).write_text("".join(reversed(lines)))
    again = write_submission(folder, ENTRY, folder / "other")
    assert (again[0].read_bytes(), again[1].read_bytes()) == before
    assert sorted(p.name for p in (folder / "other").iterdir()) == [path.name, receipt.name]  # and no temporary file


def test_a_file_that_is_read_and_written_is_the_same(run_of):
    path, receipt = write_submission(run_of(), ENTRY)
    for file, kind in ((path, Results), (receipt, Receipt)):
        assert json.loads(parse(kind, file.read_text()).model_dump_json()) == json.loads(file.read_text())


@pytest.mark.parametrize(
    ("change", "fields", "texts"),
    [
        (edit(), {"split": "val", "tasks": ("wordpress.1",)}, ["split val, expected bench", "1 named tasks"]),
        (edit(), {"conditions": ("src", "tgt")}, ["src-perc, src-exec, tgt-perc, tgt-exec were not run"]),
        (edit(), {"version": "0.0.9"}, ["made with version 0.0.9"]),
        (edit(), {"sites": ("wordpress", "shop")}, ["site shop is not one of gitlab"]),
        (lambda r: None if (r.task, r.condition) == ("wordpress.7", "tgt") else r, {}, ["wordpress tgt: n = 78/79, the run is"]),
        (edit(status="error", success=False), {}, ["wordpress src: n = 0/79, 79 without a measurement"]),
    ],
)  # fmt: skip
def test_a_run_that_is_not_of_the_official_form_is_refused(run_of, change, fields, texts):
    folder = run_of(change, **fields)
    with pytest.raises(UsageError, match="is not of the official form") as caught:
        write_submission(folder, ENTRY)
    assert [t for t in texts if t not in str(caught.value)] == []
    assert not list(folder.glob("2026*"))


def test_a_cell_with_errors_is_kept_out_unless_asked(run_of):
    def broken(r):
        if r.condition == "tgt" and r.task in ("wordpress.3", "wordpress.4"):
            return r.model_copy(update={"status": "error", "success": False, "end": "error"})
        return r

    folder = run_of(broken)
    with pytest.raises(UsageError, match=r"wordpress tgt: n = 77/79, 2 without a measurement: .* --allow-errors"):
        build_submission(folder, ENTRY)
    results, receipt = build_submission(folder, ENTRY, allow_errors=True)
    assert results.n.websites["wordpress"] == results.n.conditions["tgt"] == 77 and results.n.conditions["src"] == 79
    assert "wordpress tgt: n = 77/79, 2 errors" in results.notes
    assert receipt.sums_per_cell["wordpress"]["tgt"].errors == 2


@pytest.mark.parametrize("date", ["2026-02-30", "03.02.2026", "2026-2-3", ""])
def test_a_wrong_date_is_refused(run_of, date):
    with pytest.raises(UsageError, match="submission's fields"):
        build_submission(run_of(), Entry(date))


def test_secrets_stay_out_of_the_files(run_of):
    folder = run_of(agent_kwargs={"api_key": "sk-123", "backbone": "lexical"})
    for path in write_submission(folder, ENTRY):
        assert "sk-123" not in path.read_text() and HIDDEN in path.read_text()


# Two sites, two conditions, by hand; the second cell of the first site made no call.
GRID = {
    ("gitlab", "src"): Totals(10, 0, 5, 30, 4, 1),
    ("gitlab", "tgt"): Totals(10, 0, 2, 50, 0, 0),
    ("magento", "src"): Totals(20, 0, 20, 20, 6, 3),
    ("magento", "tgt"): Totals(20, 0, 5, 100, 10, 10),
}


def test_aggregation_by_hand():
    metrics = aggregate(GRID)
    sr, sfr = metrics.SR, metrics.SFR
    assert (sr.websites["gitlab"], sr.websites["magento"]) == (35.0, 62.5)  # (50 + 20) / 2, (100 + 25) / 2
    assert (sr.conditions["src"], sr.conditions["tgt"], sr.overall) == (75.0, 22.5, 48.75)
    assert (metrics.AS.websites["gitlab"], metrics.AS.overall) == (4.0, 3.5)  # cells 3, 5, 1, 5
    assert metrics.ASC.overall == 0.3  # cells 0.4, 0, 0.3, 0.5: a cell without calls counts
    assert (sfr.websites["gitlab"], sfr.websites["magento"]) == (25.0, 75.0)  # of one and of two defined cells
    assert (sfr.conditions["src"], sfr.conditions["tgt"], sfr.overall) == (37.5, 100.0, 58.33)  # 25, 50, 100
    assert sr.websites["wordpress"] is None and sr.conditions["src-perc"] is None
    assert remarks(GRID) == ["SFR is the mean of 3 of 4 cells", "pooled SFR 70.00 (14 of 20 calls)", "SFR rests on fewer than 30 calls"]  # fmt: skip
    assert counts(GRID).websites == {"gitlab": 10, "magento": 20, "wordpress": 0}
    assert counts(GRID).conditions["src"] == 30 and counts(GRID).skill_calls == 20


def test_reasons_of_nulls():
    none = {key: t._replace(calls=0, failures=0) for key, t in GRID.items()}
    assert reasons(none)["SFR"] == "no skill was called" and "ASC" not in reasons(none)
    without = {key: t._replace(calls=None, failures=None) for key, t in GRID.items()}
    found = reasons(without)
    assert found["ASC"] == found["SFR"] == found["n.skill_calls"] == "the method has no executable skills"
    assert found["SR.wordpress"] == "site not run (n = 0)" and remarks(without) == remarks(none) == []
    some = {key: t._replace(calls=0, failures=0) if key[1] == "tgt" else t for key, t in GRID.items()}
    assert reasons(some)["SFR.tgt"] == "no skill was called" and "SFR" not in reasons(some)


def test_the_canonical_form_of_records():
    lines = canonical([{"uid": "a", "steps": 3, "message": "é"}])
    assert lines == '{"message":"é","steps":3,"uid":"a"}\n'.encode()


def test_the_commitment_is_that_of_the_last_whole_lines(tmp_path):
    a, b = {"uid": "a", "condition": "src", "steps": 1}, {"uid": "a", "condition": "tgt", "steps": 2}
    old = {**b, "steps": 9}
    (tmp_path / RECORDS).write_text("".join(json.dumps(r) + "\n" for r in (old, b, a)) + '{"uid": "torn')
    expected = hashlib.sha256(
        b'{"condition":"src","steps":1,"uid":"a"}\n{"condition":"tgt","steps":2,"uid":"a"}\n'
    ).hexdigest()
    assert commitment(tmp_path) == expected


def test_the_seal_covers_the_whole_receipt(run_of):
    _, receipt = build_submission(run_of(), ENTRY)
    assert seal(receipt) == receipt.seal
    for change in ({"harness_version": "x"}, {"per_task_commitment": "0" * 64}, {"env_digests": {}}):
        assert seal(receipt.model_copy(update=change)) != receipt.seal


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON"),
        ("[]", "file: Input should be"),
        ('{"a": 1, "a": 2}', "'a' appears twice"),
        ('{"harness_version": NaN}', "NaN is no number"),
        ('{"n": 1}', "submission: Field required"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_broken_file_says_why(text, why):
    with pytest.raises(BrokenFile, match=why):
        parse(Results, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GPT-5 mini", "gpt-5-mini"),
        ("../../etc", "etc"),
        ("a..b", "a.b"),
        ("a--b", "a-b"),
        ("Ünï", "n"),
        ("é", "unnamed"),
    ],
)
def test_names_in_file_names(text, expected):
    assert slug(text) == expected


def test_digests_name_the_code():
    assert environment_digest("wordpress") != environment_digest("gitlab")
    assert len(environment_digest("wordpress")) == len(reference_digest()) == 16
    assert harness_version() == f"skillshift_gym {__version__}"


def test_the_published_results_ship_whole():
    entries = published_entries()
    assert [e.method for e in entries] == ["MPCR", "ASI (fixed library)", "ASI", "AWM", "WALT", "SkillWeaver"]
    assert {e.method: e.metrics.SR.overall for e in entries}["AWM"] == 35.29
    for entry in entries:
        for name, slots in entry.metrics.named().items():
            assert list(slots) == SLOTS, name


def test_the_command_writes_files_that_validate(run_of, capsys, tmp_path):
    folder = run_of(agent_kwargs={"backbone": "lexical"})
    out = tmp_path / "files"
    options = [
        "--receipt",
        "--date",
        "2026-02-03",
        "--method",
        "My Method",
        "--contact",
        "a@b.example",
        "--out",
        str(out),
    ]
    assert main(["report", str(folder), *options]) == 0
    path = out / "2026-02-03--my-method--lexical.json"
    assert capsys.readouterr().out.endswith(f"written: {path}\nwritten: {receipt_path(path)}\n")
    assert parse(Results, path.read_text()).submission.contact == "a@b.example"
    assert main(["validate", str(path), "--records", str(folder)]) == 0
    assert main(["report", str(folder), "--receipt"]) == 0
    assert (folder / f"{date.today().isoformat()}--reference--lexical.json").is_file()


def test_the_command_says_what_is_missing(run_of, capsys):
    folder = run_of(conditions=("src",))
    assert main(["report", str(folder), "--receipt", "--date", "2026-02-03"]) == 2
    assert "expected all six: --condition all" in capsys.readouterr().err
