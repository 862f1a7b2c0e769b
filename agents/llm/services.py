"""Calling a service over HTTP: retries, and which faults are no measurement."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from json import JSONDecodeError
from typing import Any, NamedTuple, TypeVar

from skillshift_gym.errors import InfrastructureError

T = TypeVar("T")
TIMEOUT = 60.0  # seconds
_PASSING = (408, 409, 429)  # besides 5xx
_SHOWN = 300  # characters of a service's own words
# Packages whose exceptions are faults on the way to the service: the clients and what they send with.
_CLIENTS = ("openai", "anthropic", "httpx", "httpx2", "httpcore", "httpcore2")


class ServiceError(InfrastructureError):
    """The model's service cannot be had: the episode is no measurement."""


class BrokenResponse(Exception):
    """What the service sent is not a response of its API."""


@dataclass(frozen=True)
class Retries:
    """How often a request is sent, and how long to wait in between.

    Attributes:
        attempts: Greatest number of requests, at least 1.
        first: Seconds before the second one; doubled each time.
        longest: Greatest number of seconds; a service that asks for more (Retry-After) is given up.
        sleep: Waits for a number of seconds.
    """

    attempts: int = 5
    first: float = 0.5
    longest: float = 60.0
    sleep: Callable[[float], None] = time.sleep


class Fault(NamedTuple):
    """What went wrong with a request.

    Attributes:
        text: In words.
        passing: Whether the same request may succeed later.
        wait: Seconds that the service asks to wait, None when it does not say.
    """

    text: str
    passing: bool
    wait: float | None = None


def call(send: Callable[[], T], retries: Retries, where: str, secret: str = "") -> T:
    """Returns what a request comes to; it is sent again after 408, 409, 429, 5xx, timeouts and broken responses.

    Args:
        send: Sends the request once.
        retries: How often, and how long to wait.
        where: Model and address, for errors.
        secret: The key, which no error may show.

    Raises:
        ServiceError: No request succeeded, the service refuses the request, or it asks to wait for too long.
    """
    attempt = 0
    while True:
        attempt += 1
        try:
            return send()
        except Exception as error:
            fault = fault_of(error)
            if fault is None:
                raise
        wait = retries.first * 2 ** (attempt - 1) if fault.wait is None else fault.wait
        if not fault.passing or attempt >= retries.attempts or wait > retries.longest:
            break
        retries.sleep(wait)
    asked = f"; it asks to wait {fault.wait:g} s" if fault.wait is not None else ""
    text = f"{where}: {fault.text}{asked} ({attempt} of {retries.attempts} attempts)"
    raise ServiceError(text.replace(secret, "(key)") if secret else text)


def fault_of(error: Exception) -> Fault | None:
    """Returns what went wrong with a request, None when it is nothing of the service or the way to it."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        if status in (401, 403):  # its own words may repeat a part of the key
            return Fault(f"the service refuses the key (HTTP {status}); check the environment variable", False)
        passing = status in _PASSING or status >= 500
        return Fault(f"HTTP {status}: {_said(error)}", passing, _retry_after(error))
    if isinstance(error, BrokenResponse | JSONDecodeError):
        return Fault(f"not a response of its API: {_said(error)}", True)
    if type(error).__module__.partition(".")[0] in _CLIENTS:
        return Fault(f"{type(error).__name__}: {_said(error)}", True)
    return None


def _retry_after(error: Exception) -> float | None:
    """Returns the seconds that the header Retry-After asks for, as a number or as a date."""
    headers: Any = getattr(getattr(error, "response", None), "headers", {})
    text = headers.get("retry-after", "")
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def _said(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
