"""The sweep: its jobs, its files, its findings and its command."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from skillshift_gym import cli
from skillshift_gym.agents.swop import findings, sweep
from skillshift_gym.agents.swop.arms import BANDIT, CHANGE, GREEDY, NO_PRIOR, NO_WINDOW, SWOP, TEXTS
from skillshift_gym.agents.swop.findings import rate
from skillshift_gym.agents.swop.sweep import FIXED_BETA, WORLDS, Job, Result, made_with
from skillshift_gym.errors import InfrastructureError, UsageError

TINY = [
    "regret",
    "--world",
    "jumps",
    "--episodes",
    "40,80",
    "--variation",
    "0,4,8",
    "--seeds",
    "2",
    "--workers",
    "0",
    "--quiet",
]


def result(job, values, regularised=None):
    """A result whose arms have a regret of so much, a little different from seed to seed."""
    spread = {
        arm: [value * (0.99 + 0.02 * i / (job.seeds - 1)) for i in range(job.seeds)] for arm, value in values.items()
    }
    return Result(job, 10, [job.variation] * job.seeds, [1, job.episodes], spread, regularised or spread,
                  {arm: [1.0, value] for arm, value in values.items()}, made_with(job))  # fmt: skip


def as_the_theory_says(exponent=2 / 3, linear=1.0, bandit=1.5, fixed=(2.0, 3.0)):
    """The results of a full sweep in which regret follows the rate with this exponent in K."""
    found = []
    for job in sweep.jobs(tuple(WORLDS), sweep.EPISODES, sweep.VARIATIONS, 4):
        own = rate(job.episodes, job.variation) * (job.episodes / 16_000) ** (exponent - 2 / 3)
        if job.beta is not None:
            values = {SWOP: own, NO_PRIOR: fixed[0] * own, GREEDY: fixed[1] * own}
        else:
            values = dict.fromkeys(TEXTS, own) | {BANDIT: bandit * own, CHANGE: 0.9 * own}
            values[NO_WINDOW] = job.episodes**linear * (2 if job.variation else 0.01)
        found.append(result(job, values))
    return found


def test_jobs_cover_the_sweep_once_and_the_longest_come_first():
    jobs = sweep.jobs(tuple(WORLDS), sweep.EPISODES, sweep.VARIATIONS, 20)
    assert len(set(jobs)) == len(jobs) and len({job.file for job in jobs}) == len(jobs)
    for world, (_, _, variation) in WORLDS.items():
        swept = [j.episodes for j in jobs if (j.world, j.variation, j.beta) == (world, variation, None)]
        assert sorted(swept) == list(sweep.EPISODES)
    assert {j.variation for j in jobs if j.world == "jumps" and j.episodes == 16_000} >= set(sweep.VARIATIONS)
    assert [j.episodes for j in jobs if j.beta == FIXED_BETA] == sorted(sweep.EPISODES, reverse=True)
    assert [j.episodes for j in jobs] == sorted((j.episodes for j in jobs), reverse=True)
    assert len(sweep.EPISODES) >= 5 <= len(sweep.VARIATIONS) and sweep.SEEDS >= 20
    with pytest.raises(UsageError, match="no world 'sea'; expected some of jumps"):
        sweep.jobs(["sea"], [10], [0.0], 2)


def test_the_theory_is_recognised():
    criteria = findings.criteria(as_the_theory_says())
    assert len(criteria) >= 12 and [c for c in criteria if not c.met] == []


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"exponent": 0.9}, "SWOP's exponent lies in (0.3, 0.75]"),
        ({"exponent": 0.2}, "SWOP's exponent lies in (0.3, 0.75]"),
        ({"linear": 0.7}, "no window is linear in K"),
        ({"bandit": 2.5}, "within twice"),
        ({"fixed": (0.9, 3.0)}, "no prior costs more"),
        ({"fixed": (2.0, 0.9)}, "no prior, greedy costs more"),
    ],
)
def test_what_the_theory_does_not_say_is_seen(change, text):
    missed = [c.text for c in findings.criteria(as_the_theory_says(**change)) if not c.met]
    assert missed and all(text in found for found in missed if "no window costs" not in found)


def test_growth_with_variation_is_judged():
    results = [
        r
        if r.job.variation < 64 or r.job.beta is not None
        else result(r.job, {arm: 3 * v[0] for arm, v in r.plain.items()})
        for r in as_the_theory_says()
    ]
    missed = [c for c in findings.criteria(results) if not c.met]
    assert {c.text[:8] for c in missed} == {"exponent", "regret /"}


def test_short_sweeps_are_shown_and_not_judged():
    results = [r for r in as_the_theory_says() if r.job.episodes < 16_000]
    assert findings.criteria(results) == [] and "Not judged below K = 16,000." in findings.markdown(results)


def test_the_tables_name_every_arm_and_every_k():
    text = findings.markdown(as_the_theory_says())
    assert all(f"| {arm} |" in text for arm in TEXTS) and all(f"K = {k:,}" in text for k in sweep.EPISODES)
    assert "4 seeds an arm" in text and "0.67 [0.6" in text
    assert sorted(findings.charts(as_the_theory_says())) == [
        "regret-K-jumps.svg", "regret-K-random.svg", "regret-K-seasons.svg", "regret-V.svg", "regret-curve.svg",
    ]  # fmt: skip


def test_the_command_writes_tables_charts_and_goes_on(tmp_path, capsys, monkeypatch):
    assert cli.main([*TINY, "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "## jumps: growth with K at V = 12" in out and "## jumps: growth with V at K = 80" in out
    assert "Not judged below" in out and (tmp_path / "regret.md").read_text().endswith(
        out[: out.index("written:")].strip() + "\n"
    )
    assert (tmp_path / "regret-K-jumps.svg").read_text().startswith("<svg")
    files = sorted(tmp_path.glob("jumps-*.json"))
    assert len(files) == 7
    (tmp_path / "jumps-K80-V4.json").unlink()
    done = []
    original = sweep.run_job
    monkeypatch.setattr(sweep, "run_job", lambda job: done.append(job.file) or original(job))
    assert cli.main([*TINY, "--out", str(tmp_path)]) == 0
    assert done == ["jumps-K80-V4.json"]
    assert capsys.readouterr().out.split("written:")[0] == out.split("written:")[0]


def test_processes_find_what_one_process_finds(tmp_path):
    jobs = [Job("jumps", 30, 3.0, 2), Job("random", 30, 1.6, 2)]
    one, two = (sweep.sweep(jobs, tmp_path / str(n), n, lambda results, total: results) for n in (0, 2))
    assert one == two and [r.job for r in one] == jobs
    assert one[0].variation == pytest.approx([3.0, 3.0]) and set(one[0].plain) == set(TEXTS)


def test_a_folder_of_another_sweep_is_refused(tmp_path):
    job = Job("jumps", 30, 3.0, 2)
    path = tmp_path / job.file

    def again():
        return sweep.sweep([job], tmp_path, 0, lambda results, total: results)

    first = again()
    fields = asdict(first[0])
    path.write_text(json.dumps({**fields, "made_with": "0.0.1"}))
    with pytest.raises(UsageError, match="choose another folder"):
        again()
    path.write_text(json.dumps({**fields, "job": {**fields["job"], "seeds": 3}}))
    with pytest.raises(UsageError, match=r"got Job.*seeds=3"):
        again()
    for broken in ("{", "[]", json.dumps({"job": {}})):
        path.write_text(broken)
        with pytest.raises(UsageError, match="expected the result of a run"):
            again()


def test_a_lost_worker_is_told():
    with pytest.raises(InfrastructureError, match=r"jumps-K9-V0\.json: killed; the same command goes on"):
        sweep._lost(Job("jumps", 9, 0.0, 2), "killed")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--episodes", "ten"], "expected comma-separated numbers, got 'ten'"),
        (["--variation=-1,2"], "expected numbers >= 0"),
        (["--variation", "nan"], "expected numbers >= 0"),
        (["--episodes", "2"], "16 episodes, got 20 and 2"),
        (["--seeds", "1"], "at least 2 seeds"),
        (["--world", "sea"], "no world 'sea'"),
    ],
)
def test_wrong_arguments_exit_with_2(tmp_path, capsys, arguments, text):
    try:
        code = cli.main(["regret", "--out", str(tmp_path / "x"), "--quiet", *arguments])
    except SystemExit as stop:
        code = stop.code
    assert code == 2 and text in capsys.readouterr().err and not (tmp_path / "x").exists()
