"""How a skill call ended: what the method can see, and what really happened.

| code | observed | true | counted as failed |
|---|---|---|---|
| `ok` | all statements were carried out | and the right elements, and something changed | no |
| `stale_target` | no visible element fits a locator | the same, or an address opened the page of a missing one (seen as `ok`) | yes; address: in `SFR_true` |
| `ambiguous_target` | several elements fit | the same | yes |
| `blocked` | a dialog refused the primitive; seen as `ok` by an executor that forces its clicks | the same | yes; forced: in `SFR_true` |
| `intercepted_click` | another element would have got it; likewise | the same | yes; forced: in `SFR_true` |
| `precondition` | a guard does not hold; the element is disabled, of another kind, or refuses | the same | yes |
| `bad_args` | arguments are missing, of a wrong type, or refused by the field | the same | yes |
| `timeout` | what was waited for did not come | the same | yes |
| `silent_noop` | never: seen as `ok` | state, address and page are as before | in `SFR_true` |
| `wrong_target` | never: seen as `ok`, or as what followed | a primitive went to another element than the recorded one | in `SFR_true` |
| `fallback_used` | done, but the backbone had to help | the same | yes |
| `aborted` | `stop`, more than 30 primitives, an address that does not open, no one to ask | the same | yes |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

CODES = (
    "ok", "stale_target", "ambiguous_target", "blocked", "intercepted_click", "precondition", "bad_args", "timeout", "silent_noop",
    "wrong_target", "fallback_used", "aborted",
)  # fmt: skip
MAX_PRIMITIVES = 30
VERDICTS = ("true", "false", "missed", "refused", "unjudged")


class Heal(NamedTuple):
    """One attempt to find a target that its locator did not find.

    Attributes:
        healer: Who found something: `cascade`, `fuzzy`, `similo`; empty when no one did.
        verdict: `true` (the recorded element), `false` (another one), `missed` (it was there, and was not found), `refused`
            (it was not there, and nothing was found), `unjudged` (the recording does not say which element it was).
        line: Line of the program.
        locator: The locator as stored.
        healed: The locator of what was found; empty when nothing was.
    """

    healer: str
    verdict: str
    line: int
    locator: str
    healed: str = ""


@dataclass(frozen=True)
class Outcome:
    """How a call ended.

    Attributes:
        observed: Code that the method can see.
        true: Code by semantic ids and state.
        primitives: Primitives sent to the browser.
        heals: Attempts to heal, in order.
        blocked_by: Title of what was in the way.
        detail: What went wrong, in words.
        line: Line of the program that failed, 0 when none did.
        kinds: Kind of mark -> how many targets it found.
        fallbacks: Primitives that the backbone chose.
        missed: Kind of the usual mark of the target that was not found, empty when all were.
        rewritten: The program with healed locators in place of those that failed; empty without heals or write-back.
    """

    observed: str
    true: str
    primitives: int = 0
    heals: tuple[Heal, ...] = ()
    blocked_by: str = ""
    detail: str = ""
    line: int = 0
    kinds: tuple[tuple[str, int], ...] = ()
    fallbacks: int = 0
    rewritten: str = ""
    missed: str = ""

    @property
    def ok(self) -> bool:
        """Whether the method sees no failure."""
        return self.observed == "ok"

    def info(self) -> Mapping[str, Any]:
        """Returns what `info` says of the call."""
        counts = {verdict: sum(h.verdict == verdict for h in self.heals) for verdict in VERDICTS}
        return {
            "observed": self.observed,
            "true": self.true,
            "primitives": self.primitives,
            "heals": {**counts, "by": [h.healer for h in self.heals if h.healer]},
            "fallbacks": self.fallbacks,
            "blocked_by": self.blocked_by,
            "kinds": dict(self.kinds),
            "missed": self.missed,
            "detail": self.detail,
            "line": self.line,
        }
