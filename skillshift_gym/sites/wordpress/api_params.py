"""Parameters of the REST API: declared, read from query and body, and validated as WordPress does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ..web import Call
from .api_errors import ApiError

_BRACKETS = re.compile(r"([^\[\]]+)\[([^\[\]]*)\]")
_TRUE = ("true", "1", True, 1)
_FALSE = ("false", "0", "", False, 0)


class Param(NamedTuple):
    """One parameter.

    Attributes:
        type: `string`, `integer`, `boolean`, `array`, `date` (ISO 8601) or `text` (a string or an object with `raw`).
        default: Value when it is not sent; None leaves it out.
        enum: The values allowed; of an array, those of its items.
        minimum: Least integer allowed.
        maximum: Greatest integer allowed.
        items: Type of an array's items.
        required: Whether it must be sent.
    """

    type: str = "string"
    default: Any = None
    enum: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    items: str = "integer"
    required: bool = False

    def describe(self) -> dict[str, Any]:
        """Returns the parameter as the index of the API shows it."""
        kind = {"date": "string", "text": "object"}.get(self.type, self.type)
        found: dict[str, Any] = {"type": kind}
        if self.type == "date":
            found["format"] = "date-time"
        if self.type == "array":
            found["items"] = {"type": self.items, **({"enum": list(self.enum)} if self.enum else {})}
        elif self.enum:
            found["enum"] = list(self.enum)
        limits = {"minimum": self.minimum, "maximum": self.maximum, "default": self.default}
        return (
            found | {name: value for name, value in limits.items() if value is not None} | {"required": self.required}
        )


Params = Mapping[str, Param]


class Invalid(Exception):
    """A value that does not fit its parameter."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def read(call: Call, declared: Params, path: Mapping[str, str]) -> dict[str, Any]:
    """Returns the validated parameters of a request; the path's come first, then the body's, then the query's.

    Raises:
        ApiError: If a parameter is missing or invalid, or the body is not JSON although it says so.
    """
    sent = {**_fields(call.args.items(multi=True)), **_body(call), **path}
    missing = [name for name, param in declared.items() if param.required and name not in sent]
    if missing:
        text = f"Missing parameter(s): {', '.join(missing)}"
        raise ApiError("rest_missing_callback_param", text, 400, params=missing)
    values = {name: param.default for name, param in declared.items() if param.default is not None}
    problems: dict[str, Invalid] = {}
    for name, param in declared.items():
        if name in sent:
            try:
                values[name] = check(name, sent[name], param)
            except Invalid as problem:
                problems[name] = problem
    if problems:
        raise invalid(problems)
    return values


def invalid(problems: Mapping[str, Invalid]) -> ApiError:
    """Returns the error that lists parameters that do not fit."""
    return ApiError(
        "rest_invalid_param",
        f"Invalid parameter(s): {', '.join(problems)}",
        400,
        params={name: str(problem) for name, problem in problems.items()},
        details={
            name: {"code": problem.code, "message": str(problem), "data": None} for name, problem in problems.items()
        },
    )


def check(name: str, value: Any, param: Param) -> Any:
    """Returns a value in its parameter's type.

    Raises:
        Invalid: If it does not fit.
    """
    converted = _CONVERTERS[param.type](name, value, param)
    if param.enum and param.type != "array" and converted not in param.enum:
        *others, last = param.enum
        listed = f"{', '.join(others)}{',' if len(others) > 1 else ''} and {last}" if others else last
        raise Invalid("rest_not_in_enum", f"{name} is not one of {listed}.")
    return converted


def _integer(name: str, value: Any, param: Param) -> int:
    if isinstance(value, bool) or not re.fullmatch(r"-?\d{1,15}", str(value).strip()):
        raise Invalid("rest_invalid_type", f"{name} is not of type integer.")
    found, low, high = int(value), param.minimum, param.maximum
    if low is not None and high is not None and not low <= found <= high:
        raise Invalid("rest_out_of_bounds", f"{name} must be between {low} (inclusive) and {high} (inclusive)")
    if low is not None and found < low:
        raise Invalid("rest_out_of_bounds", f"{name} must be greater than or equal to {low}")
    return found


def _boolean(name: str, value: Any, param: Param) -> bool:
    folded = value.lower() if isinstance(value, str) else value
    if not isinstance(folded, (list, dict)) and (folded in _TRUE or folded in _FALSE):
        return folded in _TRUE
    raise Invalid("rest_invalid_type", f"{name} is not of type boolean.")


def _string(name: str, value: Any, param: Param) -> str:
    if not isinstance(value, str):
        raise Invalid("rest_invalid_type", f"{name} is not of type string.")
    return value


def _text(name: str, value: Any, param: Param) -> str:
    return _string(name, value.get("raw", "") if isinstance(value, dict) else value, param)


def _array(name: str, value: Any, param: Param) -> list[Any]:
    if isinstance(value, dict):
        raise Invalid("rest_invalid_type", f"{name} is not of type array.")
    items = value if isinstance(value, list) else [v for v in re.split(r"[\s,]+", str(value)) if v]
    item = Param(param.items, enum=param.enum)
    return [check(f"{name}[{i}]", v, item) for i, v in enumerate(items)]


def _date(name: str, value: Any, param: Param) -> str:
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise Invalid("rest_invalid_date", "Invalid date.") from None
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment.replace(microsecond=0).isoformat()


_CONVERTERS: dict[str, Callable[[str, Any, Param], Any]] = {
    "integer": _integer,
    "boolean": _boolean,
    "string": _string,
    "text": _text,
    "array": _array,
    "date": _date,
}


def _body(call: Call) -> dict[str, Any]:
    if call.request.method == "GET" or not call.request.body:
        return {}
    if call.request.content_type.partition(";")[0].strip().lower() != "application/json":
        return _fields(call.form.items(multi=True))
    try:
        found = json.loads(call.request.body)
    except ValueError:
        data = {"json_error_code": 4, "json_error_message": "Syntax error"}
        raise ApiError("rest_invalid_json", "Invalid JSON body passed.", 400, **data) from None
    return found if isinstance(found, dict) else {}


def _fields(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Returns form fields as PHP reads them: `a[]=1&a[]=2` is a list, `a[raw]=x` an object, the last `a=` counts."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        match = _BRACKETS.fullmatch(name)
        if match is None:
            found[name] = value
        elif not match[2] or match[2].isdigit():
            members = found.get(match[1])
            found[match[1]] = [*(members if isinstance(members, list) else ()), value]
        else:
            members = found.get(match[1])
            found[match[1]] = {**(members if isinstance(members, dict) else {}), match[2]: value}
    return found
