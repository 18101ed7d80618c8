"""What is odd about a column is told the same, however many columns are asked about at once."""

import numpy as np
import pandas as pd
import pytest

import epsilometer as em
from epsilometer.tables import key_figures

N_ROWS, N_COLUMNS = 60, 100


@pytest.fixture
def wide():
    rng = np.random.default_rng(0)
    columns = {f"q{i}": rng.integers(0, 3, N_ROWS).astype(float) for i in range(N_COLUMNS)}
    columns["q7"][:4], columns["q93"] = np.nan, np.arange(N_ROWS)
    return pd.DataFrame(columns | {"s": rng.choice(["a", "b"], N_ROWS)})


@pytest.mark.parametrize("at_once", [1, 7, 40, 1000])
def test_a_table_of_many_columns(wide, at_once, monkeypatch):
    monkeypatch.setattr(key_figures, "AT_ONCE", at_once)
    freq = em.frequency_table(wide, quasi_identifiers=[f"q{i}" for i in range(N_COLUMNS)], sensitive="s")
    assert freq.n_records == N_ROWS
    assert sorted(note.split(";")[0].split(":")[0] for note in freq.notes) == [
        "4 records have no value for q7",
        "q93 has 60 different values in 60 records",
    ]
