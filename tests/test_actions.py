import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym import actions
from skillshift_gym.actions import Primitive, SkillCall, format_action, parse, parse_lines
from skillshift_gym.errors import MalformedAction
from skillshift_gym.grammar import BUTTONS, GRAMMAR, MODIFIERS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("click('12')", Primitive("click", ("12", "left", ()))),
        ("click(12)", Primitive("click", ("12", "left", ()))),
        ("  click( bid = '12', modifiers=['Shift'] ) ", Primitive("click", ("12", "left", ("Shift",)))),
        ("fill('7', 'it\\'s')", Primitive("fill", ("7", "it's"))),
        ('fill("7", "a\\nb")', Primitive("fill", ("7", "a\nb"))),
        ("select_option('9', ['a', 'b'])", Primitive("select_option", ("9", ("a", "b")))),
        ("scroll(0, 600)", Primitive("scroll", (0.0, 600.0))),
        ("noop()", Primitive("noop", (1000.0,))),
        ("tab_focus(1)", Primitive("tab_focus", (1,))),
        ("close_order(3, reason='late')", SkillCall("close_order", (3,), (("reason", "late"),))),
    ],
)
def test_a_call_is_read(text, expected):
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty action"),
        ("click", "expected a call"),
        ("click('1'", "expected a call"),
        ("click()", "'bid' is missing"),
        ("click('1', 'left', [], 'x')", "at most 3 arguments"),
        ("click('1', where='x')", "unexpected argument 'where'"),
        ("click('1', bid='2')", "unexpected argument 'bid'"),
        ("click('1', button='up')", "one of 'left'"),
        ("fill('1', 5)", "a string for 'value'"),
        ("fill('1', None)", "a string"),
        ("goto(open('x'))", "malformed"),
        ("click('1'); click('2')", "expected one action, got 2"),
        ("os.system('ls')", "plain name"),
        ("click(*['1'])", "unpacking"),
        ("click(**{'bid': '1'})", "unpacking"),
        ("import os", "expected a call"),
        ("scroll(0, 1e300)", "a number"),
        ("scroll(0, True)", "a number"),
        ("tab_focus(1.5)", "whole number"),
        ("click('1')\x00", "expected a call"),
        ("(" * 500 + ")" * 500, "expected a call"),
        ("a" * 20_000, "at most 10000 characters"),
        ("noop(" + "9" * 5_000 + ")", "expected a call"),
    ],
)
def test_anything_else_is_refused_with_what_was_expected(text, message):
    with pytest.raises(MalformedAction, match=message):
        parse(text)


def test_several_lines_are_several_calls():
    assert [c.name for c in parse_lines("click('1')\nfill('2', 'x')\nsend_msg_to_user('a')")] == [
        "click",
        "fill",
        "send_msg_to_user",
    ]


def test_lone_surrogates_become_the_replacement_character():
    assert parse("fill('1', '\\ud800')").args[1] == "\ufffd"


texts = st.text(max_size=30)
values = {
    "bid": st.text(min_size=1, max_size=10, alphabet="0123456789abc"),
    "str": texts.filter(lambda t: t.encode("utf-8", "ignore").decode() == t),
    "key": st.sampled_from(["Enter", "Control+a", "x"]),
    "int": st.integers(-99, 99),
    "float": st.floats(-1e6, 1e6),
    "options": st.lists(st.sampled_from(["a", "b'", "ü"]), max_size=3).map(tuple),
    "button": st.sampled_from(BUTTONS),
    "modifiers": st.lists(st.sampled_from(MODIFIERS), max_size=2).map(tuple),
}


@st.composite
def primitives(draw):
    signature = GRAMMAR[draw(st.sampled_from(sorted(GRAMMAR)))]
    return Primitive(signature.name, tuple(draw(values[p.kind]) for p in signature.parameters))


@given(primitives())
def test_formatting_and_parsing_are_inverse(primitive):
    assert parse(format_action(primitive)) == primitive


@given(st.text(max_size=200))
def test_parsing_raises_nothing_but_its_own_error(text):
    try:
        parse_lines(text)
    except MalformedAction as error:
        assert error.code == "malformed"


def test_the_shown_documentation_is_generated_from_the_grammar():
    text = actions.document()
    for name, signature in GRAMMAR.items():
        assert f"{name}(" in text
        assert signature.example in text
        assert isinstance(parse(signature.example), Primitive)
    assert actions.document(["noop"]).startswith("noop(wait_ms: float = 1000)")
