from __future__ import annotations

import gzip
import json
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.agents.llm.asking import ask
from skillshift_gym.agents.llm.model import Account, Completion, Cost, ReplyError, Usage, key_of
from skillshift_gym.agents.llm.pricing import cost_of
from skillshift_gym.agents.llm.recording import Recorded, ReplayMiss, read_recording
from skillshift_gym.agents.llm.schemas import decode, violation
from skillshift_gym.agents.llm.settings import chat_model
from skillshift_gym.errors import InfrastructureError, UsageError
from skillshift_gym.testing import ScriptedModel

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def talk(text):
    return [{"role": "system", "content": "Count."}, {"role": "user", "content": text}]


def counter():
    """A model that never says the same twice."""
    model = ScriptedModel(lambda request: {"n": len(model.requests)})
    return model


def test_the_same_request_has_one_reply(tmp_path):
    model = Recorded(counter(), tmp_path / "c.jsonl", "cache")
    first, second, other = (model.complete(talk(t), SCHEMA) for t in ("a", "a", "b"))
    assert (first.data, second.data, other.data) == ({"n": 1}, {"n": 1}, {"n": 2})
    assert (first.recorded, second.recorded) == (False, True)
    assert (second.usage, second.cost, second.text, second.finish) == (
        first.usage,
        first.cost,
        first.text,
        first.finish,
    )


@pytest.mark.parametrize(
    "change", [{"max_tokens": 9}, {"temperature": 0.5}, {"temperature": None}, {"seed": 3}, {"schema": None}]
)
def test_another_request_has_another_reply(tmp_path, change):
    model = Recorded(counter(), tmp_path / "c.jsonl", "cache")
    texts = {model.complete(talk("a"), **{"schema": SCHEMA, **extra}).text for extra in ({}, change)}
    assert len(texts) == 2


def test_models_share_a_cache_and_not_their_replies(tmp_path):
    path = tmp_path / "c.jsonl"
    found = [Recorded(ScriptedModel([name], name), path, "cache").complete(talk("a")).text for name in ("x", "y")]
    assert found == ["x", "y"] and len(read_recording(path)[1]) == 2


def test_a_recording_is_replayed_without_a_model(tmp_path):
    path = tmp_path / "r.jsonl"
    made = Recorded(counter(), path, "record", {"sha256": "0a"})
    replies = [made.complete(talk(t), SCHEMA) for t in ("a", "é “b”\n", "a")]
    before = path.read_bytes()
    again = Recorded(None, path, "replay")
    replayed = [again.complete(talk(t), SCHEMA) for t in ("a", "é “b”\n", "a")]
    assert [(r.text, r.data, r.usage, r.cost) for r in replayed] == [(r.text, r.data, r.usage, r.cost) for r in replies]
    assert all(r.recorded for r in replayed) and path.read_bytes() == before
    assert (
        again.header == {"format": "skillshift-chat-1", "model": "scripted", "sha256": "0a"}
        and again.name == "scripted"
    )


def test_a_compressed_recording_is_replayed_and_never_written(tmp_path):
    plain, packed = tmp_path / "r.jsonl", tmp_path / "r.jsonl.gz"
    made = Recorded(counter(), plain, "record").complete(talk("a"), SCHEMA)
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert Recorded(None, packed, "replay").complete(talk("a"), SCHEMA).text == made.text
    assert read_recording(packed) == read_recording(plain)
    with pytest.raises(UsageError, match="a compressed recording can only be replayed"):
        Recorded(counter(), packed, "record")
    for broken in (plain.read_bytes(), packed.read_bytes()[:-9]):
        packed.write_bytes(broken)
        with pytest.raises(UsageError, match="expected a recording that gzip compressed"):
            read_recording(packed)


def test_a_request_that_is_not_recorded_is_named(tmp_path):
    path = tmp_path / "r.jsonl"
    Recorded(counter(), path, "record").complete(talk("a"))
    with pytest.raises(
        ReplayMiss, match=r"r\.jsonl: no reply to request [0-9a-f]{16}, user: what is\.\.\. new; record it"
    ) as caught:
        Recorded(None, path, "replay").complete(talk("what is...\nnew"))
    assert isinstance(caught.value, InfrastructureError)


def test_a_stopped_recording_goes_on_and_keeps_what_it_has(tmp_path):
    path = tmp_path / "r.jsonl"
    Recorded(counter(), path, "record").complete(talk("a"), SCHEMA)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"key": "cut off in the mid')
    model = counter()
    again = Recorded(model, path, "record")
    assert again.complete(talk("a"), SCHEMA).recorded and not again.complete(talk("b"), SCHEMA).recorded
    assert len(model.requests) == 1 and path.read_bytes().startswith(whole)
    assert Recorded(None, path, "replay").complete(talk("b"), SCHEMA).data == {"n": 1}


def test_processes_that_share_a_file_go_on_with_one_reply(tmp_path):
    path = tmp_path / "r.jsonl"
    late = Recorded(ScriptedModel(["late"], "m"), path, "record")
    early = ScriptedModel(["early"], "m")

    def meanwhile(request):
        Recorded(early, path, "record").complete(talk("a"))
        return "late"

    late._model._replies = meanwhile
    assert late.complete(talk("a")).text == "early"
    assert Recorded(None, path, "replay").complete(talk("a")).text == "early"


def test_many_writers_lose_nothing(tmp_path):
    path = tmp_path / "r.jsonl"

    def write(number):
        model = Recorded(ScriptedModel(lambda request: request["messages"][-1]["content"] * 50, "m"), path, "record")
        return [model.complete(talk(f"{number}-{i}")).text for i in range(10)]

    with ThreadPoolExecutor(4) as pool:
        texts = [t for found in pool.map(write, range(4)) for t in found]
    replay = Recorded(None, path, "replay")
    assert [replay.complete(talk(f"{n}-{i}")).text for n in range(4) for i in range(10)] == texts


def test_wrong_replies_are_recorded_too(tmp_path):
    path = tmp_path / "r.jsonl"
    model = Recorded(ScriptedModel(["none", {"n": "x"}, {"n": 5}]), path, "record")
    replay = Recorded(None, path, "replay")
    accounts = Account(), Account()
    found = [ask(m, talk("a"), SCHEMA, account).data for m, account in zip((model, replay), accounts, strict=True)]
    assert (
        found == [{"n": 5}] * 2 and [a.calls for a in accounts] == [3, 3] and [a.recorded for a in accounts] == [0, 3]
    )
    assert accounts[0].counts() == accounts[1].counts()


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda p: Recorded(None, p / "none.jsonl", "replay"), "there is no such file"),
        (lambda p: Recorded(None, p / "r.jsonl", "record"), "needs a model to ask"),
        (lambda p: Recorded(counter(), p / "r.jsonl", "keep"), "expected one of cache, record, replay"),
        (lambda p: Recorded(ScriptedModel([], "other"), p / "r.jsonl", "record"), "model is 'scripted', here 'other'"),
        (lambda p: Recorded(counter(), p / "r.jsonl", "record", {"sha256": "1"}), "sha256 is None, here '1'"),
        (lambda p: Recorded(None, p / "text", "replay"), "expected a recording of format"),
        (lambda p: chat_model({"replay": str(p / "r.jsonl"), "model": "other"}), "of the model 'scripted', not of 'other'"),
    ],
)  # fmt: skip
def test_files_that_do_not_fit(tmp_path, build, text):
    Recorded(counter(), tmp_path / "r.jsonl", "record").complete(talk("a"))
    (tmp_path / "text").write_text("hello\n")
    with pytest.raises(UsageError, match=text):
        build(tmp_path)


@pytest.mark.parametrize(
    "reply", ['"hello"', '{"text": "a"}', '{"text": "a", "finish": "stop", "usage": [1], "cost": [null, ""]}',
              '{"text": "a", "finish": "stop", "usage": [1, "2", 3], "cost": [null, ""]}',
              '{"text": "a", "finish": "stop", "usage": [1, 2, 3], "cost": ["free", ""]}'],
)  # fmt: skip
def test_a_line_that_is_no_reply_counts_for_nothing(tmp_path, reply):
    path = tmp_path / "r.jsonl"
    Recorded(counter(), path, "record").complete(talk("a"))
    entry = read_recording(path)[1][0]
    head = path.read_text().split("\n")[0]
    path.write_text(f'{head}\n{{"key": "{entry["key"]}", "reply": {reply}}}\n')
    with pytest.raises(ReplayMiss):
        Recorded(None, path, "replay").complete(talk("a"))


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_a_key_depends_on_values_and_not_on_their_order(request_):
    turned = dict(reversed(request_.items()))
    assert key_of(request_) == key_of(turned) == key_of(json.loads(json.dumps(request_)))
    assert key_of({**request_, "more": 1}) != key_of({**request_, "more": 2})


@given(JSON)
def test_json_of_any_kind_is_read_as_it_was_written(value):
    assert decode(json.dumps(value), {}) == value


@pytest.mark.parametrize(
    ("value", "schema", "text"),
    [
        ([1, "a"], {"type": "array", "items": {"type": "integer"}}, r"reply\[1\]: expected integer, got 'a'"),
        (True, {"type": "integer"}, "reply: expected integer, got True"),
        (None, {"type": "string"}, "reply: expected string"),
        ("c", {"enum": ["a", "b"]}, "expected one of a, b, got 'c'"),
        ({}, SCHEMA, "expected n, got nothing"),
        (
            {"n": {"m": 1}},
            {"properties": {"n": {"properties": {"m": {"type": "string"}}}}},
            "reply.n.m: expected string",
        ),
        ({"n": 1, "o": 2}, {**SCHEMA, "additionalProperties": False}, "expected n, got n, o"),
    ],
)
def test_what_a_schema_refuses(value, schema, text):
    with pytest.raises(ReplyError, match=text):
        decode(json.dumps(value), schema)
    assert violation({"n": 1}, SCHEMA) == ""


def test_twice_the_same_field_is_no_reply():
    with pytest.raises(ReplyError, match="appears twice"):
        decode('{"n": 1, "n": 2}', SCHEMA)


def test_prices(monkeypatch):
    usage = Usage(1000, 100)
    known = cost_of("openai", "gpt-5-mini", usage)
    assert known.usd == pytest.approx(0.00045) and known.reason == ""
    assert cost_of("openai", "gpt-5-mini", Usage(1000, 100, 900)).usd < known.usd
    assert cost_of("openai", "nobody-knows", usage) == Cost(None, "no price is known for openai/nobody-knows")
    assert cost_of("openai", "gpt-5-mini", Usage()) == Cost(None, "the service gave no token counts")
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    assert "skillshift-gym[prices]" in cost_of("openai", "gpt-5-mini", usage).reason


def test_what_is_not_known_is_null_with_a_reason():
    account = Account()
    account.add(Completion("a", usage=Usage(10, 2), cost=Cost(0.25, "")))
    assert account.summary() == {
        "calls": 1, "recorded": 0, "prompt_tokens": 10, "completion_tokens": 2, "cached_tokens": 0, "usd": 0.25, "reason": "",
    }  # fmt: skip
    account.add(Completion("b", cost=Cost(None, "no price")))
    summary = account.summary()
    assert (summary["usd"], summary["prompt_tokens"]) == (None, None)
    assert summary["reason"] == "1 of 2 calls: no price; 1 of 2 calls: no token counts"
    assert account.counts() == {"model_calls": 2}
    account.clear()
    assert account == Account()


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({}, "needs model=NAME, or replay=FILE"),
        ({"model": "m", "api_key": "sk-1"}, "no setting 'api_key'.*environment variables only"),
        ({"model": "m", "colour": "red"}, "no setting 'colour'; expected some of model, provider"),
        ({"model": "m", "provider": "acme"}, "provider: expected one of openai, anthropic"),
        ({"model": "m", "cache": "a", "record": "b"}, "got cache and record"),
        ({"model": "m", "base_url": "http://127.0.0.1:1/v1", "stream": "perhaps"}, "stream: expected one of true"),
        ({"model": "m", "base_url": "http://127.0.0.1:1/v1", "timeout": "-1"}, "timeout: expected a positive number"),
    ],
)
def test_wrong_settings(settings, text):
    with pytest.raises(UsageError, match=text):
        chat_model(settings)


def test_settings_are_texts(tmp_path):
    model, temperature = chat_model(
        {"model": "m", "base_url": "http://127.0.0.1:1/v1", "stream": "true", "timeout": "3"}
    )
    assert (model.name, model.stream, model.client.timeout, temperature) == ("m", True, 3.0, 0.0)
    settings = {
        "model": "m",
        "provider": "anthropic",
        "base_url": "http://127.0.0.1:1",
        "record": str(tmp_path / "r.jsonl"),
    }
    recorded, temperature = chat_model(settings)
    assert (recorded.header["model"], temperature) == ("m", None)
