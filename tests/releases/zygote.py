"""Run a function in new processes that are killed on the way, or run side by side.

As a script, this is the process that the others are forked from. It has imported what they need, so that a run costs
milliseconds, and has no other thread: a lock that one of them held would be held for ever in what is forked meanwhile.
It reads lines of JSON: a list of calls ``{"function", "arguments", "die_at", "die_after", "by"}``, which run at the
same time, and answers with a list of outcomes ``{"killed", "error", "events"}``.

``die_at`` ends a run with SIGKILL, or the signal ``by``, at its so-manieth event: whatever Python audits (a file
opened, renamed or linked, a database opened), and whatever our own code calls, before and after each call; only that
of the files that the module names in ``STEPS``, if it has such a list. ``die_after`` kills it from outside, so many
seconds after its start, also in the middle of what the system does for it.
"""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

# Numpy, Arrow and OpenDP start threads when they are imported, unless they are told not to.
NO_THREADS = {
    "OPENBLAS_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    "_RJEM_MALLOC_CONF": "background_thread:false",
}
LONGEST = 300  # seconds of a run; one that hangs is to fail, and not to keep everything waiting
INWARD = ("object.__getattr__", "builtins.id")  # audited a million times, and nothing outside changes by them


@dataclass(frozen=True)
class Outcome:
    killed: bool
    error: str
    events: int


class Zygote:
    """The process that others are forked from; ``module`` is the file with the functions they run."""

    def __init__(self, module):
        command = [sys.executable, __file__, str(module)]
        self.process = subprocess.Popen(
            command, env=os.environ | NO_THREADS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, function, *arguments, die_at=None, die_after=None, by="SIGKILL"):
        """Run a function of the module in a process of its own, and kill it on the way if told so."""
        return self.side_by_side((function, *arguments), die_at=die_at, die_after=die_after, by=by)[0]

    def side_by_side(self, *calls, die_at=None, die_after=None, by="SIGKILL"):
        """Run several functions at the same time, each given with its arguments."""
        how = {"die_at": die_at, "die_after": die_after, "by": by}
        asked = [{"function": name, "arguments": list(map(str, arguments)), **how} for name, *arguments in calls]
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return [Outcome(**outcome) for outcome in json.loads(self.process.stdout.readline())]

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def install_death(die_at, by, steps):
    """Count events in this process, and end it at one of them; at 0 they are only counted."""
    count = 0
    own = f"{os.sep}epsilometer{os.sep}"

    def step():
        nonlocal count
        count += 1
        if count == die_at:
            os.kill(os.getpid(), signal.Signals[by])

    def profiled(frame, event, _argument):
        file = frame.f_code.co_filename
        if own in file and (not steps or file.rpartition(os.sep)[2] in steps):
            step()

    if die_at is not None:
        sys.addaudithook(lambda event, _arguments: event in INWARD or step())
        sys.setprofile(profiled)
    return lambda: count


def run_child(module, call, report):
    """Run one call, and report how it ended; never returns."""
    error = ""
    signal.alarm(LONGEST)
    events = install_death(call["die_at"], call["by"], getattr(module, "STEPS", ()))
    try:
        getattr(module, call["function"])(*call["arguments"])
    except (Exception, KeyboardInterrupt) as problem:  # noqa: BLE001  (it is reported)
        error = f"{type(problem).__name__}: {problem}"
    sys.setprofile(None)
    os.write(report, json.dumps({"error": error, "events": events()}).encode())
    os._exit(0)


def start_children(module, calls):
    """Fork a process for each call; all begin when the last one is there."""
    waiting, begin = os.pipe()
    children = []
    for call in calls:
        report, reporting = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(begin)
            os.read(waiting, 1)  # until nobody holds the other end
            run_child(module, call, reporting)
        os.close(reporting)
        children.append((pid, report))
    os.close(waiting)
    os.close(begin)
    return children


def end_child(pid, report):
    ended = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    error = f"It did not end within {LONGEST} s." if ended == -signal.SIGALRM else ""
    with os.fdopen(report, "rb") as pipe:
        told = json.loads(pipe.read() or json.dumps({"error": error, "events": 0}))
    return {"killed": ended in (-signal.SIGKILL, -signal.SIGTERM), **told}


def serve(module_file):
    spec = importlib.util.spec_from_file_location(Path(module_file).stem, module_file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    tasks = Path("/proc/self/task")
    assert not tasks.exists() or len(list(tasks.iterdir())) == 1, "something that was imported has started a thread"
    for line in sys.stdin:
        calls = json.loads(line)
        children = start_children(module, calls)
        if calls[0]["die_after"] is not None:
            time.sleep(calls[0]["die_after"])
            for pid, _ in children:
                os.kill(pid, signal.SIGKILL)  # they are ours, and stay so until they are waited for
        sys.stdout.write(json.dumps([end_child(pid, report) for pid, report in children]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve(sys.argv[1])
