"""Replies of a real model, recorded by `benchmarks/chat_small_model.py`, drive episodes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from skillshift_gym.agents.llm.recording import read_recording
from skillshift_gym.evaluation.records import RunInfo
from skillshift_gym.evaluation.runner import run

FILE = Path(__file__).parent / "recordings" / "qwen2.5-coder-1.5b.jsonl"
SUCCESSES = {"wordpress": 6, "magento": 1}  # as docs/models.md says; each of 10


@pytest.fixture(scope="module")
def header():
    return read_recording(FILE)[0]


@pytest.fixture(scope="module")
def records(header, tmp_path_factory):
    info = RunInfo(
        agent=header["agent"],
        agent_kwargs={**header["settings"], "replay": str(FILE)},
        sites=("wordpress", "magento"),
        conditions=(header["condition"],),
        tasks=tuple(header["tasks"]),
    )
    return run(info, tmp_path_factory.mktemp("run"), workers=0, progress=False)


def test_the_recording_says_what_it_is_of(header):
    assert header["model"] == "qwen2.5-coder-1.5b" and header["runtime"].startswith("xllamacpp ")
    assert header["sha256"] == "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
    assert FILE.stat().st_size < 1_000_000


def test_every_decision_of_every_episode_is_in_it(records):
    lost = [f"{r.task}: {r.reason}" for r in records if r.status != "ok" or r.end == "agent_error"]
    assert lost == [], "record it again: python benchmarks/chat_small_model.py --record FILE (see docs/models.md)"
    _, entries = read_recording(FILE)
    assert len(records) == 20 and sum(r.agent["model_calls"] for r in records) >= len(entries) > 20


def test_the_episodes_end_as_they_did_with_the_model(records):
    assert Counter(r.site for r in records if r.success) == Counter(SUCCESSES)
