"""The step language: text, value and text again; errors say where."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillshift_gym.errors import UsageError
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.program import (
    MAX_LIMIT,
    MAX_ROUNDS,
    RESERVED,
    VERBS,
    Act,
    Agent,
    Example,
    ForEach,
    If,
    Let,
    Name,
    Program,
    ProgramError,
    Read,
    Require,
    Stop,
    Target,
    Term,
    Text,
    Wait,
    parse,
)
from skillshift_gym.skills.templates import fill, literal, plain, slots

EXAMPLE = """
example number = "000000326"
goto "/admin/sales/order/"   # URL operation
fill {id="q" role=searchbox label="Search by keyword" sid="grid.keyword{{orders}}"} with number
press {id="q"} "Enter"
require url contains "/sales/order/" and not exists {role=dialog}
if exists {role=dialog}
click {role=button label="Close"}
else
stop "nothing to close"
end
for row in each {css="table.data-grid tbody tr"} limit 20
  click {role=checkbox} in row
  let first = text row
end
let total = text {css="td.x"}
wait until exists {role=heading label="Order # {number}"} at most 3
select {name=status} with "Pending", "On Hold"
agent "close the dialog" at most 3
scroll 0 -600
say "Done, {total}."
"""

plain_text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20) | st.sampled_from(
    ['a"b', "a\\b", "two\nlines", "x\ty", "{", "}}"]
)
names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True).filter(lambda n: n not in RESERVED)
templates = st.lists(st.one_of(plain_text.map(literal), names.map(lambda n: f"{{{n}}}")), max_size=3).map("".join)
texts = templates.map(Text)
values = texts | names.map(Name)
fields = {
    key: templates
    for key in ("test_id", "id", "name", "label", "css", "xpath", "tag", "classes", "href", "near", "sid")
}
locators = st.fixed_dictionaries(
    {"role": st.sampled_from(["button", "link", "menu item"])}, optional={**fields, "nth": st.integers(0, 99)}
).map(lambda d: Locator(**d))
targets = st.builds(Target, locators, st.just("") | names) | st.builds(Target, st.none(), names)
reads = st.just(Read("url")) | st.builds(Read, st.sampled_from(["text", "value", "count"]), targets)
terms = st.one_of(
    st.builds(Term, st.sampled_from(["exists", "checked"]), st.booleans(), targets),
    st.builds(lambda n, x: Term("given", n, name=x), st.booleans(), names),
    st.builds(
        lambda k, n, x, v: Term(k, n, name=x, value=v),
        st.sampled_from(["contains", "is"]),
        st.booleans(),
        names | st.just("url"),
        values,
    ),
)
conditions = st.lists(terms, min_size=1, max_size=3).map(tuple)


@st.composite
def acts(draw):
    verb = draw(st.sampled_from(sorted(VERBS)))
    kind = VERBS[verb]
    number = st.integers(0, 99)
    given_values = {
        "": st.just(()), "text": st.tuples(texts), "value": st.tuples(values), "with value": st.tuples(values), "number": st.tuples(number),
        "with values": st.lists(values, min_size=1, max_size=3).map(tuple), "two numbers": st.tuples(st.integers(-999, 999), number),
    }  # fmt: skip
    return Act(verb, draw(targets) if kind.target else None, draw(given_values[kind.rest]))


simple = st.one_of(
    acts(),
    st.builds(Let, names, values | reads),
    st.builds(Require, conditions),
    st.builds(Wait, conditions, st.integers(1, MAX_ROUNDS)),
    st.builds(Agent, texts, st.integers(1, MAX_ROUNDS)),
    st.builds(Stop, texts),
    st.builds(Example, names, texts),
)
blocks = lambda inner: st.lists(inner, max_size=3).map(tuple)
statements = st.recursive(
    simple,
    lambda inner: (
        st.builds(If, conditions, blocks(inner), blocks(inner))
        | st.builds(
            lambda n, t, i, b: ForEach(n, t, "" if t else i, 7, b), names, st.none() | targets, names, blocks(inner)
        )
    ),
    max_leaves=8,
)
programs = st.lists(statements, max_size=6).map(lambda found: Program(tuple(found)))


@settings(max_examples=60, deadline=None)
@given(programs)
def test_what_is_printed_reads_as_the_same_program(program):
    assert parse(str(program)) == program
    assert str(parse(str(program))) == str(program)


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(["click", "{", "}", "id", "=", '"x"', "in", "row", "if", "end", "else", "\n", "url", "9"]),
        max_size=12,
    ).map(" ".join)
)
def test_any_text_is_a_program_or_an_error_with_a_place(text):
    try:
        program = parse(text)
    except ProgramError as error:
        assert 1 <= error.line <= text.count("\n") + 1 and error.column >= 1
    else:
        assert parse(str(program)) == program


def test_the_example_of_the_documentation():
    program = parse(EXAMPLE)
    assert parse(str(program)) == program
    assert program.parameters == ("number",) and program.examples == {"number": "000000326"}
    assert "  click {role=checkbox} in row\n" in str(program) and "#" not in str(program).split("Order")[0]
    assert [s.line for s in program.walk()][:3] == [2, 3, 4]


@given(plain_text)
def test_a_literal_text_comes_back(text):
    assert plain(literal(text)) == fill(literal(text), {}) == text and slots(literal(text)) == ()


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("clik {id=a}", 1, 1, "expected a statement"),
        ('\nfill {id=a} "x"', 2, 13, "expected 'with'"),
        ("click {}", 1, 7, "expected one of test_id, id"),
        ('click {sid="a"}', 1, 7, "expected one of test_id, id"),
        ('click {id="a" id="b"}', 1, 15, "twice"),
        ('click {idd="a"}', 1, 8, "unknown"),
        ("if exists {id=a}\nclick {id=a}", 2, 1, "expected 'end'"),
        ("end", 1, 1, "without a block"),
        ('say "a{b"', 1, 5, "lone '{'"),
        ('say "\\x"', 1, 6, "expected one of"),
        (f"for x in y limit {MAX_LIMIT + 1}\nend", 1, 18, "from 1 to"),
        ("wait until exists {id=a} at most 99", 1, 34, "from 1 to 10"),
        ('goto "a" b', 1, 10, "the end of the line"),
        ('say "abc', 1, 5, "expected a word"),
        ("let not = \"a\"", 1, 5, "expected a name"),
        ("scroll 1e9 0", 1, 8, "expected a word"),
        ("say \"a\0b\"", 1, 7, "printable"),
    ],
)  # fmt: skip
def test_errors_say_where_and_what_was_expected(text, line, column, says):
    with pytest.raises(ProgramError, match=says) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    "text",
    [
        "noop\n" * 10_000,
        "back\n" * 201,
        "if exists {id=a}\n" * 9 + "back\n" + "end\n" * 9,
        "if exists {id=a}\n" * 1_000 + "end\n" * 1_000,
        "say " + '"' + "a" * 30_000 + '"',
        "\x7fELF\x01\x02\x00",
        "__import__('os').system('true')",
        "goto open('/etc/passwd')",
        "click {id=a}.__class__",
    ],
)
def test_hostile_programs_are_refused(text):
    with pytest.raises(ProgramError):
        parse(text)


def test_locators_keep_their_fields():
    locator = Locator(role="button", label="{name}", nth=0, classes="a b", sid="x{{1}}")
    assert Locator.from_json(locator.to_json()) == locator
    assert str(locator) == '{role=button label="{name}" nth=0 class="a b" sid="x{{1}}"}'
    assert locator.slots == ("name",) and locator.filled({"name": "a}b"}).label == "a}b"
    for wrong in (
        {"role": 1},
        {"id": "a{"},
        {"idd": "a"},
        {"label": "a"},
        {"id": "a", "nth": True},
        {"css": "a" * 3_000},
    ):
        with pytest.raises(UsageError):
            Locator.from_json(wrong)
