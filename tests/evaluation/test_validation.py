"""The five checks: what they accept, and that no digit can be changed without one of them saying so."""

import json
import re
import shutil

import pytest

from skillshift_gym import __version__
from skillshift_gym.cli import main
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation import submission
from skillshift_gym.evaluation.form_checks import identity
from skillshift_gym.evaluation.published import TASKS, published_entries
from skillshift_gym.evaluation.receipt import Receipt, RunClaim, grid_of_receipt, sealed
from skillshift_gym.evaluation.records import RECORDS, RUN, RunInfo
from skillshift_gym.evaluation.results import METRICS, Results, dump, parse, receipt_path
from skillshift_gym.evaluation.submission import Entry, write_submission
from skillshift_gym.evaluation.totals import aggregate
from skillshift_gym.evaluation.validation import CHECKS, describe, validate
from skillshift_gym.registration import CONDITIONS

COMMIT = "per_task_commitment"


@pytest.fixture
def submitted(tmp_path, record, monkeypatch):
    """Writes a run of some sites and its files, and returns the path of the results file."""
    monkeypatch.setattr(submission, "planned_tasks", lambda info, site: [f"{site}.{n}" for n in range(TASKS[site])])

    def build(sites=tuple(TASKS), change=lambda r: r, allow_errors=False):
        info = RunInfo(agent="pack:Clicker", sites=sites, conditions=tuple(CONDITIONS), version=__version__)
        lines = []
        for site in sites:
            for place, condition in enumerate(CONDITIONS):
                version = "v2" if condition.startswith("tgt") else "v1"
                for n in range(TASKS[site]):
                    fields = {"task": f"{site}.{n}", "uid": f"skillshift.{site}.{n}.{version}", "site": site}
                    calls = {"skill_calls": (n + place) % 2, "skill_failures": int((n + place) % 4 == 1)}
                    made = record(n, (n + place) % 3 == 0, condition, steps=1 + n % 7, **calls, **fields)
                    lines.append(change(made).model_dump_json() + "\n")
        folder = tmp_path / "run"
        folder.mkdir()
        (folder / RUN).write_text(info.model_dump_json())
        (folder / RECORDS).write_text("".join(lines))
        entry = Entry("2026-02-03", model="none")
        return write_submission(folder, entry, tmp_path / "out", allow_errors=allow_errors)[0]

    return build


def run_folder(path):
    return path.parent.parent / "run"


def problems(path, *args, **kwargs):
    return {c.name: c.problems for c in validate(path, *args, **kwargs).checks if c.problems}


def edited(path, *where, value):
    """Changes one value of a JSON file."""
    data = json.loads(path.read_text())
    part = data
    for key in where[:-1]:
        part = part[key]
    part[where[-1]] = value
    path.write_text(json.dumps(data))


def altered_digits(text, start=0, end=None):
    """Yields the text with each digit of a part changed, one at a time."""
    for match in re.finditer(r"\d", text[start:end]):
        place = start + match.start()
        yield text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :]


def test_a_complete_run_is_valid(submitted):
    path = submitted()
    for verdict in (validate(path), validate(path, run_folder(path))):
        assert (verdict.valid, verdict.label) == (True, "valid")
        assert [c.name for c in verdict.checks] == list(CHECKS)
        assert describe(verdict).splitlines()[0] == "pass  schema"
        assert describe(verdict).endswith("2026-02-03--clicker--none.json: valid")


def test_a_run_of_some_sites_is_valid_and_partial(submitted):
    path = submitted(("wordpress", "magento"))
    verdict = validate(path, run_folder(path))
    assert (verdict.valid, verdict.label, verdict.missing) == (True, "valid, partial", ("gitlab",))
    assert "sites not run: gitlab" in describe(verdict)


def test_every_digit_of_a_metric_or_denominator_counts(submitted):
    path = submitted()
    text = path.read_text()
    start, end = text.index('"metrics"'), text.index('"reasons"')
    tried = 0
    for changed in altered_digits(text, start, end):
        path.write_text(changed)
        found = problems(path)
        assert found and all(all(why) for why in found.values()), changed
        tried += 1
    assert tried > 120


def test_every_digit_of_the_receipt_counts(submitted):
    path = submitted(("wordpress",))
    receipt = receipt_path(path)
    text = receipt.read_text()
    for changed in altered_digits(text):
        receipt.write_text(changed)
        assert problems(path)["receipt"], changed
    receipt.write_text(text)
    assert validate(path).valid


def test_every_digit_of_a_record_counts(submitted):
    path = submitted(("wordpress",))
    records = run_folder(path) / RECORDS
    lines = records.read_text().splitlines(keepends=True)
    for changed in altered_digits(lines[7]):
        records.write_text("".join([*lines[:7], changed, *lines[8:]]))
        try:
            found = problems(path, run_folder(path))
        except UsageError as error:  # the line is no record any more
            assert "not a task record" in str(error)
        else:
            assert found["receipt"], changed
    records.write_text("".join(lines))
    assert validate(path, run_folder(path)).valid


def test_a_word_of_a_record_counts_as_well(submitted):
    path = submitted(("wordpress",))
    records = run_folder(path) / RECORDS
    records.write_text(records.read_text().replace('"kind":"a kind"', '"kind":"another"', 1))
    (why,) = problems(path, run_folder(path))["receipt"]
    assert why.startswith(f"{COMMIT}: ") and "the records" in why


def reseal(path, change):
    """Changes the receipt of a results file, with a seal that fits."""
    receipt = receipt_path(path)
    receipt.write_text(dump(sealed(change(parse(Receipt, receipt.read_text())))))


def test_a_commitment_with_a_new_seal_is_caught_by_the_records_alone(submitted):
    path = submitted(("wordpress",))
    reseal(path, lambda r: r.model_copy(update={COMMIT: "0" * 64}))
    assert validate(path).valid
    (why,) = problems(path, run_folder(path))["receipt"]
    assert why.startswith(f"{COMMIT}: 0000")


def test_a_consistent_forgery_is_caught_by_the_records_alone(submitted):
    path = submitted(("wordpress",))
    receipt = parse(Receipt, receipt_path(path).read_text())
    better = {c: s.model_copy(update={"successes": 79}) for c, s in receipt.sums_per_cell["wordpress"].items()}
    results = parse(Results, path.read_text())
    forged = receipt.model_copy(update={"sums_per_cell": {"wordpress": better}})
    metrics = aggregate(grid_of_receipt(forged))
    path.write_text(dump(results.model_copy(update={"metrics": metrics})))
    reseal(path, lambda r: forged.model_copy(update={"aggregate": metrics}))
    assert validate(path).valid  # nothing in the two files is at odds
    why = problems(path, run_folder(path))["receipt"]
    assert any(w.startswith("metrics.SR.overall: 100.0, expected 33.") for w in why)
    assert any(w.startswith("sums_per_cell.wordpress src.successes: 79, expected") for w in why)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"n_per_cell": {}}, "name different cells"),
        ({"n_per_cell": {"shop": {"src": 3}}, "sums_per_cell": {"shop": {}}}, "name different cells"),
        (
            {
                "run": RunClaim(
                    agent="a",
                    agent_kwargs={},
                    sites=["gitlab"],
                    conditions=[],
                    split="bench",
                    seed=0,
                    browser="dom",
                    budget="task",
                )
            },
            "run.sites: gitlab, the cells are of wordpress",
        ),
        ({"env_digests": {}}, "env_digests.wordpress is missing"),
        ({"harness_version": "other 1"}, "harness_version: skillshift_gym"),
    ],
)
def test_a_receipt_at_odds_with_itself(submitted, change, text):
    path = submitted(("wordpress",))
    reseal(path, lambda r: r.model_copy(update=change))
    assert any(text in why for why in problems(path)["receipt"])


@pytest.mark.parametrize(
    ("condition", "sums", "text"),
    [
        ("tgt", {"successes": 80}, "wordpress tgt: 80 successes of 79"),
        ("tgt", {"errors": 1}, "wordpress tgt: 79 tasks and 1 errors, expected 79"),
        ("src", {"skill_failures": 500}, "wordpress src: 500 failed calls of"),
        ("src", {"skill_failures": None}, "wordpress src: None failed calls"),
    ],
)
def test_sums_that_cannot_be(submitted, condition, sums, text):
    path = submitted(("wordpress",))

    def change(receipt):
        cells = receipt.sums_per_cell["wordpress"]
        cells = {**cells, condition: cells[condition].model_copy(update=sums)}
        return receipt.model_copy(update={"sums_per_cell": {"wordpress": cells}})

    reseal(path, change)
    assert any(text in why for why in problems(path)["receipt"])


def test_a_cell_that_is_missing(submitted):
    path = submitted(("wordpress",))

    def change(receipt):
        n = {c: v for c, v in receipt.n_per_cell["wordpress"].items() if c != "tgt-perc"}
        sums = {c: v for c, v in receipt.sums_per_cell["wordpress"].items() if c != "tgt-perc"}
        return receipt.model_copy(update={"n_per_cell": {"wordpress": n}, "sums_per_cell": {"wordpress": sums}})

    reseal(path, change)
    assert "n_per_cell.wordpress: no tgt-perc" in problems(path)["receipt"]


def test_without_a_receipt(submitted):
    path = submitted()
    receipt_path(path).unlink()
    assert problems(path) == {"receipt": ["no receipt: a self-reported entry needs one beside it"]}
    edited(path, "submission", "provenance", "label", value="verified-paper")
    verdict = validate(path)
    assert verdict.valid and verdict.checks[-1].remarks == ["no receipt, and none is needed: verified-paper"]
    assert not validate(path, run_folder(path)).valid


@pytest.mark.parametrize(
    ("where", "value", "check", "text"),
    [
        (("schema_version",), "2.0", "schema", "schema_version: Input should be '1.0'"),
        (("metrics", "SR", "overall"), "33.3", "schema", "metrics.SR.overall: Input should be a valid number"),
        (("metrics", "SR", "overall"), 33.333, "schema", "at most two decimals"),
        (("metrics", "SR", "overall"), True, "schema", "metrics.SR.overall"),
        (("n", "websites", "gitlab"), -162, "schema", "greater than or equal to 0"),
        (("extra",), 1, "schema", "extra: Extra inputs are not permitted"),
        (("submission", "date"), "2026-02-04", "schema", "its date, method and model make 2026-02-04--"),
        (("submission", "date"), "2026-02-30", "schema", "submission.date"),
        (("submission", "method", "name"), "Other", "schema", "make 2026-02-03--other--none.json"),
        (("submission", "provenance", "label"), "trusted", "schema", "'reported-only', 'verified-paper'"),
        (("metrics", "SR", "websites", "shop"), 1.0, "coverage", "metrics.SR.websites.shop is unknown"),
        (("metrics", "AS", "conditions", "src"), None, "coverage", "AS.src is null without a reason"),
        (("n", "skill_calls"), None, "coverage", "n.skill_calls is null without a reason"),
        (("reasons", "SR.src"), "lost", "coverage", "reasons.SR.src: no null of that name"),
        (("n", "skill_calls"), 0, "coverage", "expected null, never 0"),
        (("n", "websites", "gitlab"), 0, "coverage", "for a site with n = 0, expected null"),
        (("n", "websites", "magento"), 113, "denominators and identity", "n.websites.magento: 113/114 tasks"),
        (("n", "conditions", "tgt"), 354, "denominators and identity", "n.conditions.tgt: 354, the sites have 355"),
        (("metrics", "SR", "overall"), 40.0, "denominators and identity", "SR: the mean of sites is"),
        (("metrics", "AS", "conditions", "tgt"), 9.0, "denominators and identity", "AS: the mean of conditions is"),
        (("metrics", "SR", "conditions", "tgt"), 120.0, "ranges", "SR.tgt: 120.0, expected 0 to 100"),
        (("metrics", "AS", "conditions", "tgt"), 0.0, "ranges", "AS.tgt: 0.0, expected more than 0"),
        (("metrics", "ASC", "conditions", "tgt"), -0.1, "ranges", "ASC.tgt: -0.1, expected at least 0"),
        (("metrics", "SFR", "overall"), -1.0, "ranges", "SFR.overall: -1.0, expected 0 to 100"),
    ],
)
def test_what_each_check_refuses(submitted, where, value, check, text):
    path = submitted()
    edited(path, *where, value=value)
    assert any(text in why for why in problems(path).get(check, [])), problems(path)


def test_a_slot_that_is_missing(submitted):
    path = submitted()
    data = json.loads(path.read_text())
    del data["metrics"]["SFR"]["conditions"]["tgt-exec"]
    path.write_text(json.dumps(data))
    assert problems(path)["coverage"] == ["metrics.SFR.conditions.tgt-exec is missing"]


def test_a_null_with_a_reason_for_what_was_measured(submitted):
    path = submitted()
    edited(path, "metrics", "SR", "conditions", "src", value=None)
    edited(path, "reasons", "SR.src", value="we did not like it")
    assert problems(path)["coverage"] == ["SR.src is null, but there are measurements"]


def test_nothing_run_is_rejected(submitted):
    path = submitted()
    for site in TASKS:
        edited(path, "n", "websites", site, value=0)
    assert problems(path)["denominators and identity"][0] == "no site was run: n = 0 for all of them"


def test_a_file_that_cannot_be_read_fails_the_first_check(submitted):
    path = submitted()
    path.write_bytes(b"\xff\xfe")
    verdict = validate(path)
    assert "not UTF-8" in verdict.checks[0].problems[0] and verdict.label == "invalid"
    assert all(check.problems == ["not checked: the schema does not hold"] for check in verdict.checks[1:])


def test_the_name_of_the_file_counts(submitted):
    path = submitted()
    for name in ("results.json", "2026-02-03--Clicker--none.json"):
        other = path.with_name(name)
        shutil.copy(path, other)
        shutil.copy(receipt_path(path), receipt_path(other))
        assert list(problems(other)) == ["schema"]


def test_few_calls_are_flagged_and_valid(submitted):
    path = submitted(("wordpress",), lambda r: r.model_copy(update={"skill_calls": int(r.task == "wordpress.3"), "skill_failures": 0}))  # fmt: skip
    verdict = validate(path)
    assert verdict.valid and "SFR rests on 6 calls, fewer than 30" in verdict.checks[3].remarks


def test_a_method_without_skills_is_valid(submitted):
    path = submitted(change=lambda r: r.model_copy(update={"skill_calls": None, "skill_failures": None}))
    assert validate(path, run_folder(path)).label == "valid"
    edited(path, "metrics", "ASC", "overall", value=0.0)
    assert not validate(path).valid


def test_an_undefined_cell_suspends_the_identity_of_that_metric_alone(submitted):
    def quiet(r):
        return r.model_copy(update={"skill_calls": 0, "skill_failures": 0}) if r.site == "gitlab" and r.condition == "tgt" else r  # fmt: skip

    path = submitted(change=quiet)
    assert validate(path, run_folder(path)).valid


def lost(r):
    broken = {"status": "error", "success": False, "end": "error"}
    return r.model_copy(update=broken) if (r.task, r.condition) == ("wordpress.5", "tgt") else r


def test_errors_are_accepted_when_asked_only(submitted):
    path = submitted(change=lost, allow_errors=True)
    why = problems(path)["denominators and identity"]
    assert why[0] == "n.websites.wordpress: 78/79 tasks, 1 errors: not official, --allow-errors accepts it"
    verdict = validate(path, run_folder(path), allow_errors=True)
    assert (verdict.label, verdict.errors) == ("valid, with errors", 1)


def test_the_published_rows_hold_their_identities():
    for entry in published_entries():
        for name in METRICS:
            assert list(identity(name, getattr(entry.metrics, name), None)) == [], entry.method


def test_the_command(submitted, capsys):
    path = submitted(("wordpress",))
    assert main(["validate", str(path), "--records", str(run_folder(path))]) == 0
    assert capsys.readouterr().out.endswith("--none.json: valid, partial\n")
    edited(path, "metrics", "SR", "overall", value=99.0)
    assert main(["validate", str(path)]) == 1
    out = capsys.readouterr().out
    assert "FAIL  receipt\n      metrics.SR.overall: 99.0, expected" in out and out.endswith("invalid\n")
    assert main(["leaderboard", "check", str(path)]) == 1
    assert main(["validate", str(path.with_name("none.json"))]) == 2
    assert "no such file" in capsys.readouterr().err
