"""Synthetic tables held against originals: measures by hand, the frame of held-out people, and bad input."""

import json

import jsonschema
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments.synthetic import proximity as proximity_module
from epsilometer.errors import BadQuestion, BadRoles, BadTable, OutOfRange, UnknownChoice, UnknownColumn
from epsilometer.report.documents import schema_text

SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))
ORIGINAL = pd.DataFrame({"age": [20, 40, 60, 60], "sex": ["f", "m", "f", None]})
SYNTHETIC = pd.DataFrame({"age": [20, 50], "sex": ["f", "m"]})


def population(n, seed):
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, n)
    return pd.DataFrame(
        {
            "height": rng.normal(165 + 5 * group, 6, n),
            "weight": rng.normal(70 + 8 * group, 9, n),
            "group": np.array(["a", "b", "c"])[group],
            "ill": np.where(rng.random(n) < 0.2 + 0.25 * group, "yes", "no"),
        }
    )


def test_every_measure_of_a_small_mixed_table_by_hand():
    near = em.proximity(ORIGINAL, SYNTHETIC, radius=0.2)
    # Gower: |20-20|/40 and f = f: 0; (50, m): to (40, m) it is (10/40 + 0)/2
    assert near.nearest.minimum == 0
    assert near.nearest.mean == pytest.approx((0 + 0.125) / 2)
    assert near.hitting_rate == 0.5
    assert near.coverage.n_pairs == 2
    assert near.coverage.rate == near.coverage.lowest_rate == 1
    assert near.coverage.gap == 0
    # two synthetic records: age and sex tell each other, and one combination of two is an original one
    assert near.candidates.n_originals == 4
    assert near.candidates.probability in {1 / (2 * 4), 1 / (4 * 4), 4 / (4 * 4)}
    assert "Gower" in near.metric
    SCHEMA.validate(near.to_dict())


def test_arrays_are_measured_as_in_the_paper():
    original = [[0, 0], [4, 0], [0, 3], [5, 5], [10, 1]]
    synthetic = [[1, 1], [4, 2], [0, 5], [6, 5], [8, 0]]
    near = em.proximity(original, synthetic, radius=1)
    assert "Euclidean" in near.metric
    assert near.nearest.mean == pytest.approx(1.730056307974577, rel=1e-12)
    assert near.nearest.median == 2
    assert near.coverage.rate == 0.2
    assert near.voronoi_pairing == pytest.approx((2.295994209933726, 0), rel=1e-12)
    assert near.voronoi.minimum == pytest.approx(em.voronoi_distances(original, synthetic).min())


def test_one_measure_at_a_time_takes_tables_and_arrays():
    assert em.nearest_distances(ORIGINAL, SYNTHETIC).tolist() == pytest.approx([0, 0.125])
    assert em.coverage([[0], [1]], [[2], [3]], radius=1).rate == 0.5
    frames = [pd.DataFrame(rows, columns=list("abcde")) for rows in (
        [[3, 5, 1, 2, 3], [8, 1, 2, 3, 4], [2, 2, 3, 4, 5]], [[4, 5, 1, 2, 3], [8, 7, 2, 3, 4], [3, 1, 2, 3, 4]],
    )]  # fmt: skip
    assert str(em.candidate_probability(*frames, cliques=[["a"], ["b"], ["c", "d", "e"]])) == "2/27"
    assert em.marginal_distance(ORIGINAL, SYNTHETIC, 1).worst_columns in {("age",), ("sex",)}
    assert em.moment_errors(ORIGINAL, SYNTHETIC).columns[0].mean.difference == pytest.approx(45 - 35)
    people = population(400, 1)
    assert em.model_accuracy(people, people, "ill", kinds=("lr",)).models[0].model == "lr"


def test_columns_are_matched_by_name():
    swapped = SYNTHETIC[["sex", "age"]]
    assert em.proximity(ORIGINAL, swapped).to_dict() == em.proximity(ORIGINAL, SYNTHETIC).to_dict()
    assert em.nearest_distances(ORIGINAL, swapped).tolist() == pytest.approx([0, 0.125])


@pytest.fixture(scope="module")
def split():
    people = population(1800, 7)
    return people[:700], people[700:1400], people[1400:]


def test_strangers_leak_nothing_and_copies_do(split):
    training, held_out, strangers = split
    asked = {"holdout": held_out, "quasi_identifiers": ["group"], "sensitive": "ill", "planted_share": 0.03, "seed": 1}
    fair = em.audit(training, strangers, **asked)
    assert not fair.frame.leak.found
    assert fair.frame.power.found.value == 1.0
    assert fair.proximity.hitting_rate == 0
    assert "no leak was found" in fair.in_words
    copies = em.audit(training, training[:400], **asked)
    assert copies.frame.leak.found
    assert copies.leak_found
    assert copies.frame.bands[0].place == "nearer"
    assert copies.proximity.hitting_rate == 1
    for found in (fair, copies):
        SCHEMA.validate(found.to_dict())


def test_guesses_have_a_control_group(split):
    training, held_out, _ = split
    found = em.audit(training, training, holdout=held_out, quasi_identifiers=["height", "weight", "group"],
                     sensitive="ill", attackers=("look-up", "logistic model"))  # fmt: skip
    assert [guessed.attacker for guessed in found.inference.guessed] == ["look-up", "logistic model"]
    assert found.inference.guessed[0].excess.value > 0
    assert found.inference.no_release == pytest.approx(training["ill"].value_counts(normalize=True).max())


def test_without_a_holdout_distances_are_said_to_mean_little(split):
    training, _, strangers = split
    found = em.audit(training, strangers)
    assert found.frame is None
    assert found.inference is None
    assert not found.leak_found
    assert "cannot be said without people who were held out" in found.in_words
    assert any("No holdout" in caveat for caveat in found.caveats)
    SCHEMA.validate(found.to_dict())


def test_the_same_seed_gives_the_same_audit(split):
    training, held_out, strangers = split
    one, other = (em.audit(training, strangers, holdout=held_out, seed=2).to_dict() for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    ("original", "synthetic"),
    [
        (pd.DataFrame({"x": [1, 1, 1]}), pd.DataFrame({"x": [1, 2]})),
        (pd.DataFrame({"x": [5]}), pd.DataFrame({"x": [5]})),
        (pd.DataFrame({"x": [1, 2]}), pd.DataFrame({"x": [1, 2, 3, 4, 5]})),
        (pd.DataFrame({"x": [1, 2], "y": [None, None]}).astype({"y": float}), pd.DataFrame({"x": [1], "y": [2.0]})),
        (pd.DataFrame({"x": ["a", "a"]}), pd.DataFrame({"x": ["b", "a", "c"]})),
    ],
    ids=["constant", "single row", "larger", "all missing", "constant words"],
)
def test_odd_tables_have_defined_results(original, synthetic):
    found = em.audit(original, synthetic)
    SCHEMA.validate(found.to_dict())
    assert 0 <= found.proximity.hitting_rate <= 1


@pytest.mark.parametrize(
    ("tables", "asked", "error", "message"),
    [
        ((ORIGINAL, SYNTHETIC.drop(columns="sex")), {}, BadTable, "lacks sex"),
        ((ORIGINAL, SYNTHETIC.assign(age="x")), {}, BadTable, "'age' holds int64"),
        ((ORIGINAL, SYNTHETIC), {"sensitive": "sex"}, BadQuestion, "takes both"),
        ((ORIGINAL, SYNTHETIC), {"sensitive": "sex", "quasi_identifiers": ["sex"]}, BadRoles, "both"),
        ((ORIGINAL, SYNTHETIC), {"sensitive": "sex", "quasi_identifiers": ["agee"]}, UnknownColumn, "agee"),
        ((ORIGINAL, SYNTHETIC), {"columns": ["agee"]}, UnknownColumn, "agee"),
        ((ORIGINAL, SYNTHETIC), {"metric": "manhattan"}, UnknownChoice, "manhattan"),
        ((ORIGINAL, SYNTHETIC), {"metric": "euclidean"}, BadTable, "Use the metric gower"),
        ((ORIGINAL, SYNTHETIC), {"radius": -1}, OutOfRange, "radius"),
        ((ORIGINAL, SYNTHETIC), {"planted_share": 0}, OutOfRange, "planted_share"),
        ((ORIGINAL, SYNTHETIC), {"holdout": ORIGINAL, "error_rate": 0}, OutOfRange, "error_rate"),
        ((ORIGINAL[:0], SYNTHETIC), {}, BadTable, "no row"),
    ],
)
def test_what_is_refused(tables, asked, error, message):
    with pytest.raises(error, match=message):
        em.audit(*tables, **asked)


def test_arrays_must_be_records_by_columns():
    with pytest.raises(BadTable, match=r"shape \(3,\)"):
        em.proximity([1, 2, 3], [1, 2, 3])
    with pytest.raises(BadRoles, match="no column number 5"):
        em.candidate_probability([[1]], [[1]], cliques=[[5]])
    with pytest.raises(UnknownColumn, match="z"):
        em.candidate_probability(pa.table({"x": [1]}), pa.table({"x": [1]}), cliques=[["z"]])


def test_large_tables_are_paired_in_part(monkeypatch, split):
    monkeypatch.setattr(proximity_module, "PAIRED_AT_MOST", 300)
    monkeypatch.setattr(proximity_module, "PAIRED_PART", 100)
    near = em.proximity(split[0], split[1])
    assert near.coverage.n_pairs == 100
    assert near.caveats[-1] == (
        "Records were paired one to one in random parts, 100 of 700 original and 100 of 700 synthetic ones:"
        " in 6 coordinates at most 300 of each are paired."
    )


def test_results_say_which_ways_were_chosen_and_why(split):
    found = em.audit(split[0], split[2], holdout=split[1])
    near, told = found.proximity, found.to_dict()
    # two numbers, a group of three values and an illness of two make six coordinates
    assert near.search.method in {"a tree", "products of matrices"}
    assert "tried on 31 records" in near.search.why
    assert "of the 700 different ones" in near.search.why
    assert near.coverage.how.method == "near pairs and bargains"
    assert near.coverage.how.why.startswith("280,000 of different records are more than 160,000; proved")
    assert told["proximity"]["search"] == {"method": near.search.method, "why": near.search.why}
    assert told["proximity"]["coverage"]["pairing"]["method"] == "near pairs and bargains"
    assert told["frame"]["search"]["method"] == found.frame.search.method


def test_held_out_rows_that_are_in_the_table_are_noticed(split):
    found = em.audit(split[0], split[2], holdout=split[0])
    assert any("are they the same rows" in caveat for caveat in found.caveats)


def test_a_synthetic_table_is_a_table():
    made = em.synthesize(ORIGINAL, method="contingency", epsilon=50.0, public_table=ORIGINAL)
    assert em.proximity(ORIGINAL, made).n_synthetic == made.n_rows
