"""Mutators: task-preserving changes of a parsed document.

Each changes how an element is found by its attributes, its place or its look, and none what it is or does: goal, links,
field names, form owners and the role and name of interactive, landmark, heading and row elements stay. Ids are renamed
together with everything that refers to them. The exceptions are off in the registered cells and say so: `synonym`,
`decoy` and `same_name`.

Source: "SkillShift-Bench", Perceptual Shift ("task-preserving perturbations to layout, DOM structure, element
attributes, and locator signals"), and the public mutators with their low, medium and high settings, repaired.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from lxml import etree

from skillshift_gym.document import SID_ATTRIBUTE
from skillshift_gym.wrappers.fates import Fate
from skillshift_gym.wrappers.labels import show_icon, use_synonym
from skillshift_gym.wrappers.lookalikes import add_twin, decoys
from skillshift_gym.wrappers.references import rename_ids
from skillshift_gym.wrappers.structure import reorder, reorder_head, split_text, swap_tag, unwrap, wrap

Element = etree._Element
Fated = Sequence[tuple[Element, Fate]]
Change = Callable[[Element, Fate], None]

_TEST_IDS = ("data-testid", "data-test", "data-qa", "data-cy", "data-qa-selector")


class Setting(NamedTuple):
    """Probabilities of the mutators at one intensity; 0 turns a mutator off.

    Attributes:
        remove_test_id: A test id is removed.
        rename_test_id: A test id gets another value; decided in the same draw as its removal, so the two add up.
        add_class: A meaningless class is added.
        rename_class: A class is renamed.
        rename_id: An id is renamed, with all references to it.
        data: Another `data-*` attribute gets another value.
        wrap: An element is put into a `div` or `span` of its own.
        unwrap: A `div` or `span` that means nothing is taken away.
        tag: A tag is swapped for another one of equal role.
        split: A text is split by a `span` around its first words.
        noise: A meaningless `data-*` attribute is added.
        reorder: Attributes, classes, hidden fields of a posting form, or orderless elements of the head change places.
        icon: The text of a button becomes an icon; its name stays.
        synonym: A label is worded otherwise: outside the guarantee, names change.
        decoy: A look-alike of another name is put after a link or button: outside the guarantee, elements are added.
        same_name: A twin of equal role and name that does nothing is put beside a link or button: outside the guarantee.
    """

    remove_test_id: float = 0.0
    rename_test_id: float = 0.0
    add_class: float = 0.0
    rename_class: float = 0.0
    rename_id: float = 0.0
    data: float = 0.0
    wrap: float = 0.0
    unwrap: float = 0.0
    tag: float = 0.0
    split: float = 0.0
    noise: float = 0.0
    reorder: float = 0.0
    icon: float = 0.0
    synonym: float = 0.0
    decoy: float = 0.0
    same_name: float = 0.0


# Mutators after which roles, names and the number of elements need not be what they were.
UNGUARANTEED = ("synonym", "decoy", "same_name")

# Test ids and added classes: the published settings. All others: ours.
SETTINGS = {
    "low": Setting(
        remove_test_id=0.1, rename_test_id=0.1, add_class=0.2, rename_class=0.05, rename_id=0.1, data=0.1, wrap=0.03,
        unwrap=0.03, split=0.05, noise=0.1, reorder=0.1,
    ),
    "medium": Setting(
        remove_test_id=0.4, rename_test_id=0.3, add_class=0.5, rename_class=0.2, rename_id=0.4, data=0.3, wrap=0.1,
        unwrap=0.1, tag=0.4, split=0.15, noise=0.3, reorder=0.3,
    ),
    "high": Setting(
        remove_test_id=0.8, rename_test_id=0.6, add_class=0.9, rename_class=0.5, rename_id=0.8, data=0.6, wrap=0.25,
        unwrap=0.25, tag=0.8, split=0.3, noise=0.6, reorder=0.5,
    ),
}  # fmt: skip


def mutate(root: Element, fated: Fated, url: str, seed: str, setting: Setting) -> None:
    """Changes a tree in place.

    Args:
        root: The tree.
        fated: Its elements and their fates, drawn before any change.
        url: Address of the document.
        seed: The shift's seed.
        setting: Probabilities.
    """
    rename_ids(root, url, seed, setting.rename_id)
    reorder_head(root, seed, setting.reorder)
    for name, probability, change in _changes(root, setting):
        if probability > 0:
            for element, fate in fated:
                if fate.unit(name) < probability:
                    change(element, fate)


def _changes(root: Element, setting: Setting) -> list[tuple[str, float, Change]]:
    """Returns the mutators that ask each element's fate, in the order they are applied."""
    return [
        ("test_id", setting.remove_test_id + setting.rename_test_id, partial(_change_test_id, setting.remove_test_id)),
        ("rename_class", setting.rename_class, _rename_class),
        ("add_class", setting.add_class, _add_class),
        ("data", setting.data, _change_data),
        ("noise", setting.noise, _add_noise),
        ("synonym", setting.synonym, use_synonym),
        ("icon", setting.icon, show_icon),
        ("tag", setting.tag, swap_tag),
        ("split", setting.split, split_text),
        ("unwrap", setting.unwrap, unwrap),
        ("wrap", setting.wrap, wrap),
        ("reorder", setting.reorder, reorder),
        ("decoy", setting.decoy, decoys(root) if setting.decoy else _nothing),
        ("same_name", setting.same_name, add_twin),
    ]


def _nothing(element: Element, fate: Fate) -> None:
    """Changes nothing."""


def _change_test_id(removed: float, element: Element, fate: Fate) -> None:
    for name in _TEST_IDS:
        if name in element.attrib:
            if fate.unit("test_id") < removed:
                del element.attrib[name]
            else:
                element.set(name, f"{element.get(name)}-{fate.token('test_id')}")


def _rename_class(element: Element, fate: Fate) -> None:
    tokens = (element.get("class") or "").split()
    if tokens:
        tokens[-1] = fate.token("rename_class")
        element.set("class", " ".join(tokens))


def _add_class(element: Element, fate: Fate) -> None:
    tokens = (element.get("class") or "").split()
    element.set("class", " ".join([fate.token("add_class"), *tokens]))


def _change_data(element: Element, fate: Fate) -> None:
    for name in list(element.attrib):
        if str(name).startswith("data-") and name not in (*_TEST_IDS, SID_ATTRIBUTE):
            element.set(name, fate.token("data"))


def _add_noise(element: Element, fate: Fate) -> None:
    element.set(f"data-{fate.token('noise')[:4]}", fate.token("noise_value"))
