"""A slow and obvious counter of rows, to hold the engines to."""

from collections import Counter, defaultdict

import pytest


def count_by_hand(rows, quasi_identifiers, sensitive):
    """Map each count vector to its number of cells, with the sensitive values in order, missing last."""
    values = sorted({row[sensitive] for row in rows}, key=lambda value: (value is None, value))
    cells = defaultdict(Counter)
    for row in rows:
        cells[tuple(row[name] for name in quasi_identifiers)][row[sensitive]] += 1
    return values, Counter(tuple(cell[value] for value in values) for cell in cells.values())


def as_counter(profile):
    """Profile as a mapping of count vectors to numbers of cells."""
    return Counter(
        {tuple(vector): n for vector, n in zip(profile.counts.tolist(), profile.n_cells.tolist(), strict=True)}
    )


@pytest.fixture(name="count_by_hand", scope="session")
def _count_by_hand():
    return count_by_hand


@pytest.fixture(name="as_counter", scope="session")
def _as_counter():
    return as_counter
