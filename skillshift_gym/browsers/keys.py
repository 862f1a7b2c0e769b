"""Key names and combinations, in Playwright's spelling."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import BadValue

_SHIFTED = dict(zip("`1234567890-=[]\\;',./", '~!@#$%^&*()_+{}|:"<>?', strict=True))
_SHIFTED |= {letter: letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"}
_PRINTABLE = frozenset(_SHIFTED) | frozenset(_SHIFTED.values()) | {" "}
_CODES = {f"Key{letter.upper()}": letter for letter in "abcdefghijklmnopqrstuvwxyz"}
_CODES |= {f"Digit{digit}": digit for digit in "0123456789"}
_CODES |= {"Space": " ", "Backquote": "`", "Minus": "-", "Equal": "=", "BracketLeft": "[", "BracketRight": "]"}
_CODES |= {"Backslash": "\\", "Semicolon": ";", "Quote": "'", "Comma": ",", "Period": ".", "Slash": "/"}
_CODES |= {"NumpadMultiply": "*", "NumpadAdd": "+", "NumpadSubtract": "-", "NumpadDivide": "/"}
_CODES |= {"NumpadEnter": "Enter"}
_CODES |= {"\n": "Enter", "\r": "Enter"}
MODIFIER_KEYS = frozenset(
    f"{name}{side}" for name in ("Shift", "Control", "Alt", "Meta") for side in ("", "Left", "Right")
) | {"ControlOrMeta"}
_NAMED = (
    frozenset(
        [
            "Enter",
            "Tab",
            "Escape",
            "Backspace",
            "Delete",
            "Insert",
            "Home",
            "End",
            "PageUp",
            "PageDown",
            "ArrowLeft",
            "ArrowRight",
            "ArrowUp",
            "ArrowDown",
            "CapsLock",
            "NumLock",
            "ScrollLock",
            "Pause",
            "PrintScreen",
            "ContextMenu",
            "Cancel",
            "Help",
            "Select",
            "Clear",
            "Accept",
            "AltGraph",
        ]
    )
    | {f"F{number}" for number in range(1, 25)}
    | MODIFIER_KEYS
)


class Keystroke(NamedTuple):
    """One key with its modifiers.

    Attributes:
        key: Name of the key, or the character that it stands for.
        text: What it types; empty with Control, Alt or Meta held.
        modifiers: The modifiers held, `ControlOrMeta` as `Control`.
    """

    key: str
    text: str
    modifiers: frozenset[str]

    @property
    def shift(self) -> bool:
        """Whether Shift is held."""
        return "Shift" in self.modifiers

    @property
    def typing(self) -> bool:
        """Whether no modifier but Shift is held."""
        return self.modifiers <= {"Shift"}


def parse_keys(combination: str) -> Keystroke:
    """Returns the keystroke that a combination such as `Control+a` names.

    Raises:
        BadValue: A name in it is not a key's.
    """
    *held, key = _split(combination)
    modifiers = frozenset(_modifier(name, combination) for name in held)
    if key in _CODES:
        key = _CODES[key]
        # Shift changes what a physical key types; a character is typed as it is written.
        key = _SHIFTED.get(key, key) if "Shift" in modifiers else key
    if key not in _NAMED and key not in _PRINTABLE:
        raise _unknown(key, combination)
    return Keystroke(key, key if key in _PRINTABLE and modifiers <= {"Shift"} else "", modifiers)


def character(text: str) -> Keystroke:
    """Returns the keystroke that types one character."""
    key = _CODES.get(text, text) if text in "\r\n" else text
    return Keystroke(key, "" if key == "Enter" else text, frozenset())


def _split(combination: str) -> list[str]:
    """Returns the names between the plus signs; a plus sign where a name begins is a key itself."""
    names, building = [], ""
    for sign in combination:
        if sign == "+" and building:
            names.append(building)
            building = ""
        else:
            building += sign
    return [*names, building]


def _modifier(name: str, combination: str) -> str:
    if name not in MODIFIER_KEYS:
        raise _unknown(name, combination)
    return "Control" if name == "ControlOrMeta" else name.removesuffix("Left").removesuffix("Right")


def _unknown(name: str, combination: str) -> BadValue:
    return BadValue(
        f"unknown key {name[:40]!r} in {combination!r}: expected a name such as 'Enter', 'Escape', 'ArrowDown', 'a', "
        "or a combination such as 'Control+a'"
    )
