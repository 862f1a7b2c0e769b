"""Errors of the REST API, in Magento's JSON form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..protocol import Response
from ..web import json_response

Parameters = Mapping[str, object] | Sequence[object]


class ApiError(Exception):
    """Ends a request with an error document.

    Args:
        message: A sentence with slots `%1`, `%name` that the client fills.
        status: HTTP status.
        parameters: What fills the slots; left out of the document when empty.
    """

    def __init__(self, message: str, status: int = 400, parameters: Parameters = ()) -> None:
        super().__init__(message)
        self.status = status
        self.parameters = parameters

    def response(self) -> Response:
        """Returns the error document."""
        parameters = {"parameters": self.parameters} if self.parameters else {}
        return json_response({"message": str(self), **parameters}, self.status)


def no_entity(name: str, value: object) -> ApiError:
    """Returns the error of an id that nothing has."""
    parameters = {"fieldName": name, "fieldValue": value}
    return ApiError("No such entity with %fieldName = %fieldValue", 404, parameters)


def required(name: str) -> ApiError:
    """Returns the error of a parameter that was not sent."""
    return ApiError('"%fieldName" is required. Enter and try again.', 400, {"fieldName": name})


def invalid_type(name: str, value: object, expected: str) -> ApiError:
    """Returns the error of a value of the wrong type."""
    shown = value if isinstance(value, str | int | float) else type(value).__name__
    detail = f'The "{shown}" value\'s type is invalid. The "{expected}" type was expected. Verify and try again.'
    return ApiError('Error occurred during "%1" processing. %2', 400, [name, detail])


def invalid_value(name: str, value: object) -> ApiError:
    """Returns the error of a value that is none of those allowed."""
    return ApiError(
        'Invalid value of "%value" provided for the %fieldName field.', 400, {"fieldName": name, "value": value}
    )
