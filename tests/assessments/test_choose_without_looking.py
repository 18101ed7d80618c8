"""Choosing from public numbers alone: exact risks, a simulated loss, and no table."""

import inspect
import json

import jsonschema
import numpy as np
import pytest

import epsilometer as em
from epsilometer.assessments.choose_without_looking import choose_without_looking
from epsilometer.formulas.homogeneity import NegativeBinomial, Poisson, global_fixed, global_shrinkage
from epsilometer.report.documents import schema_text

DECLARED = {"n_values": 3, "cell_size": Poisson(30.0), "max_risk": 0.2, "max_loss": 0.1}


def enumerated_risk(size, shares, noise):
    """Probability that a cell of two values with given shares is published with one value that a member has."""
    from scipy.stats import binom

    n = np.arange(size + 1)
    counts = np.stack([n, size - n], axis=1)
    vanish = noise.probability_below(0.5 - counts)
    survive = np.where(counts > 0, 1 - vanish, 0)
    alone = survive[:, 0] * vanish[:, 1] + survive[:, 1] * vanish[:, 0]
    return float(binom.pmf(n, size, shares[0]) @ alone)


def test_risks_are_those_of_the_declared_cell():
    chosen = choose_without_looking(n_values=2, cell_size=12, shares=(0.7, 0.3), max_risk=0.4, max_loss=0.3)
    (curve,) = chosen.curves
    by_hand = [enumerated_risk(12, (0.7, 0.3), em.Laplace(epsilon=e)) for e in curve.points.tolist()]
    np.testing.assert_allclose(curve.risk, by_hand, rtol=1e-9)
    by_law = choose_without_looking(**DECLARED)
    noise = em.Laplace(epsilon=by_law.recommended)
    assert by_law.consequences.risk == pytest.approx(float(global_shrinkage([1.0] * 3, Poisson(30.0), noise)))
    fixed = choose_without_looking(**DECLARED | {"shares": (0.5, 0.3, 0.2), "cell_size": NegativeBinomial(2.0, 0.1)})
    noise = em.Laplace(epsilon=fixed.recommended)
    exact = float(global_fixed([0.5, 0.3, 0.2], NegativeBinomial(2.0, 0.1), noise))
    assert fixed.consequences.risk == pytest.approx(exact)


@pytest.mark.parametrize(
    ("declared", "no_release"),
    [
        ({}, 1 / 3),
        ({"shares": (0.2, 0.5, 0.3)}, 0.5),
        ({"alpha": (1.0, 2.0, 5.0)}, 0.625),
        ({"alpha": (1.0, 2.0, 5.0), "risk": "any-table"}, 1 / 3),
        ({"risk": "own-record"}, 0.5),
    ],
)
def test_what_a_guess_gets_right_at_least_without_a_release(declared, no_release):
    """The largest share, declared or expected, 5/8; in any table with three values a third; a coin's half."""
    (curve,) = choose_without_looking(**DECLARED | {"cell_size": 20} | declared).curves
    assert curve.no_release == pytest.approx(no_release, rel=1e-15)


def test_the_loss_is_that_of_cells_drawn_and_published_by_other_means():
    chosen = choose_without_looking(n_values=2, cell_size=25, alpha=(2.0, 1.0), max_risk=1.0, max_loss=1.0)
    (curve,) = chosen.curves
    rng = np.random.default_rng(77)
    counts = rng.binomial(25, rng.beta(2.0, 1.0, 200_000))
    for i in (0, 12, 20):
        noisy = np.stack([counts, 25 - counts], axis=1) + rng.laplace(0, 1 / curve.points[i], (200_000, 2))
        shown = np.maximum(0, np.floor(noisy + 0.5))
        total = shown.sum(axis=1)
        lost = np.where(total > 0, np.abs(shown[:, 0] / np.maximum(total, 1) - counts / 25), 1.0)
        interval = curve.loss.interval
        assert interval.low[i] - 0.005 < lost.mean() < interval.high[i] + 0.005


@pytest.mark.parametrize("risk", ["declared", "any-table", "own-record"])
@pytest.mark.parametrize(
    "noise", [em.Laplace(epsilon=1.0), em.Geometric(epsilon=1.0), em.Gaussian(epsilon=1.0, delta=1e-5)]
)
def test_no_epsilon_of_a_stretch_exceeds_the_risk_target(risk, noise):
    settings = DECLARED | {"mechanism": noise, "risk": risk, "max_risk": 0.3, "max_loss": 0.9}
    chosen = choose_without_looking(**settings)
    at = {
        "declared": lambda n: global_shrinkage([1.0] * 3, Poisson(30.0), n),
        "any-table": lambda n: n.probability_below(0.5) ** 2,
        "own-record": lambda n: n.value_advantage,
    }[risk]
    epsilons = np.geomspace(0.01, 10, 500)
    risks = np.asarray(at(noise.at(tuple(epsilons.tolist()))))
    inside = np.any([(s.low <= epsilons) & (epsilons <= s.high) for s in chosen.risk_stretches], axis=0)
    assert (risks[inside] <= 0.3).all()
    assert inside[risks <= 0.299].all()
    assert inside.any()
    assert chosen.consequences.risk <= 0.3


def test_no_table_is_opened_and_the_result_says_what_was_used(monkeypatch):
    from epsilometer.tables import opening

    monkeypatch.setattr(opening, "open_table", None)
    assert "table" not in inspect.signature(choose_without_looking).parameters
    chosen = choose_without_looking(**DECLARED)
    assert not chosen.looked_at_the_data
    assert chosen.in_words.endswith("It was found without looking at any table: only what was declared went into it.")
    document = json.loads(json.dumps(chosen.to_dict(), allow_nan=False))
    jsonschema.validate(document, json.loads(schema_text()))
    assert document["looked_at_the_data"] is False
    assert document["confidential"] is False
    assert document["based_on"] == {
        "number of values": 3,
        "people in a cell": "one or more, Poisson of rate 30",
        "shares of the values": "drawn from a Dirichlet law with weights 1, 1, 1",
        "risk": "declared",
    }


def test_other_declarations_in_words():
    chosen = choose_without_looking(
        n_values=2, cell_size=NegativeBinomial(2.0, 0.25), shares=(0.9, 0.1), max_risk=1, max_loss=1
    )
    assert chosen.based_on["people in a cell"] == "one or more, negative binomial with r = 2 and p = 0.25"
    assert chosen.based_on["shares of the values"] == "0.9, 0.1"
    fixed = choose_without_looking(n_values=2, cell_size=1_000, max_risk=1, max_loss=1)
    assert fixed.based_on["people in a cell"] == "1,000"


def test_an_untruncated_law_is_taken_as_that_of_cells_that_are_not_empty():
    chosen = choose_without_looking(**DECLARED | {"cell_size": Poisson(2.0, truncated=False)})
    same = choose_without_looking(**DECLARED | {"cell_size": Poisson(2.0)})
    np.testing.assert_array_equal(chosen.curves[0].risk, same.curves[0].risk)


def test_the_expected_error_is_that_of_a_count_as_large_as_the_mean_cell():
    chosen = choose_without_looking(n_values=2, cell_size=40, max_risk=1, max_loss=0.2)
    noise = em.Laplace(epsilon=chosen.recommended)
    assert chosen.consequences.count_error == pytest.approx(rounded_error(40, noise))
    negative_binomial = NegativeBinomial(2.0, 0.1)
    n = np.arange(1, 2_000)
    mean = float(n @ negative_binomial.probability(n))
    by_law = choose_without_looking(n_values=2, cell_size=negative_binomial, max_risk=1, max_loss=0.9)
    noise = em.Laplace(epsilon=by_law.recommended)
    assert by_law.consequences.count_error == pytest.approx(rounded_error(round(mean), noise))


def rounded_error(count, noise):
    levels = np.arange(1, 5_000)
    at_least = noise.probability_at_least(levels - 0.5 - count)
    return float(at_least[levels > count].sum() + (1 - at_least[levels <= count]).sum())


def test_what_rules_everything_out_and_what_would_help():
    chosen = choose_without_looking(n_values=2, cell_size=5, max_risk=0.05, max_loss=0.3)
    assert chosen.recommended is None
    assert chosen.certificate.startswith("No epsilon from 0.01 to 10 brings the risk down to 0.05: the smallest that")
    assert "discloses at most 0.05 of such cells and loses at most 0.3 of the accuracy" in chosen.in_words
    by_kind = {relaxation.kind: relaxation for relaxation in chosen.relaxations}
    assert "loss" not in by_kind
    again = choose_without_looking(n_values=2, cell_size=5, max_loss=0.3, **by_kind["risk"].setting)
    assert again.recommended == by_kind["risk"].recommended


def test_the_limit_of_ever_more_noise_is_said():
    """Cells of one person with two values: one of them is present, and it is alone in one case of four."""
    chosen = choose_without_looking(n_values=2, cell_size=1, max_risk=0.1, max_loss=1.0)
    assert "With ever more noise it tends to 0.25." in chosen.certificate


WRONG = {
    "one value": ({"n_values": 1}, r"^n_values must be in the whole numbers \[2, 1000\], got 1\. It is the number of"),
    "no people": (
        {"cell_size": 0},
        r"^cell_size must be in the whole numbers \[1, 100000\], got 0\. Give the people in",
    ),
    "a word for a size": ({"cell_size": "many"}, r"^cell_size must be in the whole numbers .*, got 'many'"),
    "both priors": ({"alpha": 1.0, "shares": (0.5, 0.3, 0.2)}, r"^Give either alpha, .* or the shares themselves\.$"),
    "too few shares": (
        {"shares": (0.5, 0.5)},
        r"^shares must be 3 numbers, one for each value, got 2\.$",
    ),
    "shares of more than all": (
        {"shares": (0.5, 0.5, 0.5)},
        r"^shares must be in \[0, 1\], with sum 1 over the values, got .* They sum to 1\.5\.$",
    ),
    "words for shares": (
        {"shares": ("a", "b", "c")},
        r"^shares must be in the numbers, got .* Give a number, or a list",
    ),
    "no weight": ({"alpha": 0.0}, r"^alpha must be in \(0, inf\), got 0.0\. Give one number, or one for each of the 3"),
    "too many weights": ({"alpha": [1.0] * 4}, r"^alpha must be in \(0, inf\), got .* one for each of the 3 values\.$"),
    "an unknown risk": ({"risk": "mine"}, r"^risk must be one of declared, any-table, own-record; got 'mine'\.$"),
    "no targets": ({"max_loss": None}, r"^max_loss must be in \[0, 1\], got None\. Choosing needs both targets"),
}


@pytest.mark.parametrize(("wrong", "message"), WRONG.values(), ids=WRONG.keys())
def test_bad_declarations_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        choose_without_looking(**DECLARED | wrong)
