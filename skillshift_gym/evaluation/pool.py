"""A pool of worker processes that knows which job it lost.

A job may kill its worker, hang beyond its ceiling or raise: it costs that job only. Workers are spawned, do not see
Ctrl-C (the parent tells them to stop), and end by themselves when the parent is gone.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Generic, TypeVar

from ..errors import UsageError

Job = TypeVar("Job")
Result = TypeVar("Result")

_PATIENCE = 5.0  # seconds a worker gets to end by itself


def run_all(
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    *,
    workers: int,
    limit: Callable[[Job], float],
    lost: Callable[[Job, str], Result],
) -> Iterator[Result]:
    """Yields the results of all jobs, in the order they are done.

    Args:
        function: What to do with a job; importable by name.
        jobs: The jobs.
        workers: Number of processes.
        limit: Job -> seconds after which its worker is killed.
        lost: Job and what happened -> the result that stands in for a job whose worker died or was killed.

    Raises:
        UsageError: Worker processes cannot start.
        Exception: What `function` raised.
    """
    queue = deque(jobs)
    crew: list[_Worker[Job, Result]] = [_Worker(function) for _ in range(min(workers, len(queue)))]
    try:
        while crew:
            for worker in _ready(crew):
                message = worker.receive()
                if message is None:
                    crew.remove(worker)
                    why = worker.bury()
                    if worker.job is not None:
                        yield lost(worker.job, why)
                    if queue:
                        crew.append(_Worker(function))
                    continue
                worker.job = None
                if queue:
                    worker.give(queue.popleft(), limit)
                else:
                    crew.remove(worker)
                    worker.stop()
                yield from message
    except BaseException:
        for worker in crew:
            worker.terminate()
        raise
    finally:
        for worker in crew:
            worker.stop()


class _Worker(Generic[Job, Result]):
    """A process that does one job after another.

    Attributes:
        job: The job it does, None when it has none.
        started: Whether it ever said that it is ready.
        fate: Why it was killed, if it was.
    """

    def __init__(self, function: Callable[[Job], Result]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.job: Job | None = None
        self.started = False
        self.fate = ""
        self.deadline = float("inf")
        self.process = context.Process(target=_work, args=(theirs, function))
        with _no_interrupts():
            self.process.start()
        theirs.close()

    def give(self, job: Job, limit: Callable[[Job], float]) -> None:
        """Sends a job."""
        self.job = job
        self.deadline = time.monotonic() + limit(job)
        try:
            self.pipe.send(job)
        except OSError:  # it just died: `receive` will tell
            return

    def receive(self) -> list[Result] | None:
        """Returns the result of a job (nothing when it only got ready), or None when the process is gone.

        Raises:
            Exception: What the job raised.
        """
        if time.monotonic() >= self.deadline:
            self.fate = "the worker process did not stop at the wall-clock ceiling and was killed"
            self.process.kill()
            return None
        try:
            if not self.pipe.poll():
                return None
            kind, value = self.pipe.recv()
        except (EOFError, OSError):
            return None
        self.deadline = float("inf")
        self.started = True
        if kind == "raised":
            raise value
        return [value] if kind == "done" else []

    def bury(self) -> str:
        """Clears up after a process that is gone and returns what happened to it.

        Raises:
            UsageError: It never got ready.
        """
        code = self.stop(at_once=True)
        if not self.started:
            raise UsageError(
                f"worker processes cannot start (exit code {code}); a script that runs episodes in parallel "
                "needs `if __name__ == '__main__':` around its code"
            )
        return self.fate or f"the worker process died (exit code {code})"

    def terminate(self) -> None:
        """Asks the process to give its job up."""
        self.process.terminate()

    def stop(self, *, at_once: bool = False) -> int | None:
        """Ends the process and returns its exit code."""
        self.pipe.close()
        self.process.join(1.0 if at_once else _PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        return self.process.exitcode


def _ready(crew: list[_Worker[Job, Result]]) -> list[_Worker[Job, Result]]:
    """Waits for a message, a death or a deadline and returns the workers concerned."""
    due = min(worker.deadline for worker in crew)
    handles: list[Connection | int] = [h for w in crew for h in (w.pipe, w.process.sentinel)]
    found = set(map(id, wait(handles, None if due == float("inf") else max(0.0, due - time.monotonic()))))
    now = time.monotonic()
    return [w for w in crew if id(w.pipe) in found or w.process.exitcode is not None or now >= w.deadline]


def _work(pipe: Connection, function: Callable[[Job], Result]) -> None:
    """Does jobs until the parent closes the pipe, asks to stop, or is gone."""
    with suppress(KeyboardInterrupt):  # the request to stop may come at any time, also while another end is handled
        signal.signal(signal.SIGTERM, _give_up)
        with suppress(EOFError, OSError):
            _serve(pipe, function)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _serve(pipe: Connection, function: Callable[[Job], Result]) -> None:
    pipe.send(("ready", None))
    while True:
        job = pipe.recv()
        try:
            message: tuple[str, object] = ("done", function(job))
        except Exception as error:  # noqa: BLE001  the parent raises it
            message = ("raised", _portable(error))
        pipe.send(message)


def _give_up(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def _portable(error: Exception) -> Exception:
    """Returns the exception, or one that says the same where it cannot travel between processes."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001  a foreign exception may do anything here
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Blocks Ctrl-C in the block; processes started in it never see it (main thread of a POSIX process)."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
