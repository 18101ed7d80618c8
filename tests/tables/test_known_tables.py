"""Published figures of two public tables."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from epsilometer.tables.counting import frequency_table

DATA = Path(__file__).parents[2].parent / "shared" / "data"
BANKRUPTCY = [
    "industrial_risk", "management_risk", "financial_flexibility",
    "credibility", "competitiveness", "operating_risk",
]  # fmt: skip
ADULT = ["age", "relationship", "education", "race", "sex", "hours_per_week"]
COMPLETE_CASES = (
    "split = 'train' and native_country = 'United-States' and workclass is not null and occupation is not null"
)
BINS = {
    "age": {"width": 5, "origin": 15, "closed": "right"},
    "hours_per_week": {"width": 10, "origin": 0, "closed": "right"},
}

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public tables are not in ../shared/data")


def published(name):
    """Cells by sorted count vector."""
    with (DATA / "profiles" / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    return Counter({tuple(int(n) for key, n in row.items() if key != "cells"): int(row["cells"]) for row in rows})


def sorted_vectors(profile):
    found = Counter()
    for vector, n in zip(profile.counts.tolist(), profile.n_cells.tolist(), strict=True):
        found[tuple(sorted(vector, reverse=True))] += n
    return found


def homogeneous(freq):
    return int(freq.profile.n_cells[(freq.profile.counts > 0).sum(axis=1) == 1].sum())


def test_bankruptcy():
    freq = frequency_table(DATA / "bankruptcy.csv", quasi_identifiers=BANKRUPTCY, sensitive="class")
    assert (freq.n_records, freq.n_cells, homogeneous(freq)) == (250, 103, 103)
    assert sorted_vectors(freq.profile) == published("bankruptcy.csv")


def test_bankruptcy_subset():
    known = [name for name in BANKRUPTCY if name != "financial_flexibility"]
    freq = frequency_table(DATA / "bankruptcy.csv", quasi_identifiers=known, sensitive="financial_flexibility")
    assert (freq.n_cells, homogeneous(freq), freq.profile.sizes.max()) == (78, 54, 14)
    assert sorted_vectors(freq.profile) == published("bankruptcy_subset.csv")


def test_adult():
    freq = frequency_table(
        DATA / "adult.csv",
        quasi_identifiers=ADULT,
        sensitive="income",
        bins=BINS,
        where=COMPLETE_CASES,
        missing="?",
    )
    assert (freq.n_records, freq.n_cells, homogeneous(freq)) == (27_504, 5_009, 4_044)
    assert sorted_vectors(freq.profile) == published("adult_6qid.csv")


def test_adult_pieces():
    known = [*ADULT, "income"]
    freq = frequency_table(
        DATA / "adult.csv",
        quasi_identifiers=known,
        sensitive="split",
        bins=BINS,
        where=COMPLETE_CASES,
        missing="?",
    )
    expected = Counter({vector[:1]: n for vector, n in published("adult_as_published_7way.csv").items()})
    assert (freq.n_cells, sorted_vectors(freq.profile)) == (5_974, expected)
