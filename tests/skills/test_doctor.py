"""`skillshift bank`: show, lint, diff, import, export, and the doctor, which says what broke and since when."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from skillshift_gym.cli import main
from skillshift_gym.evaluation.bank_doctor import Diagnosis, cases, diagnose, foresight, table
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.cases import Case, junit, sarif
from skillshift_gym.skills.formats import FORMATS
from skillshift_gym.skills.lint import lint
from skillshift_gym.skills.skill import Evidence, Skill

SAMPLES = Path(__file__).parent / "samples"
HERE = Evidence(task="wordpress.1", site="wordpress", condition="src", split="bench")


def skill(name, program, **more):
    return Skill(name=name, kind="recorded", description="Does it.", program=program, evidence=(HERE,), **more)


@pytest.fixture
def bank():
    made = Bank()
    made.add(skill("works", 'fill {css="input[name=\\"s\\"]"} with "snow"'), "recorded")
    made.add(skill("breaks", 'fill {css="input[name=\\"s\\"]"} with "rain"'), "recorded")
    made.update(made.get("breaks").revised(program='fill {id="no-such-id"} with "rain"'), "another locator")
    made.add(skill("stranger", 'goto "/"').revised(evidence=[]), "by hand")
    made.add(Skill(name="words", kind="principle", description="d", fields={
        "title": "t", "principle": "p", "category": "general",
    }), "learned")  # fmt: skip
    return made


@pytest.mark.parametrize("static", [False, True])
def test_the_doctor_says_what_runs_why_not_and_what_did(bank, static):
    before = bank.hash
    found = {(d.skill, d.condition): d for d in diagnose(bank, ("src", "tgt"), static=static)}
    assert bank.hash == before
    assert set(found) == {(s, c) for s in ("works", "breaks", "stranger") for c in ("src", "tgt")}
    works, breaks = found["works", "src"], found["breaks", "src"]
    assert works.ok
    assert (breaks.code, breaks.true, breaks.version, breaks.last_valid) == ("stale_target", "stale_target", 2, 1)
    assert "no-such-id" in breaks.detail
    assert found["stranger", "src"].code == ""
    text = table(list(found.values()))
    assert text.splitlines()[-1].split() == ["ok", "1/2", "1/2"]
    said = {(c.name, c.group): c for c in cases(list(found.values()), bank)}
    assert said["breaks", "src"].rule == "stale_target"
    assert said["breaks", "src"].message.endswith("; version 1 runs here")
    assert said["breaks", "src"].line == 4  # the header, two additions, the update
    assert (said["works", "src"].level, said["stranger", "src"].level) == ("ok", "skipped")


def test_looking_is_measured_against_calling_by_true_status(bank, tmp_path, capsys):
    def said(*codes):
        return [Diagnosis(f"s{n}", 1, "src", seen, true) for n, (seen, true) in enumerate(codes)]

    called = said(("ok", "wrong_target"), ("blocked", "blocked"), ("ok", "ok"), ("ok", "ok"), ("", ""))
    looked = said(
        ("ok", "ok"), ("stale_target", "stale_target"), ("stale_target", "stale_target"), ("ok", "ok"), ("ok", "ok")
    )
    assert foresight(looked, called) == (1, 2, 2, 4)
    assert "precision 50.0 % (1 of 2), recall 50.0 % (1 of 2)" in str(foresight(looked, called))
    assert "precision null (none)" in str(foresight([], []))
    bank.save(tmp_path / "bank.jsonl")
    assert main(["bank", "doctor", str(tmp_path / "bank.jsonl"), "--condition", "src", "--static"]) == 1
    assert "precision 100.0 % (1 of 1), recall 100.0 % (1 of 1), 2 calls" in capsys.readouterr().out
    assert main(["bank", "doctor", str(tmp_path / "bank.jsonl"), "--condition", "src", "--static", "--no-calls"]) == 1
    assert "precision" not in capsys.readouterr().out


def test_a_blocker_inside_a_call_is_not_taken_for_a_stale_target(bank):
    made = Bank()
    made.add(skill("two_pages", 'goto "/"\nfill {css="input[name=\\"s\\"]"} with "snow"'), "x")
    (found,) = diagnose(made, ("src-exec",))
    assert found.code == "blocked"


def test_the_command_has_exit_codes_and_reports(bank, tmp_path, capsys):
    path = tmp_path / "bank.jsonl"
    bank.save(path)
    reports = ["--junit", str(tmp_path / "r.xml"), "--sarif", str(tmp_path / "r.sarif")]
    assert main(["bank", "doctor", str(path), "--condition", "src", *reports]) == 1
    assert "1 findings, 1 calls ok" in capsys.readouterr().out
    suites = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert [suites.get(k) for k in ("tests", "failures", "skipped")] == ["3", "1", "1"]
    assert suites.find("testsuite/testcase/failure").get("type") == "stale_target"
    run = json.loads((tmp_path / "r.sarif").read_text())["runs"][0]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "stale_target"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 4
    bank.delete("breaks", "broken")
    bank.save(path)
    assert main(["bank", "doctor", str(path), "--condition", "src"]) == 0


def test_lint_finds_what_is_weak(tmp_path, capsys):
    made = Bank(duplicates=True)
    made.add(Skill(name="unsaid", kind="function", program='goto "/"'), "x")
    made.add(Skill(name="again", kind="function", description="d", program=' goto "/"'), "x")
    made.add(Skill(name="session", kind="workflow", description="d", fields={
        "title": "t", "steps": [{"act": "click('227')"}],
    }), "x")  # fmt: skip
    made.add(Skill(name="rule", kind="trigger_rule", description="d", fields={
        "title": "t", "action": "a" * 600, "trigger_type": "action_pattern", "trigger_pattern": "(",
    }), "x")  # fmt: skip
    made.add(
        Skill(name="gap", kind="tool", description="d", program='stop "step 3: drag"', fields={"steps": [{}]}), "x"
    )
    made.add(Skill(name="unused", kind="function", description="d", program='click {id="a"}', parameters=(
        {"name": "number"},
    )), "x")  # fmt: skip
    found = {(c.name, c.rule) for c in lint(made) if c.failed}
    assert found >= {
        ("unsaid", "description"),
        ("again", "duplicate"),
        ("session", "session_id"),
        ("rule", "long_rule"),
        ("rule", "bad_pattern"),
        ("gap", "no_counterpart"),
        ("unused", "unused_parameter"),
    }
    made.save(tmp_path / "b.jsonl")
    assert main(["bank", "lint", str(tmp_path / "b.jsonl"), "--sarif", str(tmp_path / "s")]) == 1
    lines = {r["locations"][0]["logicalLocations"][0]["name"]: r["locations"][0]["physicalLocation"]["region"]["startLine"]
             for r in json.loads((tmp_path / "s").read_text())["runs"][0]["results"]}  # fmt: skip
    text = (tmp_path / "b.jsonl").read_text().splitlines()
    assert all(f'"name":"{name}"' in text[line - 1] for name, line in lines.items())
    assert "skills without findings" in capsys.readouterr().out


def test_lint_is_content_with_a_good_skill(tmp_path):
    made = Bank()
    made.add(
        Skill(name="good", kind="function", description="Opens it.", program='click {role=link label="Posts"}'), "x"
    )
    made.save(tmp_path / "b.jsonl")
    assert main(["bank", "lint", str(tmp_path / "b.jsonl")]) == 0


def test_show_and_diff(bank, tmp_path, capsys):
    bank.save(tmp_path / "a.jsonl")
    bank.update(bank.get("works").revised(description="Other words."), "better")
    bank.save(tmp_path / "b.jsonl")
    assert main(["bank", "show", str(tmp_path / "a.jsonl")]) == 0
    assert "4 of 4 skills active, 5 events" in capsys.readouterr().out
    assert main(["bank", "show", str(tmp_path / "a.jsonl"), "works"]) == 0
    assert "  program:\n    fill" in capsys.readouterr().out
    assert main(["bank", "show", str(tmp_path / "a.jsonl"), "nothing"]) == 1
    assert main(["bank", "show", str(tmp_path / "a.jsonl"), "--log"]) == 0
    assert "another locator" in capsys.readouterr().out
    assert main(["bank", "diff", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]) == 1
    assert "changed works\n" in (out := capsys.readouterr().out)
    assert "+  Other words." in out
    assert main(["bank", "diff", str(tmp_path / "a.jsonl"), str(tmp_path / "a.jsonl")]) == 0
    assert main(["bank", "show", str(tmp_path / "nothing.jsonl")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_import_and_export_by_command(tmp_path, capsys):
    bank, out = str(tmp_path / "b.jsonl"), tmp_path / "out.json"
    source = str(SAMPLES / "search_orders.tool.json")
    assert main(["bank", "import", source, "--format", "walt", "--out", bank]) == 0
    printed = capsys.readouterr().out
    assert "1 skills to" in printed
    assert "1 steps without counterpart" in printed
    assert "search_orders.tool.json:12: has no counterpart" in printed
    assert main(["bank", "export", bank, "--format", "walt", "--out", str(out)]) == 0
    assert out.read_text() == Path(source).read_text()
    assert main(["bank", "export", bank, "--format", "skillrl", "--out", str(tmp_path / "x")]) == 0
    assert "left out: a tool is neither" in capsys.readouterr().out


def test_the_command_knows_every_format():
    from skillshift_gym.commands.bank import _FORMATS

    assert tuple(FORMATS) == _FORMATS


def test_reports_hold_no_control_characters():
    case = Case("lint", "a", "error", "r", "\x1b[31m\x00 <b>&", 3)
    assert ElementTree.fromstring(junit([case], "t")).find("testsuite/testcase/failure").get("message").endswith("<b>&")
    assert "\\\\x1b" in sarif([case], "b", {})
