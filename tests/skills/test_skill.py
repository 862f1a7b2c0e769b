"""The record: one form for all published shapes, checked when it is made, frozen afterwards."""

from __future__ import annotations

import copy
import json
import pickle
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.errors import SkillError
from skillshift_gym.grammar import GRAMMAR
from skillshift_gym.skills import skill as module
from skillshift_gym.skills.fields import DECLARATIONS, KINDS, declared, sides
from skillshift_gym.skills.skill import Parameter, Skill, skill_of
from skillshift_gym.skills.values import MAX_TEXT, frozen, shown

RULE = {"title": "Filter first", "action": "Filter.", "trigger_type": "general"}
EXAMPLES = {
    "workflow": {"title": "Close", "steps": [{"why": "to see it", "act": "click('1')"}]},
    "function": {"doc": "Does it."},
    "page_program": {"start_route": "/orders", "test_count": 1, "events": [{"step": 4}]},
    "tool": {"steps": [{"type": "click"}]},
    "principle": {"title": "t", "principle": "p", "category": "general"},
    "mistake": {"description": "d"},
    "trigger_rule": RULE,
    "strategy": {"strategy": "s", "utility": 0.5, "uses": 3, "tier": "cache"},
    "playbook": {"workflow": [{"goal": "g", "action": "a"}]},
    "recorded": {"goal": "g", "review": [{"value": "v", "parameter": "p", "reason": "r"}]},
}


def test_each_kind_has_a_declaration_of_one_line_and_an_example():
    assert set(KINDS) == set(typing.get_args(module.Kind)) == set(EXAMPLES)
    for line in DECLARATIONS.values():
        assert "\n" not in line
        assert json.loads(line)
        assert declared(line)


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_is_what_its_json_says(kind):
    skill = Skill(name="a", kind=kind, fields=EXAMPLES[kind])
    again = skill_of(json.loads(json.dumps(skill.content)))
    assert again == skill
    assert again.hash == skill.hash
    assert pickle.loads(pickle.dumps(skill)) == copy.deepcopy(skill) == skill
    assert len({skill, again}) == 1


@pytest.mark.parametrize(
    "values, message",
    [
        ({"name": "click"}, "'click' is a primitive"),
        ({"name": "Close"}, "expected 1 to 64 of a-z"),
        ({"name": "import"}, "a word of Python's"),
        ({"parameters": [{"name": "from"}]}, "no word of Python's"),
        ({"name": "../../etc/passwd"}, "expected 1 to 64 of a-z"),
        ({"kind": "poem"}, "kind: Input should be"),
        ({"version": 0}, "version"),
        ({"version": True}, "version"),
        ({"other": 1}, "other: Extra inputs are not permitted"),
        ({"fields": {"poem": "x"}}, "fields.poem: no field of kind 'function'; expected some of doc"),
        ({"fields": {"doc": 3}}, "fields.doc: expected text, got int"),
        ({"fields": {"examples": "x"}}, "fields.examples: expected a list of texts, got str"),
        ({"fields": {"tests": -1}}, "fields.tests: expected a whole number from 0, got -1"),
        ({"fields": {"doc": "x" * (MAX_TEXT + 1)}}, "expected at most 20,000 bytes of text, got 20,001"),
        ({"fields": {"doc": "\0"}}, "binary data"),
        ({"description": "\ud800"}, "description"),
        ({"kind": "principle", "fields": {"title": "t"}}, "fields.principle: missing; kind 'principle' needs it"),
        ({"kind": "trigger_rule", "fields": {**RULE, "trigger_type": "often"}}, "expected general or beginning or"),
        ({"kind": "trigger_rule", "fields": {**RULE, "trigger_pattern": "x"}}, "expected a pattern for action_pattern"),
        (
            {"kind": "trigger_rule", "fields": {**RULE, "assertions": [{"kind": "x", "value": "y"}]}},
            "expected one of action",
        ),
        ({"kind": "workflow", "fields": {"title": "t", "steps": [{"why": "w"}]}}, "fields.steps: [0]: act is missing"),
        ({"kind": "workflow", "fields": {"title": "t", "steps": []}}, "expected something, got nothing"),
        ({"program": "while true"}, "program: line 1"),
        ({"parameters": [{"name": "a"}, {"name": "a"}]}, "parameter 'a' appears twice"),
        ({"parameters": [{"name": "__class__"}]}, "expected a name such as order_number"),
        ({"parameters": [{"name": "a", "type": "choice"}]}, "a choice has choices"),
        ({"parameters": [{"name": "a", "default": "x"}]}, "a required parameter has no default"),
    ],
)
def test_wrong_records_are_refused_with_what_was_expected(values, message):
    with pytest.raises(SkillError, match="skill") as caught:
        skill_of({"name": "a", "kind": "function", **values})
    assert message in str(caught.value)


def test_no_skill_is_named_like_a_primitive():
    for name in GRAMMAR:
        with pytest.raises(SkillError):
            skill_of({"name": name, "kind": "function"})


def test_a_record_cannot_be_changed():
    skill = Skill(name="a", kind="tool", fields={"steps": [{"type": "click"}]})
    with pytest.raises(TypeError, match="cannot be changed"):
        skill.fields["steps"] = ()
    with pytest.raises(TypeError, match="cannot be changed"):
        skill.fields["steps"][0]["type"] = "x"
    with pytest.raises(ValueError, match="frozen"):
        skill.name = "b"


def test_a_rewrite_changes_content_and_refuses_the_retrieval_side():
    skill = Skill(name="a", kind="principle", fields=EXAMPLES["principle"])
    assert skill.rewritten(principle="other").fields["principle"] == "other"
    for name in ("title", "category", "name", "description", "nothing"):
        with pytest.raises(SkillError, match="a rewrite may change"):
            skill.rewritten(**{name: "x"})
    assert sides("principle")["when_to_apply"] == "content"


def test_callable_is_what_has_a_program():
    assert not Skill(name="a", kind="function", program="  \n").callable
    assert Skill(name="a", kind="function", program='goto "/"').callable


def test_signature_says_how_it_is_called():
    parameters = (Parameter(name="number"), Parameter(name="notify", type="boolean", required=False, default=False))
    assert (
        Skill(name="a", kind="function", parameters=parameters).signature == "a(number: text, notify: boolean = False)"
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
    max_leaves=10,
)  # fmt: skip


@given(JSON)
def test_frozen_values_are_the_same_json(value):
    assert json.dumps(frozen(value)) == json.dumps(value)


@given(st.text())
def test_what_is_shown_holds_no_control_character(text):
    assert all(c.isprintable() or c == "\n" for c in shown(text))


def test_a_terminal_is_not_written_to_by_a_record():
    assert shown("\x1b[2J\u202eabc\r") == "\\x1b[2J\\u202eabc\\r"
