"""How targets are found: which marks in which order, and what is tried when they fail. Each part can be switched off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from ..errors import UsageError

# Key of the locator -> kind of the mark.
ORDER = ("test id", "id", "name", "role+name", "css", "xpath")
HEALERS = ("fuzzy", "similo")


@dataclass(frozen=True)
class Policy:
    """How targets are found.

    Attributes:
        order: Kinds of marks that are tried, first to last; the first one that the locator has is the usual one.
        cascade: Whether the next marks are tried when the first fails.
        healers: Healers that are tried then, first to last.
        same_element: Whether what a mark finds must be of the recorded role (and, for selectors and paths, name).
        write_back: Whether the outcome holds the program with healed locators.
        fallback: Primitives a call that the backbone may choose for statements whose target is not found.
        forced: Whether pointer actions are forced, as some executors do: what lies before the target swallows them and the
            call goes on as if nothing had happened. Only the true status tells.
    """

    order: tuple[str, ...] = ORDER
    cascade: bool = True
    healers: tuple[str, ...] = ()
    same_element: bool = True
    write_back: bool = True
    fallback: int = 0
    forced: bool = False

    def to_json(self) -> dict[str, Any]:
        """Returns the attributes as JSON values."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    @classmethod
    def of(cls, given: Policy | Mapping[str, Any] | None) -> Policy:
        """Returns a policy from its attributes.

        Raises:
            UsageError: An attribute is unknown or wrong.
        """
        if given is None:
            return cls()
        if isinstance(given, Policy):
            return given
        known = {f.name for f in fields(cls)}
        unknown = [key for key in given if key not in known]
        if unknown:
            raise UsageError(f"healing: no setting {unknown[0]!r}; expected some of {', '.join(sorted(known))}")
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list | tuple) else value for key, value in given.items()
        }
        policy = cls(**values)
        _check_names("order", policy.order, ORDER)
        _check_names("healers", policy.healers, HEALERS)
        if not isinstance(policy.fallback, int) or not 0 <= policy.fallback <= 10:
            raise UsageError(f"healing: fallback: expected 0 to 10 primitives, got {policy.fallback!r}")
        return policy


def _check_names(key: str, given: object, known: tuple[str, ...]) -> None:
    wrong = [x for x in given if x not in known] if isinstance(given, tuple) else [given]
    if wrong:
        raise UsageError(f"healing: {key}: expected a list of {', '.join(known)}, got {wrong[0]!r}")
