"""Calibration: 0 untouched, 1 when a site changes in a way that matters, 2 when it cannot judge."""

from math import sqrt

import pytest
from jinja2 import ChoiceLoader, DictLoader

from skillshift_gym import __version__
from skillshift_gym.cli import main
from skillshift_gym.errors import BrowserTimeout, UsageError
from skillshift_gym.evaluation.anchor import ANCHOR, Outcome, anchor_of, read_anchor, reference_run, write_anchor
from skillshift_gym.evaluation.calibration import Calibration, calibrate, compare, describe, obstacles
from skillshift_gym.evaluation.published_rule import Gate, blind, judge, reach, sigma_of_rate, subset
from skillshift_gym.evaluation.published_rule import describe as describe_judgement
from skillshift_gym.registration import CONDITIONS
from skillshift_gym.sites.cache import RESPONSES
from skillshift_gym.tasks.registry import task_ids

TASKS = ("wordpress.0", "wordpress.18", "wordpress.24")
FEW = ["calibrate", "--tasks", ",".join(TASKS), "--workers", "0", "--quiet"]


@pytest.fixture
def template(monkeypatch):
    """Changes a template of the target front end for one test."""
    from skillshift_gym.sites.wordpress import views

    jinja = views.THEMES["v2"].jinja

    def fresh():
        jinja.cache.clear()
        RESPONSES.resize(RESPONSES.megabytes)

    def change(name, old, new):
        text = jinja.loader.get_source(jinja, name)[0]
        assert old in text
        monkeypatch.setattr(jinja, "loader", ChoiceLoader([DictLoader({name: text.replace(old, new)}), jinja.loader]))
        fresh()

    yield change
    monkeypatch.undo()
    fresh()


@pytest.fixture
def made():
    """An anchor by hand: two tasks in six conditions."""
    info = reference_run(("wordpress",), tuple(CONDITIONS))
    records = [_record(task, c, True, 3) for task in ("wordpress.0", "wordpress.1") for c in CONDITIONS]
    return anchor_of(info, records)


def _record(task, condition, success, steps, **fields):
    from skillshift_gym.evaluation.records import TaskRecord

    values = {"uid": f"skillshift.{task}.v1", "site": "wordpress", "kind": "k", "checks": "url", "split": "bench"}
    calls = {"skill_calls": 0, "skill_failures": 0}
    return TaskRecord(task=task, condition=condition, success=success, steps=steps, **values, **calls, **fields)


def test_untouched_it_matches(capsys):
    assert main(FEW) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == "match: 18 of 18 episodes are as in the anchor" and "DEVIATES" not in out


def test_a_template_changed_in_a_way_that_matters_deviates(capsys, template):
    template("feed.html", ">{{ entry.title }}</a>", ">Continue reading</a>")
    assert main(FEW) == 1
    lines = capsys.readouterr().out.splitlines()
    deviations = [line for line in lines if line.startswith("DEVIATES")]
    assert deviations and all(" tgt" in line for line in deviations)  # the other front end is as it was
    assert any(line.startswith("DEVIATES wordpress.0 tgt: expected success in ") for line in deviations)
    assert not any("wordpress.24" in line for line in deviations)
    assert lines[-1] == f"deviates: {18 - len(deviations)} of 18 episodes are as in the anchor"


def test_a_template_changed_in_a_way_that_does_not_matter_matches(template):
    template("feed.html", 'class="wp-block-query alignwide"', 'class="wp-block-query alignfull"')
    assert main(FEW) == 0


def test_the_anchor_covers_every_task_and_says_where_it_comes_from():
    anchor = read_anchor()
    assert (anchor.version, anchor.agent, anchor.budget) == (__version__, "reference", "task")
    assert anchor.agent_kwargs == {"backbone": "lexical"} and anchor.conditions == list(CONDITIONS)
    for site, part in anchor.sites.items():
        assert tuple(part.tasks) == task_ids(site)
        assert all(len(row) == 6 and all(s in (0, 1) and n > 0 for s, n in row) for row in part.tasks.values())


def test_an_anchor_is_written_and_read(tmp_path, made):
    write_anchor(made, tmp_path / "anchor.json")
    assert read_anchor(tmp_path / "anchor.json") == made
    text = (tmp_path / "anchor.json").read_text()
    assert '        "wordpress.1": [[1, 3], [1, 3], [1, 3], [1, 3], [1, 3], [1, 3]]' in text.splitlines()
    write_anchor(read_anchor(ANCHOR), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == ANCHOR.read_bytes()


def test_every_difference_is_listed(made):
    records = [
        _record("wordpress.0", "src", True, 3),
        _record("wordpress.0", "tgt", True, 4),
        _record("wordpress.1", "src", False, 3),
    ]
    found = compare(made, records)
    assert [(d.task, d.condition, d.expected, d.found) for d in found.deviations] == [
        ("wordpress.0", "tgt", (True, 3), (True, 4)),
        ("wordpress.1", "src", (True, 3), (False, 3)),
    ]
    assert (found.code, found.compared, found.planned) == (1, 3, 3)
    assert "DEVIATES wordpress.1 src: expected success in 3 steps, found no success in 3 steps" in describe(found)


def test_an_error_cannot_be_judged_and_does_not_hide_a_deviation(made):
    lost = _record("wordpress.0", "src", False, 0, status="error", end="error", reason="the browser is gone")
    found = compare(made, [lost, _record("wordpress.1", "src", True, 3)])
    assert (found.code, found.compared, found.planned) == (2, 1, 2)
    assert "CANNOT JUDGE wordpress.0 src: no measurement: the browser is gone" in describe(found)
    assert compare(made, [lost, _record("wordpress.1", "src", True, 9)]).code == 1
    assert compare(made, [_record("wordpress.77", "src", True, 3)]).code == 2


def test_nothing_wrong_is_a_match():
    assert Calibration(3, 3, [], []).code == 0
    assert str(Outcome(True, 1)) == "success in 1 step"


@pytest.mark.parametrize(
    ("change", "fields", "text"),
    [
        ({"version": "0.0.1"}, {}, "the anchor was made with version 0.0.1"),
        ({"sites": {}}, {}, "the anchor has no site wordpress"),
        ({}, {"budget": 20}, "budget: the anchor has task, this run 20"),
        ({"agent_kwargs": {"backbone": "ranker"}}, {}, "agent_kwargs: the anchor has"),
        ({"conditions": ["src"]}, {}, "the anchor has no condition tgt-exec"),
        ({}, {}, "wordpress has tasks that the anchor has not: wordpress.10"),
    ],
)
def test_what_cannot_be_judged_is_not_run(made, change, fields, text):
    info = reference_run(("wordpress",), tuple(CONDITIONS), **fields)
    found = calibrate(made.model_copy(update=change), info, workers=0)
    assert (found.code, found.planned) == (2, 0) and any(text in why for why in found.unjudged)


def test_fewer_tasks_than_the_anchor_cannot_be_judged(monkeypatch):
    monkeypatch.setattr("skillshift_gym.tasks.registry.task_ids", lambda site, split="bench": ("wordpress.0",))
    (why,) = obstacles(read_anchor(), reference_run(("wordpress",), ("src",)))
    assert why.startswith("wordpress has fewer tasks than the anchor: wordpress.1, ")


def test_the_commands_that_cannot_judge(capsys, tmp_path, made):
    assert main([*FEW, "--budget", "5"]) == 2
    assert "cannot be judged: 0 of 0 episodes" in capsys.readouterr().out
    assert main([*FEW, "--anchor", str(tmp_path / "none.json")]) == 2
    assert "no anchor at" in capsys.readouterr().err
    (tmp_path / "broken.json").write_text("{}")
    assert main([*FEW, "--anchor", str(tmp_path / "broken.json")]) == 2
    assert "not an anchor" in capsys.readouterr().err
    assert main([*FEW, "--published"]) == 2
    assert "--tasks goes with --exact only" in capsys.readouterr().err


def test_episodes_without_a_measurement_exit_with_2(monkeypatch, capsys):
    from skillshift_gym.env import SkillShiftEnv

    def step(self, action):
        raise BrowserTimeout("gone")

    monkeypatch.setattr(SkillShiftEnv, "step", step)
    assert main([*FEW, "--condition", "src"]) == 2
    assert "CANNOT JUDGE wordpress.0 src: no measurement: gone" in capsys.readouterr().out


def test_update_writes_the_anchor_of_what_is_installed(tmp_path, monkeypatch, capsys):
    path = tmp_path / "anchor.json"
    shipped = read_anchor()

    def few(sites, conditions):
        return reference_run(sites, conditions, TASKS)

    monkeypatch.setattr("skillshift_gym.evaluation.calibration.reference_run", few)
    assert (
        main(["calibrate", "--update", "--site", "wordpress", "--anchor", str(path), "--workers", "0", "--quiet"]) == 0
    )
    assert f"written: {path}" in capsys.readouterr().out
    written = read_anchor(path)
    assert written.sites["wordpress"].tasks == {t: shipped.sites["wordpress"].tasks[t] for t in TASKS}
    assert (written.version, written.seed) == (shipped.version, shipped.seed)
    assert main([*FEW, "--anchor", str(path)]) == 0
    assert main(["calibrate", "--update", "--anchor", str(path), "--condition", "src"]) == 2


def test_update_keeps_the_other_sites(made):
    other = made.model_copy(update={"sites": {"shop": made.sites["wordpress"]}})
    info = reference_run(("wordpress",), tuple(CONDITIONS))
    records = [_record("wordpress.0", c, False, 9) for c in CONDITIONS]
    assert list(anchor_of(info, records, other).sites) == ["shop", "wordpress"]
    assert list(anchor_of(info, records, other.model_copy(update={"version": "0"})).sites) == ["wordpress"]


def test_no_anchor_from_errors(monkeypatch):
    from skillshift_gym.evaluation import calibration

    lost = _record("wordpress.0", "src", False, 0, status="error", end="error", reason="gone")
    monkeypatch.setattr(calibration, "measure", lambda *a, **k: [lost])
    with pytest.raises(UsageError, match="no anchor from a run with errors"):
        calibration.update(("wordpress",), None, 0)


# The published rule, by hand.


def test_the_subset():
    assert subset("wordpress") == [f"wordpress.{n}" for n in (0, 13, 26, 39, 52, 65)]  # floor(j * 79 / 6)


def test_sigma_of_a_rate():
    assert sigma_of_rate(3, 6) == pytest.approx(0.5 / sqrt(6))
    assert sigma_of_rate(6, 6) == sigma_of_rate(0, 6) == pytest.approx(sqrt(7 / 8 / 8 / 6))  # (s + 1) / (n + 2)


@pytest.mark.parametrize(
    ("successes", "n", "seen"),
    # 3/6: 0.5 / 0.2041 = 2.45 sigmas to 0. 4/6: 0.6667 / 0.1925 = 3.46 to 0, 2.60 to 1. 5/6: 0.5 / 0.1521 = 3.29 to 2.
    # 6/6: 0.5 / 0.1350 = 3.70 to 3, 2.47 to 4.
    [(0, 6, None), (1, 6, None), (2, 6, None), (3, 6, None), (4, 6, 0), (5, 6, 2), (6, 6, 3)],
)
def test_what_the_rule_can_see(successes, n, seen):
    assert reach(successes, n) == seen


def test_the_largest_fall_that_goes_unseen():
    assert blind(6) == 3
    assert [blind(k) for k in (10, 14)] == [4, 5]  # 4/10: 2.58 sigmas to 0, 5/10: 3.16; 5/14: 2.79, 6/14: 3.24


def anchored(outcomes):
    info = reference_run(("wordpress",), tuple(CONDITIONS))
    rows = zip(subset("wordpress"), outcomes, strict=True)
    return anchor_of(info, [_record(t, c, s, n) for t, (s, n) in rows for c in CONDITIONS])


def observed(outcomes):
    return [_record(t, "src", s, n) for t, (s, n) in zip(subset("wordpress"), outcomes, strict=True)]


BASE = [(True, 2), (True, 4), (True, 2), (True, 4), (True, 2), (False, 10)]  # 5/6; steps: mean 4, sd 3.0984


def test_gates_by_hand():
    sr, steps = judge(anchored(BASE), observed([(False, 10), (False, 10), (False, 10), *BASE[3:]])).gates
    assert (sr.value, sr.observed, sr.n) == (pytest.approx(500 / 6), pytest.approx(200 / 6), 6)
    assert sr.sigma == pytest.approx(15.2145, abs=1e-4) and sr.deviation == pytest.approx(3.2863, abs=1e-4)
    assert sr.deviates and sr.reach == "5/6: sees a fall to 2/6 or lower"
    assert (steps.value, steps.observed) == (4.0, pytest.approx(46 / 6))
    assert steps.sigma == pytest.approx(3.0984 / sqrt(6), abs=1e-4) and not steps.deviates  # 2.90 sigmas


def test_codes_of_the_rule():
    anchor = anchored(BASE)
    assert judge(anchor, observed(BASE)).code == 0
    assert judge(anchor, observed([(False, 10)] * 6)).code == 1
    lost = observed(BASE)[0].model_copy(update={"status": "error"})
    found = judge(anchor, [lost, *observed(BASE)[1:]])
    assert (found.code, found.gates) == (2, []) and found.unjudged == ["wordpress src: n = 5/6, 1 errors"]
    assert judge(anchor, observed(BASE)[:5]).code == 2


def test_steps_that_never_vary_may_not_change():
    gate = Gate("wordpress", "src", "AS", 6, 2.0, 2.0, 0.0)
    assert gate.deviation == 0.0 and gate._replace(observed=2.1).deviates


def test_a_fall_from_three_of_six_goes_unseen_and_the_table_says_so():
    half = [(True, 3)] * 3 + [(False, 3)] * 3
    found = judge(anchored(half), observed([(False, 3)] * 6))
    assert found.code == 0
    text = describe_judgement(found)
    assert "With k = 6 the rule cannot detect a fall from 3/6 or lower, even to 0/6." in text
    assert "3/6: no fall can be seen" in text


def test_the_published_command(capsys):
    assert (
        main(["calibrate", "--published", "--site", "wordpress", "--condition", "src,tgt", "--workers", "0", "--quiet"])
        == 0
    )
    out = capsys.readouterr().out
    assert out.count("| wordpress | src | ") == 2 and "cannot detect a fall from 3/6" in out and out.endswith("match\n")


def test_a_site_that_the_rule_does_not_know(monkeypatch, capsys):
    monkeypatch.setattr("skillshift_gym.evaluation.published_rule.TASKS", {"wordpress": 80})
    assert main(["calibrate", "--published", "--site", "wordpress", "--workers", "0", "--quiet"]) == 2
    assert "wordpress has 79 bench tasks, the published rule is for 80" in capsys.readouterr().out
