"""What a hostile agent says, drawn by a keyed hash, and a run that shows that an environment stands it.

Part of the public test kit: `skillshift_gym.testing.fuzz` works on any web environment in any browser.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import gymnasium

from .grammar import GRAMMAR
from .keyed import keyed

# Texts that break parsers, encodings, addresses and templates.
HOSTILE = (
    "", "\x00", "\ud800", "'; DROP TABLE posts; --", "<script>alert(1)</script>", "%", "../../etc/passwd", "a" * 5_000,
    "javascript:alert(1)", "http://[", "https://elsewhere.example:99999/", "//", "?s=%ff", "/page/99999999999/",
    "/wp-json/wp/v2/posts?per_page=0", "\u202e", "💥", "Control+", "+", "{{7*7}}", "\n\r\t", "nonsense", "click('1",
)  # fmt: skip
_KEYS = ("Enter", "Tab", "Escape", "ArrowDown", "Control+a", "Backspace")
_BIDS = 700
T = TypeVar("T")


class Fuzzed(NamedTuple):
    """What a run came to: actions taken, episodes begun, and how many actions ended in a typed error."""

    actions: int
    episodes: int
    errors: int


def hostile_actions(seed: int) -> Iterator[str]:
    """Yields actions without end: half of them likely calls, a third any call with any arguments, the rest any text."""
    number = 0
    while True:
        draw = _Draw(seed, number)
        kind = draw.below(6)
        yield _likely(draw) if kind < 3 else (_call(draw) if kind < 5 else draw.one_of(HOSTILE))
        number += 1


def fuzz(env: gymnasium.Env[Any, str], seed: int, actions: int) -> Fuzzed:
    """Takes hostile actions and checks that the environment answers each.

    Args:
        env: The stack around a `SkillShiftEnv`.
        seed: Seed of the actions and of the episodes.
        actions: Number of actions.

    Raises:
        AssertionError: An observation is outside the space, or a reward is neither 0 nor 1.
    """
    episodes = errors = 0
    over = True
    for number, action in zip(range(actions), hostile_actions(seed), strict=False):
        if over:
            observation, _ = env.reset(seed=keyed("fuzz", seed, episodes) % 2**31)
            assert observation in env.observation_space, f"reset before action {number}: observation outside the space"
            episodes += 1
        observation, reward, terminated, truncated, info = env.step(action)
        assert observation in env.observation_space, f"{action!r}: observation outside the space"
        assert reward in (0.0, 1.0), f"{action!r}: expected a reward of 0 or 1, got {reward!r}"
        errors += bool(info["error"])
        over = terminated or truncated
    return Fuzzed(actions, episodes, errors)


class _Draw:
    """Keyed draws of one action: the same for a seed and number, whatever was drawn before."""

    def __init__(self, seed: int, number: int) -> None:
        self._key = (seed, number)
        self._count = 0

    def below(self, limit: int) -> int:
        """Returns a number from 0 to limit - 1."""
        self._count += 1
        return keyed("hostile", *self._key, self._count) % limit

    def one_of(self, items: Sequence[T]) -> T:
        """Returns one of the items."""
        return items[self.below(len(items))]


def _likely(draw: _Draw) -> str:
    """Returns a call as an agent might make it, on an element that may not exist."""
    bid, text = str(draw.below(_BIDS)), draw.one_of(HOSTILE)
    return draw.one_of(
        (
            f"click({bid!r})", f"click({bid!r}, 'middle')", f"dblclick({bid!r})", f"hover({bid!r})", f"check({bid!r})",
            f"fill({bid!r}, {text!r})", f"press({bid!r}, {draw.one_of(_KEYS)!r})", f"select_option({bid!r}, {text!r})",
            f"keyboard_type({text!r})", f"keyboard_press({draw.one_of(_KEYS)!r})", f"goto({text!r})", "go_back()",
            "new_tab()", "tab_close()", f"tab_focus({draw.below(4)})", f"scroll(0, {draw.below(2_000) - 1_000})",
        )
    )  # fmt: skip


def _call(draw: _Draw) -> str:
    """Returns a call of any primitive with up to three arguments of any type."""
    arguments = [_argument(draw) for _ in range(draw.below(4))]
    return f"{draw.one_of(sorted(GRAMMAR))}({', '.join(map(repr, arguments))})"


def _argument(draw: _Draw) -> object:
    return draw.one_of(
        (
            str(draw.below(_BIDS)), draw.one_of(HOSTILE), draw.below(2**40) - 2**39, draw.below(1000) / 7, float("inf"),
            True, None, [draw.one_of(HOSTILE)],
        )
    )  # fmt: skip
