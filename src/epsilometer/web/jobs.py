"""Long work in a process of its own: it says how far it is, and can be cancelled until there is no way back."""

from __future__ import annotations

import multiprocessing
import secrets
import shutil
import signal
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Literal

from starlette.exceptions import HTTPException

from epsilometer.errors import EpsilometerError

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from pathlib import Path
    from types import FrameType

    from epsilometer.web.desk import Opened
    from epsilometer.web.seen_file import SeenFile

PATIENCE: Final = 10.0  # seconds that cancelled work has to clean up
LISTENED: Final = (0, -signal.SIGTERM)  # how a process ends that was told to: by itself, or before it had begun
DEFECT: Final = "It stopped because of a defect in epsilometer: {name}."
VANISHED: Final = "It stopped without a word; the computer may have run out of memory."
FORCED: Final = "It did not stop when it was cancelled, and was ended by force."
TOO_LATE: Final = "It can no longer be cancelled: what it publishes has begun to appear. Go back, and see how it ends."
NO_WORK: Final = "There is no such work here. It may be from before the last start, or about another table."

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
        table_id: the table that it is about, if it is about one.
        remains: what to say where it may have left something behind; nothing for work that never does.
        id: what addresses call it.
        state: whether it still runs, and else how it ended.
        step: what it is doing.
        share: how much of it is done, from 0 to 1.
        error: why it failed, for people.
        result: what it came to, once it is done.
        unwanted: whether somebody has asked to end it.
        no_way_back: whether it has been told that it will not be ended any more.
    """

    kind: str
    title: str
    back: str
    then: str
    table_id: str | None = None
    remains: str = ""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    state: State = "running"
    step: str = "starting"
    share: float = 0.0
    error: str = ""
    result: Any = None
    unwanted: bool = False
    no_way_back: bool = False

    @property
    def running(self) -> bool:
        """Whether there is still something to wait for."""
        return self.state == "running"

    def to_dict(self) -> dict[str, object]:
        """Return what a page shows of it."""
        return {"state": self.state, "step": self.step, "share": self.share, "error": self.error}

    def fail(self, why: str, *, clean: bool = False) -> None:
        """Say why it failed, and what may remain of it unless it has cleaned up."""
        self.state = "failed"
        self.error = f"{why} {self.remains}".rstrip() if self.no_way_back or not clean else why


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
        opened: Opened | None = None,
        remains: str = "",
        **settings: object,
    ) -> Job:
        """Start work in a new process: ``target(*args, tell=..., **settings)``, whose result the job will have.

        Args:
            kind: what it is, in a word.
            target: a function that can be imported; it is called with a :class:`Line` of its own.
            *args: its arguments, which must go through a pipe.
            title: what it is, for people.
            back: address of the page to go back to.
            then: address of the page that shows the result; ``{id}`` stands for the job's. The job's own page if empty.
            opened: the table that it is about; nothing is done if its file is no longer the one that was opened.
            remains: what to say where it may have left something behind, if it can.
            **settings: its keyword arguments.
        """
        table_id, file = (None, None) if opened is None else (opened.id, opened.file)
        job = Job(kind=kind, title=title, back=back, then="", table_id=table_id, remains=remains)
        job.then = (then or "/jobs/{id}").replace("{id}", job.id)
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        scratch = self._folder / f"job-{job.id}"
        scratch.mkdir(mode=0o700)
        process = context.Process(
            target=_work, args=(theirs, str(scratch), file, partial(target, *args, **settings)), daemon=True
        )
        process.start()
        theirs.close()
        following = threading.Thread(target=self._follow, args=(job, process, ours, scratch), daemon=True)
        with self._lock:
            self._jobs[job.id], self._at_work[job.id] = job, (process, following)
        following.start()
        return job

    def __getitem__(self, job_id: str) -> Job:
        """Return a job, or say that there is none."""
        with self._lock:
            if job_id in self._jobs:
                return self._jobs[job_id]
        raise HTTPException(HTTPStatus.NOT_FOUND, NO_WORK)

    def about(self, opened: Opened, job_id: str) -> Job:
        """Return a job about this table, or say that there is none."""
        job = self[job_id]
        if job.table_id != opened.id:
            raise HTTPException(HTTPStatus.NOT_FOUND, NO_WORK)
        return job

    def cancel(self, job: Job) -> None:
        """End the work, and wait until it has cleaned up, or say that it is too late for that."""
        with self._lock:
            if not job.running:
                return
            if job.no_way_back:
                raise HTTPException(HTTPStatus.CONFLICT, TOO_LATE)
            job.unwanted = True
            process, following = self._at_work[job.id]
        process.terminate()
        following.join(PATIENCE)
        if following.is_alive():
            process.kill()
            following.join()

    def close(self) -> None:
        """Cancel everything that still runs, and wait for what cannot be cancelled any more."""
        for job in list(self._jobs.values()):
            with suppress(HTTPException):
                self.cancel(job)
        for _process, following in list(self._at_work.values()):
            following.join()

    def _follow(self, job: Job, process: SpawnProcess, line: Connection, scratch: Path) -> None:
        """Take down what the work says, until it ends."""
        with suppress(EOFError, OSError), line:  # killed between two words, or within one
            while True:
                self._hear(job, line, *line.recv())
        process.join()
        shutil.rmtree(scratch, ignore_errors=True)
        with self._lock:
            if not job.running:
                return
            has_cleaned_up = process.exitcode in LISTENED
            if job.unwanted and (has_cleaned_up or not job.remains):
                job.state = "cancelled"
            else:
                job.fail(FORCED if job.unwanted else VANISHED)

    def _hear(self, job: Job, line: Connection, word: str, *said: Any) -> None:  # noqa: ANN401  (results are of any kind)
        with self._lock:
            match word:
                case "told":
                    job.step, job.share = said
                case "no way back":
                    job.no_way_back = not job.unwanted
                    line.send(job.no_way_back)
                case "done":
                    job.result, job.share, job.state = said[0], 1.0, "done"
                case "failed":
                    job.fail(said[0], clean=True)
                case "broken":
                    job.fail(DEFECT.format(name=said[0]))


class Line:
    """How work speaks with the server from its own process: called with what it is doing, and the share that is done.

    Args:
        line: the pipe to the server.
    """

    def __init__(self, line: Connection) -> None:
        self._line = line

    def __call__(self, what: str, done: float) -> None:
        """Say what is being done."""
        self._line.send(("told", what, done))

    def no_way_back(self) -> None:
        """From here on the work is not to be cancelled any more: what it begins to show cannot be taken back.

        The server must agree: who has cancelled the work just before has cancelled it.
        """
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self._line.send(("no way back",))
        if not self._line.recv():
            raise Cancelled


def _work(line: Connection, scratch: str, file: SeenFile | None, target: Callable[..., object]) -> None:
    """Do the work in the new process, and say through the pipe how it goes."""
    tempfile.tempdir = scratch  # so that nothing is left behind, however it ends
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then cancels us
    signal.signal(signal.SIGTERM, _cancelled)
    try:
        if file is not None:
            file.check()
        result = target(tell=Line(line))
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        line.send(("done", result))
    except EpsilometerError as error:
        line.send(("failed", str(error)))
    except Cancelled:
        pass
    except Exception as error:
        line.send(("broken", type(error).__name__))
        raise
    finally:
        line.close()


def _cancelled(_signal: int, _frame: FrameType | None) -> None:
    raise Cancelled
