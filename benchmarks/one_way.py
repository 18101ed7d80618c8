"""The process of one way of doing the work: python -m benchmarks.one_way MODULE FUNCTION PACKAGE < arguments.

It may run in the environment of a peer, and so needs the standard library only. Its last line is what it measured.
The first run warms up and does not count, unless it takes long; then the work is repeated for about a second.
"""

import importlib
import importlib.metadata
import json
import resource
import statistics
import sys
import time

A_MOMENT = 1.0
LONG = 10.0
BOTH = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def timed(work):
    """Median wall time of the work, the median of its core-seconds, and its last result, for which it was warm."""
    first, result = _once(work)
    runs = [first] if first[1] >= LONG else []  # core-seconds: a busy machine makes nothing long
    until = time.perf_counter() + (A_MOMENT if not runs else 0.0)
    while time.perf_counter() < until:
        measured, result = _once(work)
        runs.append(measured)
    return *map(statistics.median, zip(*runs, strict=True)), result


def _once(work):
    started, core_started = time.perf_counter(), _core_seconds()
    result = work()
    return (time.perf_counter() - started, _core_seconds() - core_started), result


def _core_seconds():
    """Of this process, all its threads, and the children that ended."""
    used = (resource.getrusage(who) for who in BOTH)
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak_gigabytes():
    """The most memory that this process or one of its children had."""
    unit = 1024**3 if sys.platform == "darwin" else 1024**2
    return max(resource.getrusage(who).ru_maxrss for who in BOTH) / unit


def main(module, function, package):
    work = getattr(importlib.import_module(module), function)(**json.load(sys.stdin))
    seconds, core_seconds, result = timed(work)
    measured = {
        "seconds": seconds,
        "core_seconds": core_seconds,
        "gigabytes": peak_gigabytes(),
        "result": [float(number) for number in result],
        "version": importlib.metadata.version(package),
    }
    print()
    print(json.dumps(measured))


if __name__ == "__main__":
    main(*sys.argv[1:])
