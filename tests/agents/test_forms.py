"""What the goal gives for grids and forms, and the features that say so."""

from __future__ import annotations

from datetime import date

import pytest

from skillshift_gym.agents.reference import ReferenceAgent
from skillshift_gym.answers import asked_slots, table_answers
from skillshift_gym.candidates import candidates
from skillshift_gym.context import Context, Memory
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.features import FEATURES, vectors
from skillshift_gym.forms import entries, fields_of, plan_of
from skillshift_gym.goal_values import values_of
from skillshift_gym.outlook import folded, form_parts
from skillshift_gym.reading import Reading
from skillshift_gym.spans import span_of
from skillshift_gym.tables import kinds_of, main_table
from skillshift_gym.vocabulary import stem

HEAD = "<!DOCTYPE html><html><head><title>B</title></head><body><main>"
GRID = (
    HEAD
    + """<h1>Boats</h1><p>Total 3 records found</p>
<form action="/go"><button>Search</button></form><table><thead>
<tr><th>No.</th><th>Built On</th><th>Owner Name</th><th>Tonnes</th><th>Worth</th><th>State</th><th>Action</th></tr>
<tr><th><input aria-label="No." name="no"></th>
<th><input aria-label="Built On From" name="f"><input aria-label="Built On To" name="t"></th>
<th><input aria-label="Owner Name" name="o"></th><th><input aria-label="Tonnes From" name="tf"><input aria-label="Tonnes To" name="tt"></th><th></th>
<th><select aria-label="State" name="s"><option></option><option>Afloat</option><option>Sunken</option><option>Laid Up</option>
<option>Sold</option><option>Lost</option></select></th><th></th></tr></thead><tbody>
<tr><td>000301</td><td>Jun 3, 2023 9:00:00 AM</td><td>Ada Pike</td><td>12</td><td>$1,200.50</td><td>Afloat</td><td><a href="/b/3">Edit</a></td></tr>
<tr><td>000207</td><td>May 9, 2023 7:00:00 AM</td><td>Bo Carp</td><td>7</td><td>$300.00</td><td>Sunken</td><td><a href="/b/2">Edit</a></td></tr>
<tr><td>000105</td><td>May 1, 2023 8:00:00 AM</td><td>Bo Carp</td><td>9</td><td>$99.50</td><td>Afloat</td><td><a href="/b/1">Edit</a></td></tr>
</tbody></table></main></body></html>"""
)
FORM = (
    HEAD
    + """<h1>Boat</h1><form action="/save"><button>Save</button>
<details open><summary>Main</summary><label>Name * <input name="name"></label><label>Worth <input name="w" value="40.00"></label>
<label>Groups <select name="g" multiple><option>Crew</option><option>Guests</option><option>Rowers</option></select></label>
<label><input type="checkbox" name="x">Teal</label></details>
<details><summary>Engine</summary><p>None</p></details></form></main></body></html>"""
)


def reading_of(page):
    return Reading(page.axtree, page.element_list)


def named(reading, name):
    return next(e["bid"] for e in reading.elements if e["name"] == name)


@pytest.mark.parametrize(
    ("goal", "field", "value"),
    [
        ("Sink boat 000000326.", "codes", ("000000326",)),
        ("Whose number is 555-745-4687?", "codes", ("555-745-4687",)),
        ("Use the SKU N46-TANS.", "codes", ("N46-TANS",)),
        ("Rename the page about-us.", "slugs", ("about-us",)),
        ("priced at $1,075.5, 20 percent off", "amounts", ("1075.50", "20.00")),
        ("20 percent off", "percent", 20.0),
        ("Name those with 17 to 19 tonnes.", "numbers", ("17", "19")),
        ("the three newest boats", "many", 3),
        ("Ship it to 11 Tanner Yard, Saint Brook, Oregon 97145.", "parts", ("11 Tanner Yard", "Saint Brook", "Oregon", "97145")),
        ("from Dec 1, 2023 to Feb 13, 2024", "parts", ()),
        ("in March 2024", "numbers", ()),
    ],
)  # fmt: skip
def test_values_for_forms(goal, field, value):
    assert getattr(values_of(goal), field) == value


@pytest.mark.parametrize(
    ("goal", "first", "last"),
    [
        ("boats built in February 2024", "2024-02-01", "2024-02-29"),
        ("boats from January to May 2024", "2024-01-01", "2024-05-31"),
        ("from November 2023 to January 2024", "2023-11-01", "2024-01-31"),
        ("in the second quarter of 2023", "2023-04-01", "2023-06-30"),
        ("sold in 2023", "2023-01-01", "2023-12-31"),
        ("between Dec 1, 2023 and Feb 13, 2024", "2023-12-01", "2024-02-13"),
        ("Today is Jun 28, 2024. The last 14 days, today included.", "2024-06-15", "2024-06-28"),
        ("Over the last 7 days, today included. Today is Jun 28, 2024.", "2024-06-22", "2024-06-28"),
        ("Today is Jun 28, 2024. Boats of last month.", "2024-05-01", "2024-05-31"),
        ("Today is Jun 28, 2024. Boats of the previous quarter.", "2024-01-01", "2024-03-31"),
        ("Today is Jun 28, 2024. Boats of this year so far.", "2024-01-01", "2024-06-28"),
    ],
)
def test_stretches_of_days(goal, first, last):
    assert span_of(goal) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize("goal", ["Show all boats.", "the last 14 days", "Feb 31, 2024", "May I?"])
def test_no_stretch_of_days(goal):
    assert span_of(goal) is None


def test_words_of_one_family_share_a_stem():
    for family in ("cancel cancelled canceled cancellations", "price prices cost", "page pages", "qty units stock"):
        assert len({stem(w) for w in family.split()}) == 1, family


def test_a_table_is_read_with_what_its_columns_hold(page_of):
    table = main_table(reading_of(page_of(GRID)))
    assert len(table.rows) == 3 and table.header[:3] == ("No.", "Built On", "Owner Name")
    assert kinds_of(table) == ("text", "date", "text", "number", "money", "text", "text")


def test_days_and_options_go_into_the_filters_they_are_for(page_of):
    reading = reading_of(page_of(GRID))
    plan = plan_of("Show the Sunken boats built in May 2023.", reading, frozenset())
    names = {reading.by_bid[bid]["name"]: (e.slot, e.value) for bid, e in plan.items()}
    assert names == {
        "Built On From": ("from", "5/1/2023"),
        "Built On To": ("to", "5/31/2023"),
        "State": ("option", "Sunken"),
    }


def test_a_value_is_due_once(page_of):
    reading = reading_of(page_of(GRID))
    goal = "Scrap the boat with the no. 000207."
    assert "000207" in {e.value for e in plan_of(goal, reading, frozenset()).values()}
    assert "000207" not in {e.value for e in plan_of(goal, reading, frozenset(["000207"])).values()}


@pytest.mark.parametrize(
    ("goal", "value"),
    [("Raise its worth by 20 percent.", "48.00"), ("Lower its worth by $2.50.", "37.50"), ("Set its worth to $70.00.", "70.00")],
)  # fmt: skip
def test_amounts_are_computed_from_what_a_field_shows(page_of, goal, value):
    reading = reading_of(page_of(FORM))
    assert plan_of(goal, reading, frozenset())[named(reading, "Worth")].value == value
    done = plan_of(goal, reading, frozenset(["40.00"]))  # what it shows was entered
    assert named(reading, "Worth") not in done


def test_all_options_of_a_list_at_once(page_of):
    reading = reading_of(page_of(FORM))
    found = [c.action for c in candidates("Make a boat “Eel” for all groups.", reading)]
    assert f"select_option('{named(reading, 'Groups')}', ['Crew', 'Guests', 'Rowers'])" in found


@pytest.mark.parametrize(
    ("goal", "slot", "value"),
    [
        ("How many boats are there?", "count", "3"),
        ("Who is the owner of the newest boat?", "first", "Ada Pike"),
        ("What is the no. of the oldest boat?", "last", "000105"),
        ("Add up the worth of the last 2 boats.", "sum", "$1,500.50"),
        ("Which owner has the most boats?", "most", "Bo Carp"),
        ("List the owners of the 2 boats.", "list", "Ada Pike; Bo Carp"),
        ("How many boats were built each month from May 2023 to June 2023?", "months", "05:2, 06:1"),
        ("Who owns the boat 000207, and what is its worth?", "matched", "Bo Carp, $300.00"),
    ],
)
def test_answers_from_a_table(page_of, goal, slot, value):
    assert (slot, value) in [(a.slot, a.value) for a in table_answers(goal, reading_of(page_of(GRID)))]
    assert slot in asked_slots(goal) or slot == "matched"


def test_what_is_no_question_is_not_answered():
    for goal in ("Cancel order 000000326.", "Please scrap the boat with the number 12.", "Show all boats."):
        assert asked_slots(goal) == frozenset()


def test_options_are_chosen_not_clicked(page_of):
    reading = reading_of(page_of(GRID))
    assert not [c for c in candidates("Show Sunken boats.", reading) if c.primitive == "click" and c.name == "Sunken"]


def test_parts_of_a_form_are_unfolded_in_order(page_of):
    reading = reading_of(page_of(FORM))
    assert form_parts(reading) == (named(reading, "Engine"),) == tuple(folded(reading))


@pytest.mark.parametrize(
    ("goal", "start"),
    [
        ("Show the boats built in May 2023.", "fill("),
        ("Paint it in Teal.", "click("),
        ("Raise its worth by 20 percent.", "fill("),
    ],
)
def test_the_agent_fills_what_the_goal_gives(page_of, goal, start):
    page = page_of(GRID if "boats" in goal else FORM)
    agent = ReferenceAgent()
    agent.reset(None, CallRecorder())
    seen = {"goal": goal, "url": page.url, "axtree": page.axtree, "elements": page.element_list}
    assert agent.act(seen).startswith(start)


@pytest.mark.parametrize("html", [GRID, FORM])
@pytest.mark.parametrize("last", ["", "fill", "click"])
def test_features_of_forms_are_between_0_and_1(page_of, html, last):
    reading = reading_of(page_of(html))
    for goal in (
        "Add a boat “Eel” at $20.00.",
        "Which owner has the most boats built in May 2023?",
        "Raise it by 5 percent to Teal.",
    ):
        context = Context(goal, "", reading, Memory(last=last))
        array = vectors(candidates(goal, reading), context)
        assert array.min() >= 0.0 and array.max() <= 1.0 and array.shape[1] == len(FEATURES)
        assert all(0.0 <= e.fit <= 1.0 for bid in fields_of(reading) for e in entries(goal, reading, bid))
