"""The table of primitives: the parser, the samples and the text shown to agents all follow it."""

from __future__ import annotations

from typing import Any, NamedTuple

BUTTONS = ("left", "middle", "right")
MODIFIERS = ("Alt", "Control", "ControlOrMeta", "Meta", "Shift")


class Parameter(NamedTuple):
    """One parameter of a primitive: its type, and its default (`...` when it is required)."""

    name: str
    kind: str
    default: Any = ...


class Signature(NamedTuple):
    """One primitive: its parameters, what it does, and an example."""

    name: str
    parameters: tuple[Parameter, ...]
    text: str
    example: str


_BID = Parameter("bid", "bid")
_BUTTON = Parameter("button", "button", "left")
_MODIFIERS = Parameter("modifiers", "modifiers", ())

GRAMMAR: dict[str, Signature] = {
    s.name: s
    for s in (
        Signature("click", (_BID, _BUTTON, _MODIFIERS), "Click an element.", "click('12')"),
        Signature("dblclick", (_BID, _BUTTON, _MODIFIERS), "Double-click an element.", "dblclick('12')"),
        Signature("hover", (_BID,), "Move the mouse over an element.", "hover('8')"),
        Signature("focus", (_BID,), "Give an element the keyboard focus.", "focus('8')"),
        Signature(
            "fill",
            (_BID, Parameter("value", "str")),
            "Replace the value of a text field.",
            "fill('7', 'a new value')",
        ),
        Signature("clear", (_BID,), "Empty a text field.", "clear('7')"),
        Signature(
            "press",
            (_BID, Parameter("key_comb", "key")),
            "Focus an element and press a key or key combination.",
            "press('7', 'Enter')",
        ),
        Signature(
            "keyboard_press",
            (Parameter("key_comb", "key"),),
            "Press a key or key combination where the focus is.",
            "keyboard_press('Escape')",
        ),
        Signature(
            "keyboard_type",
            (Parameter("text", "str"),),
            "Type text where the focus is.",
            "keyboard_type('hello')",
        ),
        Signature(
            "select_option",
            (_BID, Parameter("options", "options")),
            "Choose one option, or a list of options, of a list box by label or value.",
            "select_option('9', 'Blue')",
        ),
        Signature("check", (_BID,), "Tick a checkbox or choose a radio button.", "check('5')"),
        Signature("uncheck", (_BID,), "Untick a checkbox.", "uncheck('5')"),
        Signature(
            "scroll",
            (Parameter("delta_x", "float"), Parameter("delta_y", "float")),
            "Scroll by pixels, right and down when positive.",
            "scroll(0, 600)",
        ),
        Signature("goto", (Parameter("url", "str"),), "Open an address.", "goto('https://example.org/')"),
        Signature("go_back", (), "Go to the previous page in the tab's history.", "go_back()"),
        Signature("go_forward", (), "Go to the next page in the tab's history.", "go_forward()"),
        Signature("new_tab", (), "Open a new tab and show it.", "new_tab()"),
        Signature("tab_focus", (Parameter("index", "int"),), "Show another tab.", "tab_focus(1)"),
        Signature("tab_close", (), "Close the tab shown.", "tab_close()"),
        Signature("noop", (Parameter("wait_ms", "float", 1000),), "Do nothing.", "noop()"),
        Signature(
            "send_msg_to_user",
            (Parameter("text", "str"),),
            "Send the answer to the user and end the task.",
            "send_msg_to_user('The post is from 2021.')",
        ),
        Signature(
            "report_infeasible",
            (Parameter("reason", "str"),),
            "Tell the user that the task cannot be done and end it.",
            "report_infeasible('There is no such post.')",
        ),
    )
}
