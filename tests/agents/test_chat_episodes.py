from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillshift_gym.agents.llm.recording import read_recording
from skillshift_gym.cli import main
from skillshift_gym.evaluation import runner
from skillshift_gym.evaluation.records import read_records

TASKS = ("wordpress.24", "wordpress.30", "magento.3")


def command(out, *settings, agent="backbone=chat", tasks=TASKS, workers=0):
    given = [part for setting in (agent, *settings) for part in ("--agent-arg", setting)]
    return [
        "run", "--agent", "reference", *given, "--site", "wordpress,magento", "--condition", "src", "--tasks",
        ",".join(tasks), "--workers", str(workers), "--record", "--quiet", "--out", str(out),
    ]  # fmt: skip


def of_service(service, *more):
    return ("model=small", f"base_url={service.base_url}", "order=score", "reply=number", "retries=1", *more)


def without_counts(records):
    return [r.model_copy(update={"agent": {}}) for r in records]


def trajectories(out):
    return {p.name: p.read_bytes() for p in sorted(Path(out).rglob("*")) if p.is_file() and "traject" in str(p.parent)}


@pytest.fixture
def recorded(service, tmp_path, monkeypatch):
    """A run that was recorded: its folder, and the file. The key is in the environment."""
    monkeypatch.setenv("THE_KEY", "sk-very-secret")
    file = tmp_path / "replies.jsonl"
    settings = of_service(service, "key_env=THE_KEY", f"record={file}", "stream=yes")
    assert main(command(tmp_path / "recorded", *settings)) == 0
    return tmp_path / "recorded", file


def test_a_model_that_agrees_does_what_the_lexical_backbone_does(recorded, tmp_path):
    main(command(tmp_path / "lexical", agent="backbone=lexical"))
    records = read_records(recorded[0])
    assert without_counts(records) == read_records(tmp_path / "lexical")
    assert trajectories(recorded[0]) == trajectories(tmp_path / "lexical") != {}
    assert sum(r.success for r in records) >= 2
    assert {r.agent["model_calls"] for r in records} == {r.steps for r in records}
    assert all(r.agent["prompt_tokens"] == 40 * r.steps for r in records)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_recording_is_replayed_with_the_service_gone(recorded, service, tmp_path, workers):
    out, file = recorded
    service.stop()
    sent, before = len(service.sent), file.read_bytes()
    main(command(tmp_path / "replayed", "order=score", "reply=number", f"replay={file}", workers=workers))
    assert read_records(tmp_path / "replayed") == read_records(out)
    assert trajectories(tmp_path / "replayed") == trajectories(out) != {}
    assert len(service.sent) == sent and file.read_bytes() == before


def test_no_key_is_written(recorded, service, tmp_path):
    assert all("sk-very-secret" in s.headers["authorization"] for s in service.sent)
    written = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert b"THE_KEY" in written and b"sk-very-secret" not in written


def test_a_cache_asks_once(service, tmp_path):
    settings = of_service(service, f"cache={tmp_path / 'c.jsonl'}")
    for name in ("first", "second"):
        main(command(tmp_path / name, *settings, tasks=TASKS[:1]))
    assert read_records(tmp_path / "first") == read_records(tmp_path / "second")
    _, entries = read_recording(tmp_path / "c.jsonl")
    assert len(service.sent) == len(entries) == len({json.dumps(s.body) for s in service.sent})


def test_a_replay_of_another_page_is_no_measurement(recorded, tmp_path):
    _, file = recorded
    main(command(tmp_path / "other", "order=score", "reply=number", f"replay={file}", tasks=("wordpress.25",)))
    (record,) = read_records(tmp_path / "other")
    assert (record.status, record.success) == ("error", False) and "no reply to request" in record.reason


def test_a_run_goes_on_when_the_service_is_back(service, answer, tmp_path, monkeypatch):
    whole = command(tmp_path / "whole", *of_service(service))
    main(whole)
    calls = len(service.sent)
    out = tmp_path / "run"
    gone = command(out, *of_service(service))

    def dies(body):
        if len(service.sent) > calls + 2:
            return answer("out of order", status=503)
        return answer()

    service.script = dies
    with monkeypatch.context() as patch:
        patch.setattr(runner, "_ATTEMPTS", 1)  # as if it was stopped before the second attempt
        main(gone)
    service.stop()
    lost = [r for r in read_records(out) if r.status == "error"]
    assert lost and all("HTTP 503" in r.reason and r.end == "error" for r in lost)
    service.script = [answer()]
    service.start()
    main(gone)
    again = read_records(out)
    assert [r.status for r in again] == ["ok"] * 3 and {r.attempts for r in again} <= {1, 2}
    same = [r.model_copy(update={"attempts": 1}) for r in again]
    assert same == read_records(tmp_path / "whole")
    assert trajectories(out) == trajectories(tmp_path / "whole")


def test_what_stayed_an_error_is_tried_again_when_asked(service, answer, tmp_path):
    whole = command(tmp_path / "whole", *of_service(service))
    main(whole)
    out = command(tmp_path / "run", *of_service(service))
    calls = len(service.sent)
    service.script = lambda body: answer(status=503) if len(service.sent) > calls + 2 else answer()
    main(out)
    lost = [r.task for r in read_records(tmp_path / "run") if r.status == "error"]
    service.script = [answer()]
    main(out)
    assert lost and [r.task for r in read_records(tmp_path / "run") if r.status == "error"] == lost
    main([*out, "--retry-errors"])
    again = read_records(tmp_path / "run")
    assert {r.task: r.attempts for r in again} == {r.task: 3 if r.task in lost else 1 for r in again}
    assert [r.model_copy(update={"attempts": 1}) for r in again] == read_records(tmp_path / "whole")


def test_a_short_outage_costs_an_attempt_and_no_measurement(service, answer, tmp_path):
    service.script = lambda body: answer(status=500) if len(service.sent) == 2 else answer()
    main(command(tmp_path / "run", *of_service(service)))
    records = read_records(tmp_path / "run")
    assert [r.status for r in records] == ["ok"] * 3 and sorted(r.attempts for r in records) == [1, 1, 2]


def test_a_model_that_talks_instead_of_choosing_fails_its_episodes(service, answer, tmp_path):
    service.script = [answer("I would click on the first link.")]
    main(command(tmp_path / "run", *of_service(service), tasks=TASKS[:1]))
    (record,) = read_records(tmp_path / "run")
    assert (record.status, record.end, record.agent["model_calls"]) == ("ok", "agent_error", 3)
    assert "no usable reply in 3 attempts" in record.reason


@pytest.mark.parametrize(
    ("setting", "text"), [("model=", "needs model=NAME"), ("top=1", "from 2 to 40"), ("a=b", "no setting")]
)
def test_a_wrong_setting_stops_the_run(service, tmp_path, capsys, setting, text):
    code = main(command(tmp_path / "run", *of_service(service, setting)))
    assert code == 2 and text in capsys.readouterr().err
    assert read_records(tmp_path / "run") == [] and service.sent == []
