"""How cost grows: python -m benchmarks.growth [WORD ...] [--results FILE].

Everything the product does with a profile or a table, at sizes over three decades, in processor time. The exponent is
that of the power of the size that fits the upper sizes best, after the fixed cost has been taken off. Words choose the
work that has one of them in its name, for trying out: only a run of everything is kept. The last line says whether
anything grows faster than it should, and so does the exit code.
"""

import argparse
import importlib
import json
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

KEPT = Path(__file__).with_name("growth.json")
MODULES = ("profiles", "tables", "releases", "samples")
SMALLEST = 2e-3  # seconds; below it, calls of functions are measured rather than work
FITTED, FEWEST = 4, 3  # sizes that are fitted, the largest ones, and that are measured whatever they take
LONG, LONGEST = 0.2, 2.0  # seconds that are spent on one size at least, and from which on larger ones are left out
FEWEST_CALLS, MOST_CALLS = 2, 7
STEEPEST = 1.1
MUST_NOT = ("rows", "cells", "values")  # over which nothing may grow faster, but what compares things in pairs


def best_seconds(action):
    """Processor time of one call: the best of two, as memory has to be got from the system first; of more if short."""
    times = []
    while len(times) < FEWEST_CALLS or (sum(times) < LONG and len(times) < MOST_CALLS):
        started = time.process_time()
        action()
        times.append(time.process_time() - started)
    return min(times)


def exponent(sizes, seconds):
    """Slope of the times over the sizes, both on the logarithm; none where a fixed cost is most of every time.

    The fixed cost is taken off first, and what is not twice as long is left out.

    >>> sizes = [10, 100, 1_000, 10_000, 100_000]
    >>> exponent(sizes, [0.1 + 1e-4 * n for n in sizes]), exponent(sizes, [0.1 + 1e-8 * n**2 for n in sizes])
    (1.0, 2.0)
    """
    fixed = fixed_cost(sizes, seconds)
    work = [(n, s - fixed) for n, s in zip(sizes, seconds, strict=True) if s - fixed >= max(SMALLEST, fixed)]
    if len(work) < 2:
        return None
    size, second = np.log(work[-FITTED:]).T
    return round(float(np.polyfit(size, second, 1)[0]), 2)


def fixed_cost(sizes, seconds):
    """The constant next to a power of the size that fits all times best; at most the shortest of them."""
    share, times = np.asarray(sizes) / sizes[-1], np.asarray(seconds)

    def misfit(about):
        fixed, largest, power = about
        return np.logaddexp(fixed, largest + power * np.log(share)) - np.log(times)

    start = np.log(times.min()), np.log(times[-1]), 1.0
    fitted = least_squares(misfit, start, bounds=([-np.inf, -np.inf, 0.5], [np.inf, np.inf, 3.0]))
    return min(float(np.exp(fitted.x[0])), float(times.min()))


def measured(growth):
    """What is recorded of one piece of work."""
    growth.prepare(growth.sizes[0])()  # loads what is loaded on first use
    sizes, seconds = [], []
    for size in growth.sizes:
        sizes.append(size)
        seconds.append(float(f"{best_seconds(growth.prepare(size)):.3g}"))
        if seconds[-1] > LONGEST and len(sizes) >= FEWEST:
            break
    return {
        "work": growth.work,
        "over": growth.over,
        "more": growth.more,
        "exponent": exponent(sizes, seconds),
        "sizes": sizes,
        "seconds": seconds,
    }


def verdict(one):
    """In a word: whether it grows as it should."""
    if one["exponent"] is None:
        return "at once"
    if one["exponent"] <= STEEPEST:
        return "as its size"
    if one["more"] or one["over"] not in MUST_NOT:
        return f"faster: {one['more']}".removesuffix(": ")
    return "TOO FAST"


def line(one):
    shown = "     " if one["exponent"] is None else f"{one['exponent']:5.2f}"
    largest = f"{one['sizes'][-1]:>9,} in {one['seconds'][-1]:8.3g} s"
    return f"{one['over']:<9} {shown}  {largest}  {one['work']:<60} {verdict(one)}"


def growths(folder):
    for name in MODULES:
        yield from importlib.import_module(f"benchmarks.growing.{name}").questions(folder)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("words", nargs="*", metavar="WORD", help="only work with one of these in its name")
    arguments.add_argument("--results", type=Path, default=KEPT)
    asked = arguments.parse_args()
    warnings.simplefilter("ignore")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for growth in growths(Path(folder)):
            if not asked.words or any(word in f"{growth.over} {growth.work}" for word in asked.words):
                found.append(measured(growth))
                print(line(found[-1]), flush=True)
    if not asked.words:  # what is kept is of one run: work measured again by itself would be a choice among draws
        asked.results.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    too_fast = [one for one in found if verdict(one) == "TOO FAST"]
    print(f"{len(found)} exponents, {len(too_fast)} above {STEEPEST}")
    sys.exit(bool(too_fast))


if __name__ == "__main__":
    main()
