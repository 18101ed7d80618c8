"""How cost grows: python -m benchmarks.growth [WORD ...] [--results FILE].

Everything the product does with a profile or a table, at sizes over three decades, in processor time. The exponent is
that of the power of the size that fits best, after the fixed cost has been taken off. Words choose the
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
FEWEST = 3  # sizes that are measured whatever they take; two are no fit
LONG, LONGEST = 0.2, 2.0  # seconds that are spent on one size at least, and from which on larger ones are left out
FEWEST_CALLS, MOST_CALLS = 2, 7
MORE_ROUNDS = 4  # at the end of the run, through all that seems to grow too fast, before it is believed
STEEPEST, TOO_FAST = 1.1, "TOO FAST"
MUST_NOT = ("rows", "cells", "values")  # over which nothing may grow faster, but what compares things in pairs


def turn(actions, times):
    """Add the processor time of one call of each action to its times."""
    for action, taken in zip(actions, times, strict=True):
        started = time.process_time()
        action()
        taken.append(time.process_time() - started)


def wants_more(times):
    """Short calls are repeated: memory has to be got from the system first."""
    return len(times) < FEWEST_CALLS or (sum(times) < LONG and len(times) < MOST_CALLS)


def exponent(sizes, seconds):
    """Slope of the times over the sizes, both on the logarithm; none where a fixed cost is most of every time.

    The fixed cost is taken off first, and what is not twice as long is left out.

    >>> sizes = [10, 100, 1_000, 10_000, 100_000]
    >>> exponent(sizes, [0.1 + 1e-4 * n for n in sizes]), exponent(sizes, [0.1 + 1e-8 * n**2 for n in sizes])
    (1.0, 2.0)
    """
    fixed = fixed_cost(sizes, seconds)
    work = [(n, s - fixed) for n, s in zip(sizes, seconds, strict=True) if s - fixed >= max(SMALLEST, fixed)]
    if len(work) < FEWEST:
        return None
    size, second = np.log(work).T
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


class Measurement:
    """The times of one piece of work at its sizes.

    A busy machine only ever adds time, to some sizes more than to others: the shortest time of each size counts, and a
    cost that seems to grow too fast gets more turns before it is believed.
    """

    def __init__(self, growth):
        self.growth, self.times = growth, []
        growth.prepare(growth.sizes[0])()  # loads what is loaded on first use
        actions = []
        for size in growth.sizes:
            actions.append(growth.prepare(size))
            self.times.append([])
            turn(actions[-1:], self.times[-1:])
            if self.times[-1][0] > LONGEST and len(actions) >= FEWEST:
                break
        while waiting := [i for i, taken in enumerate(self.times) if wants_more(taken)]:
            turn([actions[i] for i in waiting], [self.times[i] for i in waiting])

    def again(self):
        """Every size has more turns."""
        actions = [self.growth.prepare(size) for size in self.growth.sizes[: len(self.times)]]
        for _ in range(FEWEST_CALLS):
            turn(actions, self.times)

    def found(self):
        """What is recorded of it: the shortest times, and the power that fits them."""
        sizes = self.growth.sizes[: len(self.times)]
        seconds = [float(f"{min(taken):.3g}") for taken in self.times]
        return {
            "work": self.growth.work,
            "over": self.growth.over,
            "more": self.growth.more,
            "exponent": exponent(sizes, seconds),
            "sizes": sizes,
            "seconds": seconds,
        }

    def too_fast(self):
        return verdict(self.found()) == TOO_FAST


def verdict(one):
    """In a word: whether it grows as it should."""
    if one["exponent"] is None:
        return "at once"
    if one["exponent"] <= STEEPEST:
        return "as its size"
    if one["more"] or one["over"] not in MUST_NOT:
        return f"faster: {one['more']}".removesuffix(": ")
    return TOO_FAST


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
    measurements = []
    with tempfile.TemporaryDirectory() as folder:
        for growth in growths(Path(folder)):
            if not asked.words or any(word in f"{growth.over} {growth.work}" for word in asked.words):
                measurements.append(Measurement(growth))
                print(line(measurements[-1].found()), flush=True)
        for _ in range(MORE_ROUNDS):
            for one in filter(Measurement.too_fast, measurements):
                one.again()
                print(line(one.found()), "again", flush=True)
    found = [one.found() for one in measurements]
    if not asked.words:  # what is kept is of one run: work measured again by itself would be a choice among draws
        asked.results.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    n_too_fast = sum(map(Measurement.too_fast, measurements))
    print(f"{len(found)} exponents, {n_too_fast} above {STEEPEST}")
    sys.exit(bool(n_too_fast))


if __name__ == "__main__":
    main()
