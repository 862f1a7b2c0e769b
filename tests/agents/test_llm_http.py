from __future__ import annotations

import sys
import time
from email.utils import formatdate

import pytest

from skillshift_gym.agents.llm.anthropic_chat import AnthropicChat
from skillshift_gym.agents.llm.asking import ask
from skillshift_gym.agents.llm.model import Account, ReplyError, Usage
from skillshift_gym.agents.llm.openai_chat import OpenAIChat
from skillshift_gym.agents.llm.services import Retries, ServiceError
from skillshift_gym.errors import InfrastructureError, UsageError

SCHEMA = {
    "type": "object",
    "properties": {"choice": {"type": "string", "enum": ["1", "2"]}},
    "required": ["choice"],
    "additionalProperties": False,
}
TALK = [{"role": "system", "content": "Choose."}, {"role": "user", "content": "1 or 2?"}]


class Clock:
    def __init__(self):
        self.slept = []

    def retries(self, attempts=4, longest=60.0):
        return Retries(attempts, 0.5, longest, self.slept.append)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["openai", "anthropic"])
def connect(request, service, clock):
    """Makes a model of either API behind the service."""

    def build(**options):
        options = {"retries": clock.retries(), "timeout": 5.0, **options}
        if request.param == "openai":
            return OpenAIChat("small", service.base_url, **options)
        return AnthropicChat("small", service.address, **options)

    return build


@pytest.mark.parametrize("stream", [False, True])
def test_a_reply_comes_with_data_and_tokens(connect, service, stream):
    found = connect(stream=stream).complete(TALK, SCHEMA, 50)
    assert (found.text, found.data, found.finish) == ('{"choice": "1"}', {"choice": "1"}, "stop")
    assert found.usage == Usage(40, 7, 30)
    assert found.cost.usd is None and "of one's own" in found.cost.reason
    assert not found.recorded and len(service.sent) == 1


def test_what_openai_is_sent(service):
    OpenAIChat("small", service.base_url + "/").complete(TALK, SCHEMA, 50, 0.5, 7)
    (sent,) = service.sent
    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True}}
    assert sent.path == "/v1/chat/completions"
    assert sent.body == {
        "model": "small", "messages": TALK, "max_tokens": 50, "temperature": 0.5, "seed": 7, "response_format": form
    }  # fmt: skip


def test_what_anthropic_is_sent(service):
    AnthropicChat("small", service.address).complete(TALK, SCHEMA, 50, 0.5, 7)
    (sent,) = service.sent
    system = [{"type": "text", "text": "Choose.", "cache_control": {"type": "ephemeral"}}]
    assert sent.path == "/v1/messages"
    assert sent.body == {
        "model": "small", "messages": TALK[1:], "system": system, "max_tokens": 50, "temperature": 0.5,
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
    }  # fmt: skip


def test_what_is_left_out_is_not_sent(connect, service):
    connect(structured="text", stream=True).complete(TALK[1:], SCHEMA, 50, None, None)
    body = service.sent[0].body
    assert body["stream"] is True and body["messages"] == TALK[1:]
    assert not {"temperature", "seed", "response_format", "output_config", "system"} & set(body)


def test_no_key_goes_to_a_stranger(connect, service, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-mine")
    monkeypatch.setenv("OTHER_KEY", "sk-theirs")
    connect().complete(TALK)
    connect(key_env="OTHER_KEY").complete(TALK)
    headers = [str(sent.headers) for sent in service.sent]
    assert "sk-mine" not in headers[0] + headers[1] and "sk-theirs" in headers[1]


def test_a_busy_service_is_asked_again_when_it_says(connect, service, answer, clock):
    date = formatdate(time.time() + 30, usegmt=True)
    busy = [answer(status=429, headers={"Retry-After": after}) for after in ("3", date)]
    service.script = [*busy, answer(status=429), answer()]
    assert connect().complete(TALK, SCHEMA).data == {"choice": "1"}
    assert clock.slept[0] == 3.0 and 0 < clock.slept[1] <= 30 and clock.slept[2] == 2.0
    assert len(service.sent) == 4 and all(s.body == service.sent[0].body for s in service.sent)


@pytest.mark.parametrize("status", [408, 409, 500, 502, 503, 529])
def test_a_passing_fault_is_tried_again(connect, service, answer, clock, status):
    service.script = [answer(status=status), answer(status=status), answer()]
    assert connect().complete(TALK, SCHEMA).data == {"choice": "1"}
    assert clock.slept == [0.5, 1.0]


def test_a_service_that_stays_down_is_no_measurement(connect, service, answer, clock):
    service.script = [answer("out of order", status=503)]
    with pytest.raises(ServiceError, match=r"small at http.*HTTP 503.*out of order.*4 of 4 attempts") as caught:
        connect().complete(TALK)
    assert isinstance(caught.value, InfrastructureError) and clock.slept == [0.5, 1.0, 2.0]


def test_a_service_that_wants_too_long_a_wait_is_given_up(connect, service, answer, clock):
    service.script = [answer(status=429, headers={"Retry-After": "3600"})]
    with pytest.raises(ServiceError, match=r"asks to wait 3600 s .1 of 4"):
        connect().complete(TALK)
    assert clock.slept == []


@pytest.mark.parametrize(("status", "text"), [(400, "no such schema"), (404, "no such model")])
def test_a_refusal_is_not_repeated(connect, service, answer, clock, status, text):
    service.script = [answer(text, status=status)]
    with pytest.raises(ServiceError, match=text):
        connect().complete(TALK)
    assert (len(service.sent), clock.slept) == (1, [])


@pytest.mark.parametrize("status", [401, 403, 400])
def test_no_error_shows_the_key(connect, service, answer, monkeypatch, status):
    monkeypatch.setenv("SOME_KEY", "sk-secret-1234")
    service.script = [answer("the key sk-secret-1234 is not good", status=status)]
    with pytest.raises(ServiceError) as caught:
        connect(key_env="SOME_KEY").complete(TALK)
    assert "sk-secret" not in str(caught.value) and caught.value.__cause__ is None


def test_a_slow_service_is_a_timeout(connect, service, answer, clock):
    service.script = [answer(slow=True)]
    with pytest.raises(ServiceError, match=r"Timeout.*2 of 2"):
        connect(timeout=0.1, retries=clock.retries(2)).complete(TALK)
    assert len(service.sent) == 2 and clock.slept == [0.5]


def test_a_service_that_is_gone(connect, service, clock):
    model = connect(retries=clock.retries(2))
    service.stop()
    with pytest.raises(ServiceError, match="2 of 2"):
        model.complete(TALK)


@pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b'{"choices": [{"mess', b"{}", b"[]", b"null", b'"x"'])
def test_a_broken_response_is_a_fault_of_the_service(connect, service, answer, clock, body):
    service.script = [answer(body=body), answer()]
    assert connect().complete(TALK, SCHEMA).data == {"choice": "1"}
    assert clock.slept == [0.5]


@pytest.mark.parametrize("stream", [False, True])
def test_a_response_that_breaks_off_is_asked_for_again(connect, service, answer, clock, stream):
    service.script = [answer(drop=True), answer()]
    assert connect(stream=stream).complete(TALK, SCHEMA).data == {"choice": "1"}
    assert len(service.sent) == 2


def test_a_stream_without_an_end_is_broken(connect, service, answer, clock):
    service.script = [answer(body=b": nothing\n\n"), answer()]
    assert connect(stream=True).complete(TALK, SCHEMA).data == {"choice": "1"}


@pytest.mark.parametrize(
    "text", ["", "I choose 1.", '{"choice": 1}', '{"choice": "3"}', "{}", '{"choice": "1", "x": 1}']
)
def test_a_wrong_reply_is_shown_to_the_model_and_asked_for_again(connect, service, answer, text):
    service.script = [answer(text), answer("```json\n" + '{"choice": "2"}' + "\n```")]
    account = Account()
    assert ask(connect(), TALK, SCHEMA, account).data == {"choice": "2"}
    said = service.sent[1].body["messages"][-2:]
    assert said[0] == {"role": "assistant", "content": text or "(nothing)"} and "That is wrong" in said[1]["content"]
    assert (account.calls, account.prompt_tokens) == (2, 80)


def test_wrong_replies_come_to_an_end(connect, service, answer):
    service.script = [answer("no")]
    with pytest.raises(ReplyError, match=r"small: no usable reply in 3 attempts.*expected JSON, got no") as caught:
        ask(connect(), TALK, SCHEMA, Account())
    assert not isinstance(caught.value, InfrastructureError) and len(service.sent) == 3


def test_a_reply_that_is_cut_short_is_no_reply(connect, service, answer):
    service.script = [answer('{"choice": "1"}', finish="length")]
    with pytest.raises(ReplyError, match="cut short at 9 tokens"):
        ask(connect(), TALK, SCHEMA, Account(), attempts=2, max_tokens=9)
    assert "cut short" in service.sent[1].body["messages"][-1]["content"]


@pytest.mark.parametrize(("adapter", "extra"), [(OpenAIChat, "openai"), (AnthropicChat, "anthropic")])
def test_what_is_missing_is_named(service, monkeypatch, adapter, extra):
    with pytest.raises(UsageError, match=f"{extra.upper()}_API_KEY holds no key"):
        adapter("small")
    monkeypatch.setitem(sys.modules, extra, None)
    with pytest.raises(UsageError, match=rf"pip install 'skillshift-gym\[{extra}\]'"):
        adapter("small", service.address)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"model": ""}, "name of a model"),
        ({"structured": "maybe"}, "expected 'schema' or 'text'"),
        ({"base_url": "localhost:8080"}, "expected an address"),
        ({"base_url": "http://me:secret@127.0.0.1/v1"}, "without user, password"),
        ({"base_url": "http://127.0.0.1/v1?key=secret"}, "without user, password"),
        ({"key_env": "NOT_SET"}, "NOT_SET holds no key"),
    ],
)
def test_wrong_arguments(service, options, text):
    with pytest.raises(UsageError, match=text) as caught:
        OpenAIChat(**{"model": "small", "base_url": service.base_url, **options})
    assert "secret" not in str(caught.value)


def test_the_providers_own_address_gets_its_own_key_and_names(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    model = OpenAIChat("gpt-5-mini")
    assert str(model.client.base_url) == "https://api.openai.com/v1/" and model.client.api_key == "sk-mine"
    assert "max_completion_tokens" in model._body(TALK, None)
