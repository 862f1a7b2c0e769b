import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.records import (
    RECORDS,
    RUN,
    RunInfo,
    TaskRecord,
    append_record,
    by_cell,
    drop_torn_line,
    read_records,
    read_run,
)
from skillshift_gym.files import write_atomically

LAW = settings(derandomize=True, deadline=None)

PUBLISHED = ["uid", "site", "condition", "success", "steps", "skill_calls", "skill_failures"]


def test_the_first_seven_fields_are_the_published_ones(tmp_path, record):
    append_record(tmp_path, record(3))
    line = json.loads((tmp_path / RECORDS).read_text())
    assert list(line)[:7] == PUBLISHED
    assert line["uid"] == "skillshift.wordpress.3.v1"


@LAW
@given(text=st.text(st.characters(codec="utf-8")))
def test_any_text_survives_the_file(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("run")
    written = TaskRecord(
        uid="u", site="s", condition="src", success=False, steps=0, skill_calls=None, skill_failures=None, task="t",
        kind="k", checks="url", split="bench", reason=text, message=text, errors={"missing": 2},
    )  # fmt: skip
    append_record(folder, written)
    append_record(folder, written.model_copy(update={"uid": "v"}))
    assert read_records(folder) == [written, written.model_copy(update={"uid": "v"})]


def test_records_are_sorted_and_the_latest_of_an_episode_wins(tmp_path, record):
    for made in (record(2), record(1, condition="tgt"), record(1, steps=9), record(1, False, steps=4)):
        append_record(tmp_path, made)
    assert [(r.uid, r.condition, r.steps) for r in read_records(tmp_path)] == [
        ("skillshift.wordpress.1.v1", "src", 4),
        ("skillshift.wordpress.1.v2", "tgt", 3),
        ("skillshift.wordpress.2.v1", "src", 3),
    ]


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_a_torn_last_line_is_dropped(tmp_path, record, cut):
    append_record(tmp_path, record(1))
    append_record(tmp_path, record(2, message="naïve – “quoted”"))
    path = tmp_path / RECORDS
    path.write_bytes(path.read_bytes()[:-cut])
    assert [r.task for r in read_records(tmp_path)] == ["wordpress.1"]
    drop_torn_line(tmp_path)
    append_record(tmp_path, record(3))
    assert [r.task for r in read_records(tmp_path)] == ["wordpress.1", "wordpress.3"]


def test_a_line_torn_inside_a_character_is_dropped(tmp_path, record):
    append_record(tmp_path, record(1))
    with (tmp_path / RECORDS).open("ab") as file:
        file.write('{"uid": "caf\u00e9'.encode()[:-1])
    assert [r.task for r in read_records(tmp_path)] == ["wordpress.1"]


@pytest.mark.parametrize("broken", [b"{not json", b"", b'{"uid": "x"}', b'\xff\xfe{"uid"', b"[]"])
def test_a_broken_line_in_the_middle_is_named(tmp_path, record, broken):
    append_record(tmp_path, record(1))
    with (tmp_path / RECORDS).open("ab") as file:
        file.write(broken + b"\n")
    append_record(tmp_path, record(2))
    with pytest.raises(UsageError, match=r"per_task.jsonl, line 2: not a task record"):
        read_records(tmp_path)


def test_unknown_fields_are_refused(record):
    with pytest.raises(ValidationError, match="Extra"):
        TaskRecord.model_validate({**record().model_dump(), "reward": 1})


def test_a_folder_without_records_is_empty(tmp_path):
    assert read_records(tmp_path) == []
    drop_torn_line(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_writing_is_all_or_nothing(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "file.txt"
    write_atomically(path, "old")
    assert path.read_text() == "old" and path.stat().st_mode & 0o777 == 0o644

    def crash(*args):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", crash)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in path.parent.iterdir()] == ["file.txt"]


def test_a_run_is_described(tmp_path):
    info = RunInfo(
        agent="reference", sites=("wordpress",), conditions=("src", "tgt"), budget=5, agent_kwargs={"a": [1]}
    )
    write_atomically(tmp_path / RUN, info.model_dump_json())
    assert read_run(tmp_path) == info
    assert isinstance(read_run(tmp_path).budget, int)


def test_what_is_not_a_run(tmp_path):
    with pytest.raises(UsageError, match="holds no run"):
        read_run(tmp_path)
    (tmp_path / RUN).write_text('{"agent": 3}')
    with pytest.raises(UsageError, match="not a run description"):
        read_run(tmp_path)


def test_cells_in_order_of_appearance(record):
    cells = by_cell([record(1, condition="tgt"), record(1), record(2, condition="tgt")])
    assert {key: len(found) for key, found in cells.items()} == {("wordpress", "tgt"): 2, ("wordpress", "src"): 1}
    assert list(cells) == [("wordpress", "tgt"), ("wordpress", "src")]
