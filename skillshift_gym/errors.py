"""Every exception of the package, one class per cause.

```
SkillShiftError
├── ActionError                 an action that failed; becomes `last_action_error`, never escapes `step`
│   ├── MalformedAction         malformed    not a call of the grammar
│   ├── MissingElement          missing      no element has this bid
│   ├── HiddenElement           hidden       the element is not rendered
│   ├── DisabledElement         disabled     disabled, inert or read-only
│   ├── CoveredElement          covered      something else would receive the click; says what and how to clear it
│   ├── WrongElementType        wrong_type   the primitive does not apply to this element
│   ├── BadValue                bad_value    the element refuses the value (type, option, constraint validation)
│   ├── StaleElement            stale        the document that held the element is gone
│   ├── NavigationFailed        navigation   the address cannot be opened, or there is nowhere to go
│   └── SkillFailed             (its code)   a skill call failed; codes: `skillshift_gym.skills.outcome.CODES`
├── InfrastructureError         the machinery failed (browser death, timeout): an error record, never reward 0
│   └── BrowserTimeout
├── SiteNotReady                a site cannot be served (unknown name, version or broken seed)
├── TaskError                   a task id, split or instance does not exist
├── SnapshotError               a state that cannot be captured or restored
├── SkillError (ValueError)     a skill or a program is not what it should be
├── BankError (ValueError)      a bank is broken, altered, or cannot do what is asked
│   └── BankReadOnly            a write to a bank that is frozen
└── UsageError (ValueError)     an argument of the public API is wrong
```
"""

from __future__ import annotations

from typing import ClassVar


class SkillShiftError(Exception):
    """Base class of all errors raised on purpose by this package."""


class ActionError(SkillShiftError):
    """An action could not be carried out; its text is what the agent reads."""

    code: ClassVar[str] = "action"


class MalformedAction(ActionError):
    """The string is not a call of the action grammar."""

    code = "malformed"


class MissingElement(ActionError):
    """No element of the page has this bid."""

    code = "missing"


class HiddenElement(ActionError):
    """The element exists but is not rendered."""

    code = "hidden"


class DisabledElement(ActionError):
    """The element is disabled, inert or read-only."""

    code = "disabled"


class CoveredElement(ActionError):
    """Another element would receive the interaction.

    Args:
        message: What the agent reads.
        by: Accessible description of the covering element.
        clear_with: Bid of a control that removes the cover, if one is known.
    """

    code = "covered"

    def __init__(self, message: str, *, by: str = "", clear_with: str | None = None) -> None:
        super().__init__(message)
        self.by = by
        self.clear_with = clear_with


class WrongElementType(ActionError):
    """The primitive does not apply to this kind of element."""

    code = "wrong_type"


class BadValue(ActionError):
    """The element refuses the value: its type, its options or native constraint validation."""

    code = "bad_value"


class StaleElement(ActionError):
    """The document that held the element has been replaced since it was observed."""

    code = "stale"


class NavigationFailed(ActionError):
    """The address cannot be opened, or there is no page to go to."""

    code = "navigation"


class SkillFailed(ActionError):
    """A skill call failed.

    Args:
        message: What the agent reads.
        code: Why, one of `skillshift_gym.skills.outcome.CODES`.
        by: What was in the way, if anything.
    """

    def __init__(self, message: str, code: str, by: str = "") -> None:
        super().__init__(message)
        self.code = code  # type: ignore[misc]
        self.by = by


class InfrastructureError(SkillShiftError):
    """The machinery failed; the episode is an error, not a failure of the agent."""


class BrowserTimeout(InfrastructureError):
    """The browser did not answer in time."""


class SiteNotReady(SkillShiftError):
    """A site cannot be served."""


class TaskError(SkillShiftError):
    """A task id, split or instance does not exist."""


class SnapshotError(SkillShiftError):
    """A state cannot be captured or restored."""


class SkillError(SkillShiftError, ValueError):
    """A skill is not what its kind demands; the text says where, what was expected and what was found."""


class BankError(SkillShiftError, ValueError):
    """A bank cannot be read, is not what its hash says, or cannot do what is asked."""


class BankReadOnly(BankError):
    """A write to a bank that is frozen."""


class UsageError(SkillShiftError, ValueError):
    """An argument of the public API is wrong; the text says what was expected."""
