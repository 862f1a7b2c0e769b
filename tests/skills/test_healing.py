"""Healing: one element must stand out; each heal is judged against the true one."""

from __future__ import annotations

import pytest

from skillshift_gym.skills.finder import Finder
from skillshift_gym.skills.healing import PROPERTIES, heal
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.policy import Policy
from skillshift_gym.skills.program import parse

OLD = Locator(
    id="save-1",
    role="button",
    label="Save order",
    css="#save-1",
    xpath="/html/body/form/button[9]",
    tag="button",
    classes="primary",
    near="Total 12.00",
    sid="save",
)
PROGRAM = f"click {OLD}"


def page_with(*buttons):
    return "<body><form>Total 12.00 " + "".join(buttons) + "</form></body>"


SAVE = '<button id="x9" class="primary" data-sid="save">Save the order</button>'
CANCEL = '<button id="x8" class="other" data-sid="cancel">Cancel</button>'
TWIN = '<button id="x7" class="primary" data-sid="twin">Save the order</button>'


@pytest.mark.parametrize("healer", ["fuzzy", "similo"])
def test_a_renamed_button_is_found_and_a_twin_is_not_chosen(page_of, healer):
    page = page_of(page_with(CANCEL, SAVE))
    index = heal(OLD, Finder(page), healer)
    assert page.document.sids[index] == "save"
    assert heal(OLD, Finder(page_of(page_with(SAVE, TWIN))), healer) == -1
    assert heal(OLD, Finder(page_of("<p>nothing</p>")), healer) == -1


def test_a_name_alone_does_not_tell_one_of_several(page_of):
    page = page_of(page_with(CANCEL, SAVE))
    assert heal(Locator(role="button", label="Save order", nth=1), Finder(page), "fuzzy") == -1


def test_published_weights():
    assert {k: p.weight for k, p in PROPERTIES.items()} == {
        "tag": 1.5, "name": 1.5, "id": 1.5, "label": 1.5, "near": 1.5, "classes": 0.5, "href": 0.5, "xpath": 0.5, "role": 0.5,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("buttons", "healers", "verdict", "healer", "observed"),
    [
        ((CANCEL, SAVE), ("fuzzy",), "true", "fuzzy", "ok"),
        ((CANCEL, SAVE), ("similo",), "true", "similo", "ok"),
        ((CANCEL, TWIN), ("fuzzy", "similo"), "false", "fuzzy", "ok"),
        ((SAVE, TWIN), ("fuzzy", "similo"), "missed", "", "stale_target"),
        ((CANCEL,), ("fuzzy", "similo"), "refused", "", "stale_target"),
        ((CANCEL, SAVE), (), "missed", "", "stale_target"),
    ],
)
def test_every_heal_is_judged(run, buttons, healers, verdict, healer, observed):
    outcome, _ = run(PROGRAM, page_with(*buttons), Policy(healers=healers))
    (attempt,) = outcome.heals
    assert (attempt.verdict, attempt.healer, outcome.observed) == (verdict, healer, observed)
    assert outcome.true == ("wrong_target" if verdict == "false" else outcome.true)
    assert outcome.info()["heals"][verdict] == 1


def test_the_next_mark_of_the_cascade_counts_as_a_heal(run):
    outcome, _ = run('click {id="gone" role=button label="Cancel" sid="cancel"}', page_with(CANCEL))
    assert [(h.healer, h.verdict) for h in outcome.heals] == [("cascade", "true")] and dict(outcome.kinds) == {
        "role+name": 1
    }
    outcome, _ = run('click {id="gone" role=button label="Cancel"}', page_with(CANCEL), Policy(cascade=False))
    assert [(h.healer, h.verdict) for h in outcome.heals] == [("", "unjudged")] and outcome.observed == "stale_target"


def test_healed_locators_are_written_back(run):
    healed, _ = run(PROGRAM, page_with(CANCEL, SAVE), Policy(healers=("similo",)))
    (locator,) = parse(healed.rewritten).locators()
    assert (locator.id, locator.label, locator.sid) == ("x9", "Save the order", "save")
    again, _ = run(healed.rewritten, page_with(CANCEL, SAVE), Policy())
    assert again.ok and not again.heals and not again.rewritten
    assert run(PROGRAM, page_with(CANCEL, SAVE), Policy(healers=("similo",), write_back=False))[0].rewritten == ""
    slotted = PROGRAM.replace("Save order", "{what} order")
    assert run(slotted, page_with(CANCEL, SAVE), Policy(healers=("fuzzy",)), what="Save")[0].rewritten == ""


def test_judging_allows_other_entities_only_with_other_arguments(run):
    page = '<a href="/7" data-sid="open{orders.7}">7</a> <a href="/x" data-sid="edit{orders.7}">Edit</a>'
    program = 'example n = "5"\nclick {role=link label="{n}" sid="open{{orders.5}}"}'
    assert run(program, {"/": page, "/7": "x"}, n="7")[0].true == "ok"
    assert run(program.replace('"{n}"', '"7"'), {"/": page, "/7": "x"}, n="5")[0].true == "wrong_target"
    assert run(program.replace('"{n}"', '"Edit"'), {"/": page, "/x": "x"}, n="7")[0].true == "wrong_target"
