"""No path publishes a true count: each passes through noise once, and nothing published comes from anywhere else."""

from itertools import product

import numpy as np
import pyarrow as pa
import pytest

from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from epsilometer.plans.release_kinds import CountsOf
from epsilometer.publication import counts as publishing
from epsilometer.publication import settling
from epsilometer.publication.counts import publish_counts
from epsilometer.tables.engine import embedded_engine, in_view
from epsilometer.tables.opening import open_table
from epsilometer.tables.people_combined import PeopleCombined

ENGINE = embedded_engine()
SENTINEL, APART = 7_000_000_013, 1_000_003
ROWS = {
    "sex": ["f", "m", "m", "f"],
    "age": [20, 21, 22, 22],
    "job": ["cook", "nurse", None, "cook"],
    "id": [1, 2, 3, 4],
}
DOMAIN = {"sex": ["f", "m"], "age": (20, 22), "job": ["cook", "nurse", "smith", None]}
TABLES = (CountsOf(columns=("sex", "job")), CountsOf(columns=("job", "age"), weight=2.0))
MECHANISMS = {
    "laplace": lambda tau: Laplace(epsilon=1.0, threshold=tau),
    "geometric": lambda tau: Geometric(epsilon=1.0, threshold=tau, adjacency="replace"),
    "gaussian": lambda tau: Gaussian(epsilon=1.0, delta=1e-6, threshold=tau),
    "discrete gaussian": lambda tau: DiscreteGaussian(epsilon=1.0, delta=1e-6, threshold=tau, adjacency="replace"),
}
SUPPORTS = {"declared": {}, "thresholded": {"support": "thresholded", "support_delta": 1e-6}}
STEPS = [(), ("whole",), ("non-negative",), ("non-negative", "whole"), ("totals",), ("totals", "non-negative", "whole")]


def option_combinations():
    """All but those that are refused (see test_settling.py), and the split of a single table, which has none."""
    everything = product(SUPPORTS, [(), TABLES], ["weights", "optimised"], STEPS, [1, 2], [0.5, -3.5, 1000.5])
    for support, tables, split, steps, cells, tau in everything:
        optimised = split == "optimised"
        if not (support == "thresholded" and (optimised or "totals" in steps)) and not (optimised and not tables):
            settings = {"tables": tables, "split": split, "post_processing": steps, "cells_per_person": cells}
            yield settings | SUPPORTS[support], tau


def occurring(columns):
    """The combinations of some columns that occur, in order."""
    rows = sorted({tuple(row[name] for name in columns) for row in pa.table(ROWS).to_pylist()}, key=str)
    return pa.table(dict(zip(columns, zip(*rows, strict=True), strict=True)))


@pytest.fixture
def asked(plan, monkeypatch):
    """``asked(mechanism, settings)``: a plan for a table that is open, with noise levels that are computed once."""
    monkeypatch.setattr(settling, "noise_levels", remembered(settling.noise_levels))
    table = open_table(pa.table(ROWS))
    return lambda mechanism, settings: plan(
        table, domain=DOMAIN, bins={}, person_id="id", mechanism=mechanism, **settings
    )


def remembered(noise_levels):
    found = {}

    def levels(counts, shares, names):
        key = counts.mechanism, counts.cells_per_person, *shares
        if key not in found:
            found[key] = noise_levels(counts, shares, names)
        return found[key]

    return levels


def count_as(numbers_of, monkeypatch):
    """Let each table that is counted have these numbers for the combinations that occur."""

    def combine_people(_table, _roles, sets, **_settings):
        keys = [occurring(columns) for columns in sets]
        starts = np.cumsum([0, *(each.num_rows for each in keys)])
        numbers = [numbers_of(start + np.arange(each.num_rows)) for each, start in zip(keys, starts, strict=False)]
        rows = [each.append_column("n", pa.array(n)) for each, n in zip(keys, numbers, strict=True)]
        return [
            PeopleCombined(in_view(ENGINE, each), tuple(columns), "people")
            for each, columns in zip(rows, sets, strict=True)
        ]

    monkeypatch.setattr(publishing, "combine_people", combine_people)


class Spy:
    """Noise so wide that it never leaves a number as it is; it remembers what it was given, and what it gave."""

    def __init__(self, seed):
        self.rng, self.given, self.gave = np.random.default_rng(seed), [], []

    def whole(self, values, _scale):
        noisy = values + self.rng.integers(-(10**9), 10**9, values.shape)
        self.given.extend(values[values > 0].tolist())
        self.gave.extend(noisy.ravel().tolist())
        return noisy

    whole_gaussian = whole


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_no_path_publishes_a_true_count(asked, monkeypatch, mechanism):
    """Noise leaves one of the counts as it is once in a million runs of this test, and the seeds are fixed."""
    count_as(lambda numbers: SENTINEL + APART * numbers, monkeypatch)
    for seed, (settings, tau) in enumerate(option_combinations()):
        spy = Spy(seed)
        made = publish_counts(asked(MECHANISMS[mechanism](tau), settings), spy)
        exact = {SENTINEL + APART * i for i in range(len(spy.given))}
        assert sorted(spy.given) == sorted(exact), "every true count passes through noise once"
        assert len(exact) == sum(occurring(table.columns).num_rows for table in made)
        shown = {count for table in made for count in table.rows["count"].to_pylist()}
        assert not shown & exact
        if not settings["post_processing"]:
            assert shown <= {0, 1} | set(spy.gave), "what is published is what noise gave"


class Fixed:
    """Answers that do not depend on the counts."""

    def whole(self, values, _scale):
        return (np.arange(values.size, dtype=np.int64) * 37 % 101 - 20).reshape(values.shape)

    whole_gaussian = whole


def test_given_the_noisy_numbers_a_release_says_nothing_of_the_counts(asked, monkeypatch):
    """The same noisy numbers for other true counts make the same release, whatever the options."""
    for settings, tau in option_combinations():
        releases = []
        for factor in (1, 1000):
            count_as(lambda numbers, factor=factor: 1 + factor * numbers, monkeypatch)
            made = publish_counts(asked(Geometric(epsilon=1.0, threshold=tau), settings), Fixed())
            releases.append([table.rows.to_pydict() for table in made])
        assert releases[0] == releases[1]
