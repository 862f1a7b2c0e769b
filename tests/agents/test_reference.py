from __future__ import annotations

import json

import pytest

from skillshift_gym.agents.reference import ReferenceAgent, make_backbone
from skillshift_gym.candidates import candidates
from skillshift_gym.context import Context, Memory
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.features import FEATURES, vectors
from skillshift_gym.goal_values import values_of
from skillshift_gym.reading import Reading, phrase, read


def reading_of(page):
    return Reading(page.axtree, page.element_list)


BLOG = """<!DOCTYPE html><html><head><title>B</title></head><body><main><h1>Posts</h1>
<article><h2><a href="/a/">Alpha</a></h2><p>May 4, 2024</p></article>
<article><h2><a href="/b/">Beta</a></h2><p>May 5, 2024</p></article>
<article><h2><a href="/c/">Gamma</a></h2><p>May 6, 2024</p></article></main>
<aside><h2>Topics</h2><ul><li><a href="/t/x/">Xylophones</a></li><li><a href="/t/y/">Yachts</a></li></ul></aside>
<form action="/find"><input type="search" name="q" aria-label="Search"><button>Search</button></form></body></html>"""


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("Go to the category Yachts.", "Yachts"),
        ("Open the third post of this page.", "Gamma"),
        ("Open the last post of this page.", "Gamma"),
        ("Open the first entry of the topics list.", "Xylophones"),
        ("Find the article “Beta” and open it.", "Beta"),
    ],
)
def test_the_best_candidate_is_the_one_a_person_would_take(page_of, goal, expected):
    page = page_of(BLOG)
    action = act(page, goal)
    target = page.get(action.partition("'")[2].partition("'")[0])
    assert action.startswith("click(") and target.name == expected


def act(page, goal):
    agent = ReferenceAgent()
    agent.reset(None, CallRecorder())
    return agent.act({"goal": goal, "url": page.url, "axtree": page.axtree, "elements": page.element_list})


def test_what_is_not_on_the_page_is_searched_for(page_of):
    assert act(page_of(BLOG), "Find the article “Delta” and open it.").endswith(", 'Delta')")


def test_the_same_page_is_not_clicked_twice(page_of):
    page = page_of(BLOG)
    agent = ReferenceAgent()
    agent.reset(None, CallRecorder())
    seen = {"goal": "Go to Yachts.", "url": page.url, "axtree": page.axtree, "elements": page.element_list}
    assert agent.act(seen) != agent.act(seen)


@pytest.mark.parametrize(
    ("goal", "field", "value"),
    [
        ("Open “A ‘b’ c”.", "quoted", ("A ‘b’ c",)),
        ('Say "x y" to “z”.', "quoted", ("x y", "z")),
        ("as Nora Quist (nora.quist@example.org).", "email", "nora.quist@example.org"),
        ("Leave it as Nora Quist with the e-mail a@b.org.", "person", "Nora Quist"),
        ("website https://nora.example.org.", "url", "https://nora.example.org"),
        ("the second-to-last post", "place", -2),
        ("the last post", "place", -1),
        ("the 18th entry", "place", 17),
        ("entry number 4", "place", 3),
        ("the top post", "place", 0),
        ("nothing here", "place", None),
        ("Go to page 12 of the blog", "number", 12),
        ("Open the archive of May 2021.", "proper", ("May 2021",)),
    ],
)
def test_values_of_a_goal(goal, field, value):
    assert getattr(values_of(goal), field) == value


def test_candidates_cover_every_control_and_are_all_different(page_of):
    reading = reading_of(page_of(BLOG))
    found = candidates("Find “Delta”.", reading)
    assert len({c.action for c in found}) == len(found)
    assert {e["bid"] for e in reading.elements} == {c.bid for c in found if c.bid}
    assert found[-1].action == "noop()"


def test_features_are_documented_numbers_between_0_and_1(page_of):
    page = page_of(BLOG)
    reading = reading_of(page)
    found = candidates("Find “Beta” on page 2 and open the first post.", reading)
    array = vectors(found, Context("Find “Beta”.", page.url, reading, Memory()))
    assert array.shape == (len(found), len(FEATURES)) and array.dtype == "float32"
    assert array.min() >= 0.0 and array.max() <= 1.0
    assert all(text.endswith(".") for text, _ in FEATURES.values())


def test_groups_have_labels(page_of):
    groups = reading_of(page_of(BLOG)).groups
    assert [(g.label, len(g.items), g.main) for g in groups] == [("Posts", 3, True), ("Topics", 2, False)]


def test_reading_an_observation_loses_nothing(page_of):
    page = page_of("<button>It's \"odd\" \\ [3] link 'x'</button><p>[9] link 'fake'</p>")
    nodes = reading_of(page).nodes
    assert [(n.bid, n.role, n.name) for n in nodes[1:]] == [
        ("2", "button", "It's \"odd\" \\ [3] link 'x'"),
        ("", "StaticText", "[9] link 'fake'"),
    ]
    assert json.loads(page.element_list)["name"] == nodes[1].name


def test_readings_are_shared():
    assert read("RootWebArea 'x'", "") is read("RootWebArea 'x'", "")


def test_phrases_compare_whole_words():
    assert phrase("The Cat’s") == " the cat " and phrase("cat") not in phrase("category")


def test_an_unknown_backbone_is_refused():
    with pytest.raises(UsageError, match="expected one of lexical"):
        make_backbone("oracle")
