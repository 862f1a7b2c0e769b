"""Perceptual shift: the page looks and is built otherwise; what it means stays.

Source: "SkillShift-Bench", Perceptual Shift. The published script draws from a running generator while the page loads;
here an element's fate is a hash of the seed, the mutator and its key, so that it is the same at any time and in any
browser, and the page is changed before a browser gets it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
from gymnasium.utils import RecordConstructorArgs
from lxml import etree

from skillshift_gym.actions import Primitive
from skillshift_gym.document import PageFilter
from skillshift_gym.errors import UsageError
from skillshift_gym.page import Page
from skillshift_gym.shift import Episode, Overlay
from skillshift_gym.wrappers.exclusive import install
from skillshift_gym.wrappers.fates import fates
from skillshift_gym.wrappers.mutators import SETTINGS, Setting, mutate

NAME = "perceptual"
# Looks only: nothing here hides, covers or moves a control out of its place. A class that was renamed takes its rules
# with it, so all text gets a colour and a ground that belong together, pictures keep a size that leaves room for the
# rest, and words stay apart; `:not(#_)` outweighs the site's own rules and leaves inline styles, a blocker's, alone.
_LEGIBLE = (
    "body{{background:{ground};overflow-wrap:anywhere}}body :not(#_){{background:none;color:{ink}}}"
    "body a:not(#_),body summary:not(#_){{color:{link};margin-inline-end:.2em}}body a :not(#_){{color:inherit}}"
    "body img:not(#_){{max-width:100%;max-height:320px}}"
)
_PUSH = "button:not(#_),input:is([type=submit],[type=button],[type=reset]):not(#_)"
STYLES = {
    "low": _LEGIBLE.format(ground="#fdfcf7", ink="#2b2b2b", link="#14507a")
    + "body{line-height:1.7}a{text-decoration:underline}",
    "medium": _LEGIBLE.format(ground="#fff", ink="#222", link="#7a1f5c")
    + f"body{{font-family:Georgia,serif;line-height:1.7}}{_PUSH},input{{border-radius:0}}",
    "high": _LEGIBLE.format(ground="#f3f6f1", ink="#1a1f1a", link="#7a1f5c")
    + "body{font-family:Georgia,serif;letter-spacing:.3px;word-spacing:1px}input{border-radius:0}"
    + f"{_PUSH}{{border:2px dashed #b3202c;border-radius:0;color:#b3202c;background:#fff}}",
}


class PerceptualFilter:
    """A page filter: a pure function of the document, the seed and the setting.

    Args:
        seed: The shift's seed.
        setting: Probabilities of the mutators.
        style: Style sheet to add, empty for none.
    """

    def __init__(self, seed: str, setting: Setting, style: str) -> None:
        self.key = f"perceptual:{seed}:{tuple(setting)}:{style}"
        self._seed, self._setting, self._style = seed, setting, style

    def __call__(self, root: etree._Element, url: str) -> None:
        """Changes the tree in place."""
        mutate(root, fates(root, self._seed), url, self._seed, self._setting)
        head = root.find("head")
        if self._style and head is not None:
            etree.SubElement(head, "style").text = self._style


class PerceptualShiftState:
    """The shift behind `PerceptualShift`: one page filter an episode.

    Args:
        setting: Probabilities of the mutators.
        style: Style sheet to add.
        seed: Seed; by default it follows the episode's seed and task.
    """

    name = NAME

    def __init__(self, setting: Setting, style: str, seed: int | None) -> None:
        self._setting, self._style, self._fixed = setting, style, seed
        self._seed = ""

    def begin(self, episode: Episode) -> None:
        """Starts an episode."""
        self._seed = f"{episode.seed}:{episode.task}" if self._fixed is None else str(self._fixed)

    def filters(self) -> tuple[PageFilter, ...]:
        """Returns the filter of the episode."""
        return (PerceptualFilter(self._seed, self._setting, self._style),)

    def before(self, primitive: Primitive, page: Page, overlay: Overlay) -> None:
        """Refuses nothing."""

    def after(self, primitive: Primitive | None, page: Page, overlay: Overlay, *, failed: bool = False) -> None:
        """Does nothing."""

    def clearing(self, page: Page) -> str:
        """Returns an empty string: nothing is blocked."""
        return ""

    def log(self) -> Mapping[str, Any]:
        """Returns the seed of the episode."""
        return {"seed": self._seed}

    def save(self) -> object:
        """Returns the seed of the episode."""
        return self._seed

    def restore(self, saved: object) -> None:
        """Returns to a saved seed."""
        self._seed = str(saved)


class PerceptualShift(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Changes how pages are built and look, not what they mean.

    Args:
        env: An environment around a `SkillShiftEnv`.
        intensity: `low`, `medium` or `high`.
        mutators: Mutator -> probability, in place of the intensity's; see `mutators.Setting`.
        style: Whether the intensity's style sheet is added.
        seed: Seed of the fates; by default they follow the episode's seed and task.
        allow_both: Whether an execution shift may be installed too; the condition is then `custom`.

    Raises:
        UsageError: An argument is wrong, or an execution shift is installed and `allow_both` is not set.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        intensity: str = "high",
        mutators: Mapping[str, float] | None = None,
        style: bool = True,
        seed: int | None = None,
        allow_both: bool = False,
    ) -> None:
        RecordConstructorArgs.__init__(
            self, intensity=intensity, mutators=mutators, style=style, seed=seed, allow_both=allow_both
        )
        gymnasium.Wrapper.__init__(self, env)
        state = PerceptualShiftState(_setting(intensity, mutators), STYLES[intensity] if style else "", seed)
        install(env, state, allow_both=allow_both)


def _setting(intensity: str, mutators: Mapping[str, float] | None) -> Setting:
    if intensity not in SETTINGS:
        raise UsageError(f"intensity: expected one of {', '.join(SETTINGS)}, got {intensity!r}")
    chosen = dict(mutators or {})
    for name, probability in chosen.items():
        if name not in Setting._fields:
            raise UsageError(f"mutators: no {name!r}; expected some of {', '.join(Setting._fields)}")
        if not 0 <= probability <= 1:
            raise UsageError(f"mutators: {name}: expected a probability in [0, 1], got {probability!r}")
    return SETTINGS[intensity]._replace(**chosen)
