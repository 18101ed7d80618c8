"""Four measures, three ways to know each: they agree where they must, and say what they assume."""

import json
from pathlib import Path

import numpy as np
import pytest

import epsilometer as em
from epsilometer.formulas import homogeneity
from epsilometer.formulas.homogeneity import published

ORACLE = json.loads((Path(__file__).parents[1] / "reference" / "oracle.json").read_text(encoding="utf-8"))
TABLES = {
    "mixed": [[3, 0], [2, 1], [5, 2], [1, 0], [1, 0], [7, 7]],
    "three values": ORACLE["datasets"]["bankruptcy_subset"],
    "homogeneous": [[3, 0], [0, 2], [5, 0], [1, 0], [0, 6]],
    "one record each": [[1, 0], [0, 1], [1, 0]],
    "same shares": [[10, 10], [20, 20], [5, 5], [30, 30]],
}
MEASURES = ("local", "expected", "shrinkage", "global", "global-fixed")
NOISE = em.Laplace(epsilon=(0.2, 1.0, 4.0))
table = pytest.mark.parametrize("counts", TABLES.values(), ids=TABLES.keys())
measure = pytest.mark.parametrize("measure", MEASURES)


@table
@measure
def test_exact_lies_in_the_interval_of_the_simulation(counts, measure):
    """Three epsilons, 25 cases; each interval is at 95 %, widened to 5 standard errors: false alarms below 1e-4."""
    freq = em.FrequencyTable.from_counts(counts)
    exact = em.homogeneity_risk(freq, NOISE, measure)
    simulated = em.homogeneity_risk(freq, NOISE, measure, "simulated", repeats=400, seed=11)
    assert simulated.evidence == "estimate"
    assert exact.evidence == "exact"
    interval = simulated.answer.interval
    half = (interval.high - interval.low) / 2
    assert (np.abs(simulated.value - exact.value) <= 5 / 1.96 * half + 1e-12).all()
    assert (exact.value <= exact.any_table + 1e-12).all()


@table
@pytest.mark.parametrize("measure", ["local", "expected", "shrinkage"])
def test_people_weighted_averages_agree_with_simulation_too(counts, measure):
    freq = em.FrequencyTable.from_counts(counts)
    exact = em.homogeneity_risk(freq, NOISE, measure, average="records")
    simulated = em.homogeneity_risk(freq, NOISE, measure, "simulated", "records", repeats=400, seed=5)
    half = (simulated.answer.interval.high - simulated.answer.interval.low) / 2
    assert (np.abs(simulated.value - exact.value) <= 5 / 1.96 * half + 1e-12).all()


@table
@measure
def test_published_is_labelled_as_printed_and_never_a_bound(counts, measure):
    freq = em.FrequencyTable.from_counts(counts)
    risk = em.homogeneity_risk(freq, NOISE, measure, "published")
    assert risk.evidence == "as printed"
    assert all(source.key.startswith("homogeneity") for source in risk.source)
    assert np.isfinite(risk.value).all()


def test_the_printed_expected_risk_is_below_the_exact_one():
    freq = em.FrequencyTable.from_counts(TABLES["mixed"])
    assert (
        em.homogeneity_risk(freq, NOISE, "expected", "published").value
        < em.homogeneity_risk(freq, NOISE, "expected").value
    ).all()


@pytest.mark.parametrize(
    "entry",
    [e for e in ORACLE["references"] if e["id"].startswith(("drha-bankruptcy-subset", "drha-eb-shrinkage"))],
    ids=lambda entry: entry["id"],
)
def test_oracle_values_of_whole_tables(entry):
    counts = ORACLE["datasets"][entry["inputs"]["cells"].removeprefix("datasets.")]
    noise = em.Laplace(epsilon=float(entry["inputs"]["noise"]["eps"]))
    words = {
        "001 eq (12) as printed": ("expected", "published"),
        "average local DR-HA over the 78 cells": ("local", "exact"),
        "average exact expected DR-HA, plug-in p=counts/n": ("expected", "exact"),
        "average exact shrinkage DR-HA at the MLE alpha": ("shrinkage", "exact"),
    }
    measure, method = words[entry["quantity"]]
    risk = em.homogeneity_risk(em.FrequencyTable.from_counts(counts), noise, measure, method)
    assert risk.value == pytest.approx(float(entry["value"]), rel=1e-10)


def test_published_measures_are_the_printed_equations_at_the_fitted_parameters():
    counts = TABLES["three values"]
    freq = em.FrequencyTable.from_counts(counts)
    noise = em.Laplace(epsilon=1.0)
    alpha = np.asarray(em.dirichlet_multinomial_mle(counts))
    sizes = np.array(counts).sum(axis=1)
    printed = published.shrinkage(sizes, alpha, noise).mean()
    assert em.homogeneity_risk(freq, noise, "shrinkage", "published").value == pytest.approx(printed, rel=1e-12)
    rate = sizes.mean()
    poisson = np.exp(-rate) * np.cumprod([1, *(rate / n for n in range(1, 80))])
    printed = published.global_shrinkage(poisson, alpha, noise)
    assert em.homogeneity_risk(freq, noise, "global", "published").value == pytest.approx(printed, rel=1e-12)
    printed = published.global_homogeneous(poisson, noise)
    assert em.homogeneity_risk(freq, noise, "global-fixed", "published").value == pytest.approx(printed, rel=1e-12)


def test_people_weighted_pieces():
    """Cells (3, 0) and (2, 1): pieces of 3, 2 and 1 people, each weighted by its people."""
    freq = em.FrequencyTable.from_counts([[3, 0], [2, 1]])
    noise = em.Laplace(epsilon=1.0)
    expected = sum(n * float(homogeneity.local([n, 0], noise)) for n in (3, 2, 1)) / 6
    risk = em.homogeneity_risk(freq, noise, method="published", average="records")
    assert risk.value == pytest.approx(expected, rel=1e-12)


def test_several_wrong_words_are_refused():
    freq = em.FrequencyTable.from_counts([[3, 0]])
    noise = em.Laplace(epsilon=1.0)
    for arguments, message in (
        ({"measure": "locale"}, r"^measure must be one of local, expected, .*; got 'locale'\.$"),
        ({"method": "guess"}, r"^method must be one of exact, published, simulated; got 'guess'\.$"),
        ({"measure": "global", "average": "records"}, r"^average must be one of cells; .* is about a new cell\.$"),
        ({"method": "simulated", "repeats": 0}, r"^repeats must be in \[1, inf\), got 0\. The papers use 500\.$"),
    ):
        with pytest.raises(ValueError, match=message):
            em.homogeneity_risk(freq, noise, **arguments)


def test_an_absurd_poisson_is_called_absurd():
    freq = em.FrequencyTable.from_counts([[1]] * 500 + [[2]] * 100 + [[40]] * 30)
    best, other = em.fitted_sizes(freq)
    assert str(best).startswith("Cell sizes follow a zero-truncated negative binomial law (r = ")
    assert str(other).startswith("Cell sizes follow a zero-truncated Poisson law of rate ")
    assert str(other).endswith(", which is absurd for this table (chi-square test: p below 1e-06).")
    even = em.FrequencyTable.from_counts([[1]] * 43 + [[2]] * 32 + [[3]] * 16 + [[4]] * 6 + [[5]] * 2)
    assert "not contradicted" in str(em.fitted_sizes(even)[0])
    few = em.FrequencyTable.from_counts([[1]] * 3 + [[2]] * 2)
    assert str(em.fitted_sizes(few)[0]).endswith("; there are too few cells to tell whether they do.")


@pytest.mark.parametrize("method", ["exact", "simulated"])
def test_measures_that_fit_a_law_of_the_shares_say_that_it_is_not_tested(method):
    freq, noise = em.FrequencyTable.from_counts([[3, 0], [2, 1], [0, 4], [1, 1]]), em.Laplace(epsilon=1.0)
    risks = {m: em.homogeneity_risk(freq, noise, m, method, repeats=5) for m in MEASURES}
    said = {m for m, risk in risks.items() if any("not tested whether shares" in caveat for caveat in risk.caveats)}
    assert said == {"shrinkage", "global"}


@pytest.mark.parametrize("method", ["exact", "simulated"])
@pytest.mark.parametrize("measure", ["global", "global-fixed"])
def test_a_risk_under_a_law_that_no_table_like_this_follows_says_so(measure, method):
    two_sizes = em.FrequencyTable.from_counts([[3, 2]] * 200 + [[30, 20]] * 200)
    even = em.FrequencyTable.from_counts([[1, 0]] * 43 + [[1, 1]] * 32 + [[3, 0]] * 16 + [[2, 2]] * 6 + [[1, 4]] * 2)
    noise = em.Laplace(epsilon=1.0)
    absurd, fitting = (em.homogeneity_risk(t, noise, measure, method, repeats=5) for t in (two_sizes, even))
    assert any(c.startswith("Neither a Poisson nor a negative binomial law describes") for c in absurd.caveats)
    assert not any(c.startswith("Neither") for c in fitting.caveats)


@pytest.mark.parametrize("rule", ["hard", "soft"])
def test_thresholding_is_the_mean_of_its_formula(rule):
    counts, noise = TABLES["mixed"], em.Geometric(epsilon=(0.5, 2.0))
    freq = em.FrequencyTable.from_counts(counts)
    formula = homogeneity.hard if rule == "hard" else homogeneity.soft
    by_cell = np.array([formula(cell, noise) for cell in counts])
    sizes = np.array(counts).sum(axis=1)
    cells = em.thresholding_risk(freq, noise, rule)
    people = em.thresholding_risk(freq, noise, rule, average="records")
    np.testing.assert_allclose(cells.value, by_cell.mean(axis=0), rtol=1e-11)
    np.testing.assert_allclose(people.value, sizes @ by_cell / sizes.sum(), rtol=1e-11)
    assert (cells.any_table == 1).all()


def test_the_bayes_attacker_beats_the_plurality():
    freq = em.FrequencyTable.from_counts([[9, 1], [8, 3], [1, 0], [0, 1], [2, 0]])
    noise = em.Laplace(epsilon=0.5)
    bayes = em.thresholding_risk(freq, noise, "bayes", "records")
    hard = em.thresholding_risk(freq, noise, "hard", "records")
    assert bayes.value > hard.value
    assert bayes.value >= bayes.no_release - 1e-12


def test_thresholding_refuses_what_it_cannot_do():
    two, three = em.FrequencyTable.from_counts([[3, 0]]), em.FrequencyTable.from_counts([[3, 0, 1]])
    noise = em.Laplace(epsilon=1.0)
    for freq, arguments, message in (
        (two, {"rule": "firm"}, r"^rule must be one of hard, soft, bayes; got 'firm'\.$"),
        (two, {"average": "people"}, r"^average must be one of cells, records"),
        (
            two,
            {"rule": "bayes"},
            r"^average must be one of records; got 'cells'\. The Bayes attacker draws a person",
        ),
        (
            three,
            {"rule": "bayes", "average": "records"},
            r"^rule must be one of hard, soft; .* this table has 3\.$",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            em.thresholding_risk(freq, noise, **arguments)


def test_scenarios_sum_to_one_and_hold_the_local_risk():
    freq = em.FrequencyTable.from_counts(TABLES["three values"])
    shares = em.homogeneity_scenarios(freq, NOISE)
    np.testing.assert_allclose(shares.probability.sum(axis=-1), 1.0, rtol=1e-12)
    attack = shares.probability[:, 0] + shares.probability[:, 7]
    np.testing.assert_allclose(attack, em.homogeneity_risk(freq, NOISE).value, rtol=1e-12)
    frame = shares.to_frame()
    assert len(frame) == 24
    assert frame["scenario"].tolist()[:8] == list(range(1, 9))


def test_precision_is_true_lone_values_over_lone_values():
    freq = em.FrequencyTable.from_counts([[3, 0], [2, 1]])
    noise = em.Laplace(epsilon=1.0)
    true = sum(float(homogeneity.local_records(cell, noise)) for cell in ([3, 0], [2, 1]))
    shown = sum(float(homogeneity.any_alone(cell, noise)) for cell in ([3, 0], [2, 1]))
    assert float(em.attacker_precision(freq, noise)) == pytest.approx(true / shown, rel=1e-12)
    empty = float(homogeneity.any_alone([0, 0], noise))
    with_empty = em.attacker_precision(freq, noise, empty_cells=7)
    assert float(with_empty) == pytest.approx(true / (shown + 7 * empty), rel=1e-12)


def test_precision_is_of_a_member_picked_at_random_and_not_of_any():
    """Two of three members have the first value: shown alone, it is true of somebody, but not of everybody.

    Noise as small as this shows the cell (2, 1) alone as good as never but by hiding the single 1.
    """
    freq = em.FrequencyTable.from_counts([[2, 1]])
    noise = em.Geometric(epsilon=6.0)
    shares = em.homogeneity_scenarios(freq, noise).probability
    of_any = (shares[0] + shares[7]) / (shares[0] + shares[1] + shares[6] + shares[7])
    assert of_any == pytest.approx(1.0, rel=1e-12)
    assert float(em.attacker_precision(freq, noise)) == pytest.approx(2 / 3, abs=0.01)
