"""Measure a comparison: every way in a process of its own, one after the other, turn by turn.

A process of its own gives each way its own memory and its own packages; taking turns makes a busy machine slow all of
them. Where results disagree nothing is recorded.
"""

import json
import os
import statistics
import subprocess

from benchmarks.comparison import Way
from benchmarks.environments import ROOT, NotInstalled, python_with

OURS = "epsilometer"


class Disagreement(Exception):
    """Two ways that should do the same work and came to different results."""


def compared(comparison):
    """What was measured, ready for the results file."""
    ways = {OURS: Way(OURS, comparison.ours, OURS)} | {way.tool: way for way in comparison.peers}
    ways |= {limit.what: Way(limit.what, limit.prepare, "numpy") for limit in comparison.limits}
    pythons, missing = _installed(ways)
    runs = {name: [] for name in pythons}
    for turn in range(comparison.turns):
        for name, python in pythons.items():
            run = _run(python, ways[name], comparison.arguments)
            runs[name].append(run)
            print(f"    turn {turn + 1}  {name:<36} {_line(run)}", flush=True)
    _check(comparison, runs)
    return {
        "work": comparison.work,
        "size": comparison.size,
        "same": comparison.same,
        "ours": _summary(runs[OURS]),
        "peers": {way.tool: _summary(runs[way.tool]) for way in comparison.peers if way.tool in runs},
        "limits": {limit.what: _limit(runs[limit.what]) for limit in comparison.limits},
        "missing": missing,
    }


def _line(run):
    return f"{run['seconds']:10.4g} s {run['core_seconds']:10.4g} core-s {run['gigabytes']:7.2f} GB"


def _installed(ways):
    """The interpreter of each way, and why some have none."""
    pythons, missing = {}, {}
    for name, way in ways.items():
        try:
            pythons[name] = python_with(way.needs)
        except NotInstalled as error:
            missing[name] = str(error)
            print(f"    {name} could not be installed: {error}", flush=True)
    return pythons, missing


def _run(python, way, arguments):
    command = [python, "-m", "benchmarks.one_way", way.prepare.__module__, way.prepare.__name__, way.package]
    run = subprocess.run(
        command,
        input=json.dumps(dict(arguments)),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": ""},
        check=False,
    )
    if run.returncode:
        raise SystemExit(f"{way.tool} failed:\n{run.stderr}")
    return json.loads(run.stdout.splitlines()[-1])


def _check(comparison, runs):
    """Every result of every way is the one of our first run."""
    ours = runs[OURS][0]["result"]
    limits = {limit.what for limit in comparison.limits}
    for name, measured in runs.items():
        for run in measured if name not in limits else []:
            theirs = run["result"]
            close = len(theirs) == len(ours) and all(
                abs(a - b) <= comparison.tolerance * max(1, abs(a), abs(b)) for a, b in zip(ours, theirs, strict=True)
            )
            if not close:
                raise Disagreement(f"{comparison.work}, {comparison.size}: {OURS} {ours}, {name} {theirs}")


def _summary(runs):
    times = [run["seconds"] for run in runs]
    return {
        "version": runs[0]["version"],
        "seconds": _rounded(statistics.median(times)),
        "fastest": _rounded(min(times)),
        "slowest": _rounded(max(times)),
        "core_seconds": _rounded(statistics.median(run["core_seconds"] for run in runs)),
        "gigabytes": _rounded(max(run["gigabytes"] for run in runs), 3),
    }


def _limit(runs):
    return {"seconds": _rounded(statistics.median(run["result"][0] for run in runs))}


def _rounded(number, digits=4):
    return float(f"{number:.{digits}g}")
