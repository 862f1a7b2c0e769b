"""What procedures are for, in words that a user would use: stock phrases around the site's headings, labels and buttons.

Learning reads no goal. The phrases are fixed and were written by hand with goals of the `train` split in view, some of which
they repeat; a model would bring such phrases along.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from skillshift_gym.skills.templates import literal
from skillshift_gym.vocabulary import stems

if TYPE_CHECKING:
    from skillshift_gym.agents.induction.affordances import Route
    from skillshift_gym.agents.induction.binding import Input

VISIT = ("Show all {0}", "Open the {0}", "Go to the {0}")
CHANGE = ("Change the {label} of the {0}", "Set the {label} of the {0}")


def for_each(forms: Sequence[str], abouts: Sequence[str], label: str = "") -> tuple[str, ...]:
    """Returns wordings about each of some things.

    Args:
        forms: Wordings with `{0}` for the thing and `{label}` for a part of it.
        abouts: The things.
        label: The part.
    """
    return tuple(form.format(literal(about), label=literal(label)) for about in abouts for form in forms)


def questions(topics: Sequence[str]) -> tuple[str, ...]:
    """Returns wordings of a question about a list or report."""
    return for_each(("Show the {0}", "Filter the {0}", "Count the {0}"), topics)


def searches(name: str) -> tuple[str, ...]:
    """Returns wordings of a search."""
    return tuple(f"{verb} {{{name}}}" for verb in ("Search for", "Find", "Use the search for", "Look for"))


def routed(route: Route) -> tuple[str, ...]:
    """Returns wordings of going to a page of a kind."""
    slot = f"{{{route.parameter.name}}}"
    if route.parameter.label == "page":
        return (f"Go to page {slot}", f"Show page {slot}")
    if route.parameter.label == "month":
        return (f"Open the archive of {slot}", f"Show the articles of {slot}", f"What was published in {slot}?")
    forms = ("Open the {0} {1}", "Go to the {0} {1}", "Take me to the {0} {1}", "Show the {0} {1}")
    return tuple(form.format(about, slot) for form in forms for about in route.abouts)


def looked_up(abouts: Sequence[str], keys: Sequence[Input]) -> tuple[str, ...]:
    """Returns wordings of opening an entity."""
    slot = f" {{{keys[0].name}}}" if len(keys) == 1 else ""
    return tuple(f"{w}{slot}" for w in for_each(("Open the {0}", "Find the {0}"), abouts))


def deeds(button: str, abouts: Sequence[str]) -> tuple[str, ...]:
    """Returns wordings of what a button does, such as `Cancel the order`."""
    verb, *rest = button.split()
    if rest and not stems(" ".join(rest)) & stems(" ".join(abouts)):
        noun = literal(" ".join(rest).lower())
        return (
            f"Leave a {noun}",
            *for_each((f"{literal(button)} on the {{0}}", f"{noun.capitalize()} on the {{0}}"), abouts),
        )
    return for_each((f"{literal(verb)} the {{0}}",), abouts)


def created(topics: Sequence[str]) -> tuple[str, ...]:
    """Returns wordings of making something."""
    return for_each(("Create a {0}", "Add a {0}", "Draft a new {0}", "Set up a {0}"), topics)
