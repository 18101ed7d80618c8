"""Work for the jobs of the tests; the processes that do it import this file."""

import os
import tempfile
import time
from pathlib import Path

from epsilometer.errors import BadOutput, OutOfRange


def double(number, *, tell):
    tell("doubling", 0.5)
    return 2 * number


def wait_for(flag, *, tell):
    """Say where it is, and go on when the file is there."""
    tell("waiting for a sign", 0.25)
    while not Path(flag).exists():
        time.sleep(0.02)
    return "seen"


def refuse(*, tell):
    raise OutOfRange("epsilon", -1.0, "(0, inf)")


def break_down(*, tell):
    raise ZeroDivisionError("secret value 4711")


def vanish(*, tell):
    os._exit(1)


def hold_a_file(report, *, tell):
    """Write to a temporary file, say where, and never end; clean up when cancelled."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "half").write_text("half of it")
        Path(report).with_suffix(".part").write_text(folder)
        Path(report).with_suffix(".part").rename(report)
        try:
            while True:
                time.sleep(0.02)
        finally:
            Path(report).with_name("cleaned").touch()


def pass_the_point(report, flag, *, tell):
    """Reach the point from which there is no way back, and go on when the file is there."""
    tell.no_way_back()
    Path(report).touch()
    while not Path(flag).exists():
        time.sleep(0.02)
    return "published"


def fail_behind_the_point(*, tell):
    tell.no_way_back()
    raise BadOutput("The disk is full.")


def vanish_behind_the_point(*, tell):
    tell.no_way_back()
    os._exit(1)


def reach_the_point_late(report, flag, *, tell):
    """Hear nothing of a wish to end it, and then come to the point from which there would be no way back."""
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Path(report).touch()
    while not Path(flag).exists():
        time.sleep(0.02)
    tell.no_way_back()
    Path(report).with_name("appeared").touch()


def ignore_the_end(report, *, tell):
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Path(report).touch()
    time.sleep(600)
