"""Distances found part by part, by a streaming engine and with small parts, are those found at once."""

import numpy as np
import pandas as pd
import pytest

import epsilometer as em
from epsilometer.assessments.synthetic import proximity_in_parts as module
from epsilometer.assessments.synthetic.proximity_in_parts import proximity_in_parts
from epsilometer.errors import BadTable
from epsilometer.tables import in_parts
from epsilometer.tables.opening import open_table
from epsilometer.vocabulary.telling import silent


def people(n, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(0, 60, n),
            "income": rng.normal(30, 5, n).round(1),
            "job": rng.choice(["cook", "nurse", "smith", None], n),
            "country": ["Oz"] * n,
            "rooms": np.where(rng.random(n) < 0.1, np.nan, rng.integers(1, 5, n)),
        }
    )


ORIGINAL = people(400, seed=1)
SYNTHETIC = pd.concat([people(200, seed=2).assign(country="Ix"), ORIGINAL[:30]], ignore_index=True)
N_COORDINATES = 1 + 1 + 4 + 1 + 3


def in_small_parts(monkeypatch, original=ORIGINAL, synthetic=SYNTHETIC, **settings):
    monkeypatch.setattr(in_parts, "ROWS_AT_ONCE", 32)
    asked = {"columns": (), "metric": None, "radius": None, "linked_from": 0.2, "tell": silent} | settings
    return proximity_in_parts(open_table(original), open_table(synthetic), **asked)


def distances(near):
    return near.nearest.minimum, near.nearest.median, near.nearest.mean, *near.nearest.quantiles.values(), near.radius


@pytest.mark.parametrize("columns", [(), ("age", "income"), ("job", "country")], ids=["mixed", "numbers", "words"])
def test_parts_and_whole_agree(monkeypatch, columns):
    at_once = em.proximity(ORIGINAL, SYNTHETIC, columns=columns)
    found = in_small_parts(monkeypatch, columns=columns)
    assert (found.n_original, found.n_synthetic, found.metric) == (400, 230, at_once.metric)
    assert found.hitting_rate == at_once.hitting_rate
    assert distances(found) == pytest.approx(distances(at_once), rel=1e-12)
    assert found.voronoi.mean == pytest.approx(at_once.voronoi.mean, rel=1e-9)
    assert found.coverage.mean_distance == pytest.approx(at_once.coverage.mean_distance, rel=1e-9)
    assert found.candidates == at_once.candidates
    assert found.search.method == "originals sent to where the synthetic records are"
    assert not found.notes


def test_the_smaller_table_is_sent_where_the_originals_are_too_many(monkeypatch):
    at_once = em.proximity(ORIGINAL, SYNTHETIC)
    monkeypatch.setattr(module, "SENT_AT_MOST", 300 * N_COORDINATES)
    found = in_small_parts(monkeypatch)
    assert found.hitting_rate == at_once.hitting_rate
    assert distances(found) == pytest.approx(distances(at_once), rel=1e-12)
    assert found.voronoi is None
    assert found.search.method == "synthetic records sent to where the originals are"
    assert found.search.why.endswith("different originals; 300 records at most are sent to each worker")
    assert found.notes[0].startswith("Voronoi distances were left out")


def test_tables_that_are_both_too_large_are_refused(monkeypatch):
    monkeypatch.setattr(module, "SENT_AT_MOST", 30 * N_COORDINATES)
    with pytest.raises(BadTable, match=r"must have at most 30 to be sent to the other\. Give a random part"):
        in_small_parts(monkeypatch)
    monkeypatch.setattr(module, "SYNTHETIC_AT_MOST", 229)
    with pytest.raises(BadTable, match="has 230 records; distances are summed up of at most 229"):
        in_small_parts(monkeypatch)


def test_pairs_of_a_random_part_are_measured_by_the_ranges_of_the_whole(monkeypatch):
    """All but one original are within 1 of each other; the one at 1000 sets the range whether it is drawn or not."""
    original = pd.DataFrame({"size": [*np.linspace(0, 1, 400), 1000.0], "sex": ["f"] * 401})
    synthetic = pd.DataFrame({"size": np.linspace(0, 1, 300), "sex": ["f"] * 300})
    monkeypatch.setattr(module, "DRAWN_AT_MOST", 20)
    found = in_small_parts(monkeypatch, original, synthetic, metric="gower")
    assert found.coverage.n_pairs == 20
    assert found.coverage.mean_distance <= 1 / 1000 / 2 or found.coverage.mean_distance >= 999 / 1000 / 20 / 2
    assert any("random parts of at most 20 records of each table" in note for note in found.notes)


def test_equal_originals_have_no_voronoi_edges(monkeypatch):
    original = pd.DataFrame({"size": [3.0] * 5})
    found = in_small_parts(monkeypatch, original, pd.DataFrame({"size": [3.0, 4.0]}), metric="euclidean")
    assert found.voronoi is None
    assert found.nearest.mean == 0.5


def test_what_has_no_distance_is_refused(monkeypatch):
    with pytest.raises(BadTable, match="'rooms' of the pandas table is missing in some rows"):
        in_small_parts(monkeypatch, columns=("age", "rooms"), metric="euclidean")
    with pytest.raises(BadTable, match="The tables must have the same columns: the pandas table lacks rooms"):
        in_small_parts(monkeypatch, synthetic=SYNTHETIC.drop(columns="rooms"))


def test_columns_are_matched_by_name(monkeypatch):
    swapped = in_small_parts(monkeypatch, synthetic=SYNTHETIC[SYNTHETIC.columns[::-1]])
    assert distances(swapped) == pytest.approx(distances(em.proximity(ORIGINAL, SYNTHETIC)), rel=1e-12)
