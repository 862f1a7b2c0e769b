"""Slots of goals: laid side by side, goals of a family show what a call must be given."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.agents.induction.slots import wordings
from skillshift_gym.skills.goal_templates import matched
from skillshift_gym.skills.templates import slots
from skillshift_gym.tasks import registry


def test_goals_of_one_wording_share_a_template_and_give_their_values():
    (one,) = wordings(["Cancel order 7 now.", "Cancel order 12 now."])
    (slot,) = slots(one.template)
    assert one.template == f"Cancel order {{{slot}}} now."
    assert [one.values[i][slot] for i in (0, 1)] == ["7", "12"]


def test_two_wordings_are_kept_apart():
    found = wordings(
        ["Open the post called “A B”.", "Find the article titled “C” and open it.", "Open the post called “D”."]
    )
    assert [sorted(w.values) for w in found] == [[0, 2], [1]]


def test_a_slot_is_named_after_the_field_that_its_value_was_typed_into():
    (one,) = wordings(["Search for “tea”.", "Search for “milk”."], {"tea": "Search query"})
    assert slots(one.template) == ("search_query",)


def test_a_goal_alone_has_slots_for_what_looks_like_a_value():
    (one,) = wordings(["Rename the page with the URL key about-us to “Our Story”."])
    assert sorted(one.values[0].values()) == ["Our Story", "about-us"]


@pytest.mark.parametrize("site", ["wordpress", "magento"])
def test_every_goal_of_a_family_matches_the_template_it_helped_to_make(site):
    for family in registry.families(site)[::7]:
        goals = [family.task(n).goal for n, i in enumerate(family.instances) if i.split == "train"][:6]
        for wording in wordings(goals):
            for place, values in wording.values.items():
                found = matched(wording.template, goals[place])
                assert found is not None, (wording.template, goals[place])
                assert set(found) == set(values)


@given(
    st.lists(st.sampled_from(["7", "12", "“tea”", "“green tea”", "May 2023", "Fern Hollow"]), min_size=1, max_size=4)
)
def test_templates_cover_every_goal_once(values):
    goals = [f"Please show {v} to me now." for v in values]
    found = wordings(goals)
    assert sorted(place for w in found for place in w.values) == list(range(len(goals)))
    for one, other in pairwise(found):
        assert one.template != other.template or len(set(goals)) == 1
