"""The wall-clock ceiling of an episode."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ..errors import InfrastructureError


class EpisodeTimeout(InfrastructureError):
    """The episode hit the wall-clock ceiling: no measurement."""


class Expired(BaseException):
    """The alarm of the wall-clock ceiling; not an `Exception`, so that an agent's `except Exception` lets it through."""


def expired(seconds: float) -> EpisodeTimeout:
    """Returns the error of an episode that hit the ceiling."""
    return EpisodeTimeout(f"the episode hit the wall-clock ceiling of {seconds:g} s")


@contextmanager
def ceiling(seconds: float) -> Iterator[None]:
    """Ends the block with `EpisodeTimeout` when the wall-clock ceiling is hit (main thread of a POSIX process).

    The alarm rings again every second, for an agent that swallows it.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    armed = True

    def expire(number: int, frame: FrameType | None) -> None:
        if armed:
            raise Expired

    previous = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    except Expired:
        raise expired(seconds) from None
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
