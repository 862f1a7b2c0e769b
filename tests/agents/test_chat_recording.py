"""Replies of a real model, recorded by `benchmarks/chat_small_model.py`, drive episodes of three agents."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from skillshift_gym.agents.llm.recording import read_recording
from skillshift_gym.evaluation.records import RunInfo
from skillshift_gym.evaluation.runner import run

FILE = Path(__file__).parent / "recordings" / "qwen2.5-coder-1.5b.jsonl.gz"
ARMS = {
    "reference": {"agent": "reference"},
    "asi": {"agent": "asi", "bank": "asi"},
    "mpcr": {"agent": "mpcr", "bank": "asi", "agent_kwargs": {"proposer": "asi"}},
}
SUCCESSES = {"wordpress": 4}  # of 10 for each agent, as docs/models.md says; the model calls no skill


@pytest.fixture(scope="module")
def recording():
    return read_recording(FILE)


def test_the_recording_says_what_it_is_of(recording):
    header, entries = recording
    assert header["model"] == "qwen2.5-coder-1.5b" and header["runtime"].startswith("xllamacpp ")
    assert header["sha256"] == "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
    assert header["arms"] == list(ARMS) and len(header["tasks"]) == 20 and len(entries) > 200
    assert FILE.stat().st_size < 300_000


@pytest.mark.parametrize("arm", ARMS)
def test_every_decision_is_in_it_and_the_episodes_end_as_they_did_with_the_model(recording, arm, tmp_path):
    header, _ = recording
    settings = {**ARMS[arm].get("agent_kwargs", {}), "backbone": "chat", **header["settings"], "replay": str(FILE)}
    info = RunInfo(
        **{**ARMS[arm], "agent_kwargs": settings},
        sites=("wordpress", "magento"),
        conditions=(header["condition"],),
        tasks=tuple(header["tasks"]),
    )
    records = run(info, tmp_path, workers=0, progress=False)
    lost = [f"{r.task}: {r.reason}" for r in records if r.status != "ok" or r.end == "agent_error"]
    assert lost == [], "record it again: python benchmarks/chat_small_model.py --record FILE (see docs/models.md)"
    assert len(records) == 20 and Counter(r.site for r in records if r.success) == Counter(SUCCESSES)
