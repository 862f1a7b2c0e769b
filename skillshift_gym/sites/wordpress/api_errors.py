"""Errors of the REST API, in WordPress's JSON form."""

from __future__ import annotations

from ..protocol import Response
from ..web import json_response


class ApiError(Exception):
    """Ends a request with an error document.

    Args:
        code: WordPress's error code, such as `rest_no_route`.
        message: One sentence for people.
        status: HTTP status.
        data: Further members of the error's `data`.
    """

    def __init__(self, code: str, message: str, status: int, **data: object) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.data = data

    def response(self) -> Response:
        """Returns the error document."""
        body = {"code": self.code, "message": str(self), "data": {"status": self.status, **self.data}}
        return json_response(body, self.status)
