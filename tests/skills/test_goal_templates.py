"""Goals as templates: which goal a skill serves, and the arguments that the goal gives."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.skills.goal_templates import arguments, fit, matched, template_of
from skillshift_gym.skills.skill import Parameter, Skill

CANCEL = "Cancel order {number}."


def skill(description, *parameters, program="noop", goal=""):
    lines = program if program != "noop" else 'key "Escape"'
    return Skill(
        name="a_skill",
        kind="recorded",
        description=description,
        parameters=parameters,
        program=lines,
        fields={"goal": goal},
    )


@pytest.mark.parametrize(
    ("template", "goal", "values"),
    [
        (CANCEL, "Cancel order 000000326.", {"number": "000000326"}),
        (CANCEL, "cancel  order 7", {"number": "7"}),
        ("Open the post called “{title}”.", 'Open the post called "Camping".', {"title": "Camping"}),
        ("Open “{title}”. | Show the article {title}.", "Show the article Camping.", {"title": "Camping"}),
        ("From {a} to {b}.", "From May 1, 2023 to Aug 12, 2023.", {"a": "May 1, 2023", "b": "Aug 12, 2023"}),
        ("Compare {a} with {a}.", "Compare red with red.", {"a": "red"}),
        ("Set {{x}} to {x}.", "Set {x} to 7.", {"x": "7"}),
        ("Home.", "Home", {}),
    ],
)
def test_a_goal_that_says_what_a_template_says_gives_the_values(template, goal, values):
    assert matched(template, goal) == values
    assert fit(template, goal) == 1.0


@pytest.mark.parametrize("goal", ["Ship order 7.", "Cancel order", "Please do not cancel order 7.", "Cancel order ."])
def test_another_goal_does_not_match(goal):
    assert matched(CANCEL, goal) is None
    assert fit(CANCEL, goal) < 1.0


def test_a_repeated_slot_must_say_the_same_twice():
    assert matched("Compare {a} with {a}.", "Compare red with blue.") is None


@given(st.text(st.sampled_from('abc {}."“”*?()[]|\\'), max_size=30), st.text(max_size=30))
def test_fit_is_a_share_and_never_raises(template, goal):
    template = re.sub(r"[{}]", "", template)
    assert 0.0 <= fit(template, goal) <= 1.0


@given(st.lists(st.sampled_from(["red", "seven ships", "x-1", "“B”"]), min_size=2, max_size=2))
def test_a_template_filled_in_matches_and_gives_back_its_values(values):
    first, second = values
    found = matched("Move {one} behind the {two}.", f"Move {first} behind the {second}.")
    assert found == {"one": first.strip("“”"), "two": second.strip("“”")}


def test_the_goal_of_a_recording_becomes_a_template():
    made = skill(
        "cancel an order", Parameter(name="number"), goal="Please cancel the order 000000326.",
        program='example number = "000000326"\nfill {id="q"} with number',
    )  # fmt: skip
    assert template_of(made) == "Please cancel the order {number}."
    assert arguments(made, "Please cancel the order 000000327.") == {"number": "000000327"}


def test_a_goal_in_other_words_gives_values_of_the_kind_that_was_recorded():
    made = skill(
        "rename a page", Parameter(name="title"), Parameter(name="key"), goal="Rename the page with the URL key about-us to “Our Story”.",
        program='example title = "Our Story"\nexample key = "about-us"\nfill {id="q"} with key\nfill {id="t"} with title',
    )  # fmt: skip
    assert arguments(made, "The page at terms-of-sale shall be called “Small Print”.") == {
        "title": "Small Print", "key": "terms-of-sale",
    }  # fmt: skip


def test_a_call_without_a_needed_value_is_not_to_be_had():
    made = skill("Search for “{text}”", Parameter(name="text"), program='fill {id="q"} with text')
    assert arguments(made, "Go home.") is None


def test_a_choice_is_what_the_goal_names():
    made = skill(
        "Filter orders", Parameter(name="status", type="choice", choices=("On Hold", "Closed")), program='select {id="s"} with status'
    )  # fmt: skip
    assert arguments(made, "Show the orders that are on hold.") == {"status": "On Hold"}
    assert arguments(made, "Show the orders that are disclosed.") is None
