from __future__ import annotations

import json

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.agents.backbones.chat import ChatBackbone
from skillshift_gym.agents.backbones.lexical import LexicalBackbone
from skillshift_gym.agents.backbones.prompt import LIMIT, REPLIES, SHOWN, describe, instructions, situation
from skillshift_gym.agents.llm.model import ReplyError
from skillshift_gym.agents.memory import ToldMemory
from skillshift_gym.agents.reference import ReferenceAgent, make_backbone
from skillshift_gym.candidates import SKILL, Candidate, candidates, ranked
from skillshift_gym.context import Context, Memory
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.reading import Reading, read
from skillshift_gym.tasks import registry
from skillshift_gym.testing import ScriptedModel
from skillshift_gym.wrappers.pruning import count_tokens

PAGE = """<!DOCTYPE html><html><head><title>Tea shop</title></head><body><main><h1>Teas</h1>
<table><tr><td>Green</td><td><a href="/1">Edit</a></td></tr><tr><td>Black</td><td><a href="/2">Edit</a></td></tr></table>
<a href="/a">About us</a><a href="/b">Basket</a></main>
<form action="/find"><input type="search" name="q" aria-label="Search"><button>Search</button></form></body></html>"""
GOAL = "Find the tea “Sencha” and open it."
CALL = Candidate("cancel_order(number='7')", SKILL, name="cancels an order", slot="cancel_order")


@pytest.fixture
def context(page_of):
    page = page_of(PAGE)
    return Context(GOAL, page.url, Reading(page.axtree, page.element_list), ToldMemory())


def lines_of(request):
    """Returns what the model may reply -> the words of the candidate, as the model sees them."""
    lines = request["messages"][-1]["content"].split("\n")
    replies = request["schema"]["properties"][request["schema"]["required"][0]]["enum"]
    listed = [line.split(" ", 1)[1] for line in lines[lines.index("Actions:") + 1 : -1]]
    return dict(zip(replies, listed, strict=True))


def choosing(words):
    """A model that chooses the candidate with some words."""

    def reply(request):
        return {"choice": next(n for n, line in lines_of(request).items() if words in line)}

    return ScriptedModel(reply)


def test_the_model_decides_and_the_lexical_backbone_orders_the_rest(context):
    found = candidates(GOAL, context.reading)
    lexical = ranked(LexicalBackbone().score(found, context).tolist())
    scores = ChatBackbone(choosing("'Basket'")).score(found, context)
    order = ranked(scores.tolist())
    assert found[order[0]].name == "Basket" and order[0] != lexical[0]
    assert order[1:] == [i for i in lexical if i != order[0]]
    assert scores.shape == (len(found),) and scores.dtype == np.float32
    assert np.exp(scores[order[0]]) == pytest.approx(0.9) and np.exp(scores).sum() <= 1.0 + 1e-6
    assert scores[order[0]] - scores[order[1]] > 2


def test_two_choices_come_first_in_their_order(context):
    found = candidates(GOAL, context.reading)
    model = ScriptedModel([{"first": "3", "second": "1"}, {"first": "2", "second": "2"}])
    backbone = ChatBackbone(model, choices="2", reply="number")
    shown = sorted(ranked(LexicalBackbone().score(found, context).tolist())[:16])
    orders = [ranked(backbone.score(found, context).tolist()) for _ in range(2)]
    assert orders[0][:2] == [shown[2], shown[0]] and orders[1][0] == shown[1]
    assert "next best" in model.requests[0]["messages"][0]["content"]
    assert sorted(orders[1]) == list(range(len(found)))


def test_the_reply_can_only_be_what_is_shown(context):
    found = candidates(GOAL, context.reading)
    model = choosing("")
    for reply in ("number", "words"):
        ChatBackbone(model, top=4, reply=reply).score(found, context)
    by_number, by_words = model.requests
    assert by_number["schema"]["properties"] == {"choice": {"type": "string", "enum": ["1", "2", "3", "4"]}}
    words = by_words["schema"]["properties"]["choice"]["enum"]
    assert words == list(lines_of(by_number).values()) == list(lines_of(by_words).values()) and len(set(words)) == 4
    assert (by_words["temperature"], by_words["seed"]) == (0.0, 0)


def test_candidates_in_the_same_words_can_be_told_apart(context):
    twins = [Candidate(f"click('{n}')", "click", str(n), "link", "More") for n in (91, 92, 93)]
    other = Candidate("click('94')", "click", "94", "link", "More' (2)")
    names, text = situation([*twins, other], context)
    assert names[:3] == ["click link 'More'", "click link 'More' (2)", "click link 'More' (3)"] and len(set(names)) == 4
    assert all(f"- {name}" in text.split("\n") for name in names)


def test_what_the_model_sees(context):
    context.memory.hear("covered: the button 'Search' is behind a dialog")
    context.memory.taken += [Candidate("click('9')", "click", "9", "link", "Home")]
    model = choosing("")
    ChatBackbone(model).score([*candidates(GOAL, context.reading), CALL], context)
    text = model.requests[0]["messages"][-1]["content"]
    for line in (
        f"Task: {GOAL}", "Page: Tea shop (/)", "Headings: Teas", "You did: click link 'Home'",
        "Error of the last action: covered: the button 'Search' is behind a dialog",
    ):  # fmt: skip
        assert line in text.split("\n")
    shown = set(lines_of(model.requests[0]).values())
    assert {
        "fill searchbox 'Search' with 'Sencha'",
        "click link 'Edit' of 'Green'",
        "click link 'Edit' of 'Black'",
    } <= shown
    assert "skill cancel_order(number='7'): cancels an order" in shown


def test_a_plain_memory_tells_that_the_last_action_failed(context):
    context.memory = Memory(failed=True)
    model = choosing("")
    ChatBackbone(model).score(candidates(GOAL, context.reading), context)
    assert "Error of the last action: the last action failed" in model.requests[0]["messages"][-1]["content"]


def test_what_was_done_here_is_marked(context):
    context.memory.tried.add(
        (context.url, next(c.action for c in candidates(GOAL, context.reading) if c.name == "Basket"))
    )
    model = choosing("")
    ChatBackbone(model).score(candidates(GOAL, context.reading), context)
    assert "click link 'Basket' (done)" in lines_of(model.requests[0]).values()


def test_the_order_of_the_page_or_of_the_scores(context):
    found = candidates(GOAL, context.reading)
    first = {}
    for order in ("page", "score"):
        model = choosing("")
        ChatBackbone(model, order=order).score(found, context)
        first[order] = next(iter(lines_of(model.requests[0]).values()))
    best = ranked(LexicalBackbone().score(found, context).tolist())[0]
    assert first == {"page": "click link 'Edit' of 'Green'", "score": describe(found[best])}


def test_skills_stand_in_the_fixed_beginning(context):
    model = choosing("cancel_order")
    backbone = ChatBackbone(model)
    backbone.show_skills("cancel_order(number: str)\n    Cancels an order.")
    scores = backbone.score([*candidates(GOAL, context.reading), CALL], context)
    assert int(scores.argmax()) == len(scores) - 1
    assert "to single actions:\ncancel_order(number: str)" in model.requests[0]["messages"][0]["content"]


def test_a_single_candidate_needs_no_model(context):
    assert ChatBackbone(ScriptedModel([])).score(candidates(GOAL, context.reading)[:1], context).shape == (1,)


def test_a_model_that_never_replies_well_is_a_failure_of_the_agent(context):
    with pytest.raises(ReplyError, match="no usable reply in 2 attempts"):
        ChatBackbone(ScriptedModel(["1", "1"]), attempts=2).score(candidates(GOAL, context.reading), context)


def starts():
    """Yields the first page of every tenth task."""
    for site, env_id in (("wordpress", "SkillShift/WordPress-SrcExec-v0"), ("magento", "SkillShift/Magento-Tgt-v0")):
        env = gymnasium.make(env_id, disable_env_checker=True)
        for task in registry.task_ids(site, "bench")[::10]:
            observation, _ = env.reset(seed=0, options={"task": task})
            yield observation
        env.close()


def test_the_variable_part_is_short_and_the_rest_is_always_the_same():
    model = choosing("")
    backbone = ChatBackbone(model, top=20)
    kinds = set()
    for observation in starts():
        reading = read(observation["axtree"], observation["elements"])
        found = candidates(observation["goal"], reading)
        backbone.score(found, Context(observation["goal"], observation["url"], reading, ToldMemory()))
        kinds |= {c.primitive for c in found}
    assert len(model.requests) > 15 and kinds <= set(SHOWN)
    assert len({r["messages"][0]["content"] for r in model.requests}) == 1
    assert max(count_tokens(r["messages"][1]["content"]) for r in model.requests) <= LIMIT
    assert min(len(lines_of(r)) for r in model.requests) >= 15


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=300)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=20), WORDS, WORDS)
def test_whatever_a_page_says_the_variable_part_is_short(names, goal, error):
    shown = [Candidate(f"fill('{n}', 'x')", "fill", str(n), "textbox", *pair) for n, pair in enumerate(names)]
    context = Context(
        goal, "https://a.test/" + "x" * 500, Reading("RootWebArea ''", ""), ToldMemory(error=error, taken=shown)
    )
    for reply in REPLIES:
        names, text = situation(shown, context, reply)
        assert count_tokens(text) <= LIMIT and 1 <= len(names) == len(set(names)) <= len(shown)
    listed = text.split("\nActions:\n")[-1].split("\n")
    assert sum(line.split(":")[0].isdecimal() for line in listed) == len(names)


def test_the_actions_are_described_from_the_grammar():
    text = instructions(("choice",))
    assert "click(bid: str" in text and "send_msg_to_user(text: str)" in text and "Skills" not in text


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({}, "needs model=NAME, or replay=FILE"),
        (
            {"model": "m", "base_url": "http://127.0.0.1:1/v1", "top": "1"},
            "top: expected a whole number from 2 to 40, got '1'",
        ),
        ({"model": "m", "base_url": "http://127.0.0.1:1/v1", "choices": "3"}, "choices: expected a whole number"),
        ({"model": "m", "base_url": "http://127.0.0.1:1/v1", "order": "random"}, "order: expected 'page' or 'score'"),
        ({"model": "m", "base_url": "http://127.0.0.1:1/v1", "reply": "both"}, "reply: expected one of words, number"),
        (
            {"model": "m", "base_url": "http://127.0.0.1:1/v1", "temperature": "warm"},
            "temperature: expected a positive",
        ),
        ({"model": "m", "api_key": "sk-1"}, "no setting 'api_key'"),
        ({"model": "m", "weights": "w.json"}, "no setting 'weights'"),
    ],
)
def test_wrong_settings(settings, text):
    with pytest.raises(UsageError, match=text):
        make_backbone("chat", **settings)


def test_a_model_that_is_given_takes_no_settings_of_a_service():
    with pytest.raises(UsageError, match="'base_url' is a setting of a model that is named"):
        ChatBackbone(ScriptedModel([]), base_url="http://127.0.0.1:1")


@pytest.mark.parametrize(
    ("value", "expected"), [("", 0.0), ("0", 0.0), ("0.7", 0.7), ("none", None), (None, None), (1, 1.0)]
)
def test_temperatures(context, value, expected):
    model = choosing("")
    ChatBackbone(model, temperature=value).score(candidates(GOAL, context.reading), context)
    assert model.requests[0]["temperature"] == expected


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"backbone": "lexical", "model": "m"}, r"backbone 'lexical': .*'model'; its settings: weights"),
        ({"backbone": "chat", "weights": "w.json"}, "backbone 'chat': expected no weights"),
        ({"backbone": "chat", "key": "sk-1"}, "environment variables only"),
    ],
)
def test_settings_that_the_reference_agent_refuses(settings, text):
    with pytest.raises(UsageError, match=text):
        ReferenceAgent(**settings)


def test_usage_is_counted_by_episode(page_of):
    page = page_of(PAGE)
    agent = ReferenceAgent("chat", model=choosing(""))
    seen = {
        "goal": GOAL,
        "url": page.url,
        "axtree": page.axtree,
        "elements": page.element_list,
        "last_action_error": "",
    }
    for steps in (2, 1):
        agent.reset(None, CallRecorder())
        for _ in range(steps):
            agent.act(seen)
        assert agent.usage["calls"] == agent.counts["model_calls"] == steps
        assert (agent.usage["usd"], agent.usage["reason"]) == (0.0, "") and agent.usage["prompt_tokens"] > 100
    assert ReferenceAgent().usage is None and ReferenceAgent().counts == {}


def test_the_agent_tells_the_model_of_an_error(page_of):
    page = page_of(PAGE)
    model = choosing("'Basket'")
    agent = ReferenceAgent("chat", model=model)
    agent.reset(None, CallRecorder())
    seen = {"goal": GOAL, "url": page.url, "axtree": page.axtree, "elements": page.element_list}
    agent.act(seen)
    agent.act({**seen, "last_action_error": "stale: gone"})
    text = model.requests[1]["messages"][1]["content"]
    assert "Error of the last action: stale: gone" in text and "You did: click link 'Basket'" in text


def test_requests_are_json():
    model = choosing("")
    env = gymnasium.make("SkillShift/WordPress-Src-v0", disable_env_checker=True)
    assert isinstance(env.unwrapped, SkillShiftEnv)
    observation, _ = env.reset(seed=0)
    agent = ReferenceAgent("chat", model=model)
    agent.reset(None, CallRecorder())
    agent.act(observation)
    env.close()
    assert json.loads(json.dumps(model.requests)) == model.requests
