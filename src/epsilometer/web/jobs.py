"""Long work in a process of its own: it says how far it is, and can be cancelled."""

from __future__ import annotations

import multiprocessing
import re
import secrets
import shutil
import signal
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from starlette.exceptions import HTTPException

from epsilometer.errors import EpsilometerError

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from types import FrameType

PATIENCE: Final = 10.0  # seconds that cancelled work has to clean up
LOOK: Final = "If it was a release, the ledger says whether it was published."
DEFECT: Final = f"It stopped because of a defect in epsilometer: {{name}}. {LOOK}"
VANISHED: Final = f"It stopped without a word; the computer may have run out of memory. {LOOK}"

OF_A_TABLE: Final = re.compile(r"/tables/([^/?]+)")

State = Literal["running", "done", "failed", "cancelled"]


class Cancelled(BaseException):
    """Somebody no longer wants the work; what it holds is cleaned up on the way out."""


@dataclass(eq=False, kw_only=True)
class Job:
    """One piece of work.

    Attributes:
        kind: what it is, in a word.
        title: what it is, for people.
        back: the page that it was started from.
        then: the page that shows its result.
        id: what addresses call it.
        state: whether it still runs, and else how it ended.
        step: what it is doing.
        share: how much of it is done, from 0 to 1.
        error: why it failed, for people.
        result: what it came to, once it is done.
        unwanted: whether somebody has asked to end it.
    """

    kind: str
    title: str
    back: str
    then: str
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    state: State = "running"
    step: str = "starting"
    share: float = 0.0
    error: str = ""
    result: Any = None
    unwanted: bool = False

    @property
    def running(self) -> bool:
        """Whether there is still something to wait for."""
        return self.state == "running"

    @property
    def table_id(self) -> str | None:
        """The table that it is about, if it was started from one of its pages."""
        found = OF_A_TABLE.match(self.back)
        return found[1] if found else None

    def to_dict(self) -> dict[str, object]:
        """Return what a page shows of it."""
        return {"state": self.state, "step": self.step, "share": self.share, "error": self.error}


class Jobs:
    """All work that was started since the server was."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._jobs: dict[str, Job] = {}
        self._at_work: dict[str, tuple[SpawnProcess, threading.Thread]] = {}
        self._lock = threading.Lock()

    def start(
        self,
        kind: str,
        target: Callable[..., object],
        *args: object,
        title: str,
        back: str,
        then: str = "",
        **settings: object,
    ) -> Job:
        """Start work in a new process: ``target(*args, tell=..., **settings)``, whose result the job will have.

        Args:
            kind: what it is, in a word.
            target: a function that can be imported; it is called with a ``tell`` of its own.
            *args: its arguments, which must go through a pipe.
            title: what it is, for people.
            back: address of the page to go back to.
            then: address of the page that shows the result; ``{id}`` stands for the job's. The job's own page if empty.
            **settings: its keyword arguments.
        """
        job = Job(kind=kind, title=title, back=back, then="")
        job.then = (then or "/jobs/{id}").replace("{id}", job.id)
        context = multiprocessing.get_context("spawn")
        reading, writing = context.Pipe(duplex=False)
        scratch = self._folder / f"job-{job.id}"
        scratch.mkdir(mode=0o700)
        process = context.Process(
            target=_work, args=(writing, str(scratch), partial(target, *args, **settings)), daemon=True
        )
        process.start()
        writing.close()
        following = threading.Thread(target=self._follow, args=(job, process, reading, scratch), daemon=True)
        with self._lock:
            self._jobs[job.id], self._at_work[job.id] = job, (process, following)
        following.start()
        return job

    def __getitem__(self, job_id: str) -> Job:
        """Return a job, or say that there is none."""
        with self._lock:
            if job_id in self._jobs:
                return self._jobs[job_id]
        raise HTTPException(HTTPStatus.NOT_FOUND, "There is no such work here. It may be from before the last start.")

    def cancel(self, job: Job) -> None:
        """End the work, and wait until it has cleaned up; what was finished just then is done all the same."""
        with self._lock:
            process, following = self._at_work[job.id]
            job.unwanted = True
        _end(process)
        following.join()

    def close(self) -> None:
        """Cancel everything that still runs."""
        for job in list(self._jobs.values()):
            if job.running:
                self.cancel(job)

    def _follow(self, job: Job, process: SpawnProcess, reading: Connection, scratch: Path) -> None:
        """Take down what the work says, until it ends."""
        with suppress(EOFError, OSError), reading:  # killed between two words, or within one
            while True:
                self._hear(job, *reading.recv())
        process.join()
        shutil.rmtree(scratch, ignore_errors=True)
        with self._lock:
            if job.running and job.unwanted:
                job.state = "cancelled"
            elif job.running:
                job.state, job.error = "failed", VANISHED

    def _hear(self, job: Job, word: str, *said: Any) -> None:  # noqa: ANN401  (results are of any kind)
        with self._lock:
            match word:
                case "told":
                    job.step, job.share = said
                case "done":
                    job.result, job.share, job.state = said[0], 1.0, "done"
                case "failed":
                    job.error, job.state = said[0], "failed"


def finish_anyway() -> None:
    """From here on the work is not to be cancelled any more: what it has begun to show cannot be taken back."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _end(process: SpawnProcess) -> None:
    process.terminate()
    process.join(PATIENCE)
    if process.is_alive():
        process.kill()
        process.join()


def _work(writing: Connection, scratch: str, target: Callable[..., object]) -> None:
    """Do the work in the new process, and say through the pipe how it goes."""
    tempfile.tempdir = scratch  # so that nothing is left behind, however it ends
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then cancels us
    signal.signal(signal.SIGTERM, _cancelled)
    try:
        result = target(tell=lambda what, share: writing.send(("told", what, share)))
        finish_anyway()
        writing.send(("done", result))
    except EpsilometerError as error:
        writing.send(("failed", str(error)))
    except Cancelled:
        pass
    except Exception as error:
        writing.send(("failed", DEFECT.format(name=type(error).__name__)))
        raise
    finally:
        writing.close()


def _cancelled(_signal: int, _frame: FrameType | None) -> None:
    raise Cancelled
