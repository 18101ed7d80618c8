"""Measure, and write the page: python -m benchmarks [QUESTION ...] [--scale SCALE] [--results FILE].

Without a question all of them are asked. The scale multiplies every size: --scale 0.01 is for trying out. A figure
replaces the one of the same work and size.
"""

import argparse
import importlib
from pathlib import Path

from benchmarks import results, speed_page
from benchmarks.environments import kept_folder
from benchmarks.turns import compared

QUESTIONS = (
    "counting", "raw_tables", "subsets", "guessing", "distances", "neighbours", "matching", "homogeneity",
    "closed_forms", "channels", "guarantees", "noise", "starting", "alone",
)  # fmt: skip


def ask(question, scale, path):
    """Measure everything about one question."""
    module = importlib.import_module(f"benchmarks.questions.{question}")
    for comparison in module.comparisons(kept_folder("tables"), scale):
        print(f"{question}: {comparison.work}, {comparison.size}", flush=True)
        results.record(question, compared(comparison), path)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("questions", nargs="*", metavar="QUESTION", help=f"one or more of {', '.join(QUESTIONS)}")
    arguments.add_argument("--scale", type=float, default=1.0)
    arguments.add_argument("--results", type=Path, default=results.KEPT)
    asked = arguments.parse_args()
    if unknown := set(asked.questions) - set(QUESTIONS):
        arguments.error(f"There is no question {', '.join(unknown)}; there are {', '.join(QUESTIONS)}.")
    for question in asked.questions or QUESTIONS:
        ask(question, asked.scale, asked.results)
    if asked.results == results.KEPT:
        speed_page.write()


if __name__ == "__main__":
    main()
