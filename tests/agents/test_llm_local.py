from __future__ import annotations

import sys
from hashlib import sha256
from types import SimpleNamespace

import pytest

from skillshift_gym.agents.llm import local
from skillshift_gym.agents.llm.anthropic_chat import AnthropicChat
from skillshift_gym.agents.llm.asking import ask
from skillshift_gym.agents.llm.local import LocalServer
from skillshift_gym.agents.llm.model import Account
from skillshift_gym.agents.llm.openai_chat import OpenAIChat
from skillshift_gym.agents.llm.recording import Recorded
from skillshift_gym.errors import UsageError

SCHEMA = {
    "type": "object",
    "properties": {"choice": {"type": "string", "enum": ["1", "2", "3"]}},
    "required": ["choice"],
    "additionalProperties": False,
}
QUESTION = """Which button publishes a post? 1: "Trash" 2: "Publish" 3: "Preview".
Reply with JSON that has one field, "choice": the number of the button as a string."""
TALK = [{"role": "user", "content": QUESTION}]


class Runtime:
    """Stands in for the runtime: keeps what it is given."""

    __version__ = "1.0"

    def __init__(self):
        self.started = []

    def CommonParams(self):
        return SimpleNamespace(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())

    def Server(self, settings):
        if settings.port == 1:
            raise RuntimeError("Failed to init server")
        self.started.append(settings)
        return SimpleNamespace(listening_address="http://127.0.0.1:4711/")


@pytest.fixture
def runtime(monkeypatch):
    made = Runtime()
    monkeypatch.setitem(sys.modules, "xllamacpp", made)
    return made


@pytest.fixture
def gguf(tmp_path):
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    return path


def test_a_server_on_a_free_port_of_this_machine(runtime, gguf, monkeypatch):
    monkeypatch.setenv("SKILLSHIFT_GGUF", str(gguf))
    with LocalServer(threads=1) as server:
        assert (server.base_url, server.address) == ("http://127.0.0.1:4711/v1", "http://127.0.0.1:4711")
        digest = sha256(b"GGUF").hexdigest()
        assert server.header() == {"gguf": "model.gguf", "sha256": digest, "runtime": "xllamacpp 1.0"}
    (settings,) = runtime.started
    assert (settings.hostnames, settings.port, settings.cpuparams.n_threads) == (["127.0.0.1"], 0, 1)
    assert settings.model.path == str(gguf)


def test_the_server_as_a_command(runtime, gguf, monkeypatch, capsys):
    def interrupt(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(local.threading.Event, "wait", interrupt)
    local.main([str(gguf), "--port", "8112"])
    assert "base_url=http://127.0.0.1:4711/v1" in capsys.readouterr().out and runtime.started[0].port == 8112


def test_what_is_missing_is_named(gguf, monkeypatch, runtime):
    monkeypatch.delenv("SKILLSHIFT_GGUF", raising=False)
    with pytest.raises(UsageError, match="its path in SKILLSHIFT_GGUF; a small one is Qwen/"):
        LocalServer()
    with pytest.raises(UsageError, match="there is no such file"):
        LocalServer("nowhere.gguf")
    with pytest.raises(UsageError, match="no server on port 1: Failed to init"), LocalServer(gguf, port=1):
        pass
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(UsageError, match=r"pip install 'skillshift-gym\[local\]'"), LocalServer(gguf):
        pass


@pytest.fixture(scope="module")
def real():
    with LocalServer() as server:
        yield server


@pytest.mark.llm
@pytest.mark.parametrize("stream", [False, True])
def test_a_local_model_replies_as_the_schema_says(real, stream):
    model = OpenAIChat("local", real.base_url, stream=stream, timeout=300)
    found = model.complete(TALK, SCHEMA, 64, 0.0, 0)
    assert found.data["choice"] in ("1", "2", "3") and found.usage.prompt > 10 and found.finish == "stop"


@pytest.mark.llm
@pytest.mark.parametrize("stream", [False, True])
def test_a_local_model_behind_the_other_api(real, stream):
    model = AnthropicChat("local", real.address, stream=stream, structured="text", timeout=300)
    assert ask(model, TALK, SCHEMA, Account(), max_tokens=64).data["choice"] in ("1", "2", "3")


@pytest.mark.llm
def test_a_local_model_is_recorded_and_replayed(real, tmp_path):
    path = tmp_path / "r.jsonl"
    made = Recorded(OpenAIChat("local", real.base_url, timeout=300), path, "record", real.header())
    first = made.complete(TALK, SCHEMA)
    again = Recorded(None, path, "replay").complete(TALK, SCHEMA)
    assert (again.text, again.usage) == (first.text, first.usage) and len(made.header["sha256"]) == 64


@pytest.mark.llm
def test_a_reply_that_does_not_fit_is_cut_short(real):
    found = OpenAIChat("local", real.base_url, timeout=300).complete(
        [{"role": "user", "content": "Count to 50."}], None, 5
    )
    assert found.finish == "length" and found.usage.completion == 5
