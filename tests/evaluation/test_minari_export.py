"""The Minari export: texts survive, and a missing extra is named."""

from __future__ import annotations

import minari
import pytest
from gymnasium import spaces

from skillshift_gym.cli import main
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation import minari_export
from skillshift_gym.evaluation.minari_export import export_run, to_minari
from skillshift_gym.evaluation.records import RunInfo
from skillshift_gym.evaluation.runner import run
from skillshift_gym.evaluation.trajectories import recorded
from skillshift_gym.wrappers.trajectory import read

TASKS = ("wordpress.17", "wordpress.3")


@pytest.fixture(scope="module")
def recorded_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recorded")
    info = RunInfo(agent="reference", sites=("wordpress",), conditions=("src", "src-exec"), tasks=TASKS)
    run(info, folder, workers=0, progress=False, record=True)
    return folder


@pytest.fixture(autouse=True)
def datasets(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))


def test_a_dataset_holds_what_was_recorded(recorded_run, capsys):
    name = "skillshift/{site}-{condition}/reference-v0"
    assert main(["export", str(recorded_run), "--minari", name]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("skillshift/wordpress-src/reference-v0: 2 episodes, ") and len(said) == 2
    dataset = minari.load_dataset("skillshift/wordpress-src-exec/reference-v0")
    trajectories = [read(episode.path) for episode in recorded(recorded_run, (), ["src-exec"])]
    assert dataset.total_steps == sum(len(t.steps) for t in trajectories)
    for episode, trajectory in zip(dataset, trajectories, strict=True):
        moments = range(len(trajectory.steps) + 1)
        assert episode.actions == [step.action for step in trajectory.steps]
        assert episode.rewards.tolist() == [step.reward for step in trajectory.steps]
        assert bool(episode.terminations[-1]) == trajectory.steps[-1].terminated
        for field in trajectory.start.fields:
            seen = [v if isinstance(v, str) else v.tolist() for v in episode.observations[field]]
            assert seen == [trajectory.value(moment, field) for moment in moments], field
            assert all(v in dataset.observation_space[field] for v in episode.observations[field]), field
        assert [e.decode() for e in episode.infos["error"]] == [trajectory.observed(m).info["error"] for m in moments]
    assert isinstance(dataset.observation_space["html"], spaces.Text)
    assert dataset.spec.env_spec.id == "SkillShift/WordPress-SrcExec-v0"
    env = dataset.recover_environment()
    assert env.reset(seed=0)[1]["condition"] == "src-exec"
    env.close()


def test_several_cells_need_several_names(recorded_run):
    with pytest.raises(UsageError, match=r"2 cells were chosen: put \{site\} and \{condition\} in the name"):
        list(export_run(recorded_run, "one-v0"))
    assert [e.episodes for e in export_run(recorded_run, "one-v0", conditions=["src"], tasks=TASKS[:1])] == [1]
    with pytest.raises(UsageError, match="already exists"):
        list(export_run(recorded_run, "one-v0", conditions=["src"]))
    with pytest.raises(UsageError, match="no trajectory of these sites and conditions"):
        list(export_run(recorded_run, "two-v0", conditions=["tgt"]))
    with pytest.raises(UsageError, match="expected a name with"):
        list(export_run(recorded_run, "{who}-v0"))


def test_episodes_of_one_environment_only(recorded_run):
    both = [read(episode.path) for episode in recorded(recorded_run)]
    with pytest.raises(UsageError, match="expected episodes of one environment and the same fields"):
        to_minari(both, "both-v0")
    with pytest.raises(UsageError, match="got none"):
        to_minari([], "none-v0")


def test_a_missing_extra_is_named(recorded_run, monkeypatch, capsys):
    def missing(name):
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(minari_export, "import_module", missing)
    assert main(["export", str(recorded_run), "--minari", "x-v0"]) == 2
    assert 'needs an extra: pip install "skillshift-gym[minari]"' in capsys.readouterr().err
