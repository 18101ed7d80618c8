"""What may be written as a prior, channel, gain or loss, and what each mistake is told."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from epsilometer import leakage
from epsilometer.errors import BadChannel, EpsilometerError, MixedNumbers, OutOfRange
from epsilometer.leakage import (
    bayes,
    column_maxima,
    exact,
    g,
    guessing,
    identity_gain,
    joint,
    shannon,
    tabulate,
    uncertainty,
    uniform,
)

HALVES = [Fraction(1, 2), Fraction(1, 2)]
SEEN = [[1, 0], [0, 1]]


def test_every_name_loads():
    for name in leakage.__all__:
        assert getattr(leakage, name).__doc__, name


@pytest.mark.parametrize("whole", [SEEN, np.eye(2, dtype=bool), np.eye(2, dtype=np.uint8), np.eye(2, dtype=object)])
def test_whole_numbers_join_either_kind(whole):
    assert isinstance(bayes.posterior([0.5, 0.5], whole), float)
    assert isinstance(bayes.posterior(HALVES, whole), Fraction)
    assert isinstance(bayes.posterior([1, 0], whole), Fraction)
    assert bayes.posterior([0.5, 0.5], whole) == bayes.posterior(HALVES, whole) == bayes.posterior([1, 0], whole) == 1


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.longdouble, object])
def test_floats_of_every_width(kind):
    channel = np.array([[0.5, 0.5], [0.25, 0.75]]).astype(kind)
    assert bayes.posterior([0.5, 0.5], channel) == 0.625
    assert isinstance(bayes.posterior([0.5, 0.5], channel), float)


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "coo_array", "csr_matrix", "lil_matrix"])
@pytest.mark.parametrize("kind", [float, int, bool])
def test_every_sparse_form(form, kind):
    channel = getattr(sparse, form)(np.eye(3, dtype=kind))
    assert bayes.posterior([0.5, 0.25, 0.25], channel) == 1
    assert isinstance(bayes.posterior([1, 0, 0], channel), float)


def test_sparse_entries_in_parts_are_added_up_and_left_alone():
    """One column whose entries are stored out of order, the first of them in two halves."""
    parts = sparse.csc_array(([1.0, 0.5, 0.5], [1, 0, 0], [0, 3]), shape=(2, 1))
    assert guessing.posterior([0.5, 0.5], parts) == 1.5
    assert shannon.posterior([0.5, 0.5], parts) == 1
    assert bayes.strategy([0.5, 0.5], parts).tolist() == [0]
    assert parts.data.tolist() == [1, 0.5, 0.5]
    assert parts.indices.tolist() == [1, 0, 0]


def test_numpy_whole_numbers_do_not_overflow_in_fractions():
    large = np.int64(3_000_000_001)
    prior = [Fraction(1, large), Fraction(large - 1, large)]
    assert joint(prior, np.array([[1, 0], [1, 0]])).sum() == 1
    gain = np.array([[large, 0]])
    assert g.prior(prior, gain * np.int64(2)) == 2
    assert (exact([large])[0] ** 3).numerator == 3_000_000_001**3


def test_exact():
    assert exact(["1/4", "0.25", 2, Fraction(1, 3), np.int64(5)]).tolist() == [
        Fraction(1, 4),
        Fraction(1, 4),
        Fraction(2),
        Fraction(1, 3),
        Fraction(5),
    ]


def test_tabulate_takes_anything_that_can_be_gone_through():
    table = tabulate(lambda row, column: row == column, (x for x in "ab"), (y for y in "abc"))
    assert table.tolist() == [[True, False, False], [False, True, False]]


def test_an_answer_that_is_nothing_is_a_fraction_too():
    blind = exact([[1, 0], [1, 0]])
    for nothing in (g.spanning_capacity(HALVES, blind), g.additive_capacity(HALVES, blind)):
        assert isinstance(nothing, Fraction)
        assert nothing == 0


ROWS = "Weights must be divided by their sum."
WRONG = {
    "row sum": (
        lambda: bayes.posterior([0.5, 0.5], [[0.5, 0.5], [0.5, 0.25]]),
        f"Row 1 (counted from 0) of the channel sums to 0.75; it must sum to 1. {ROWS}",
    ),
    "text": (
        lambda: bayes.capacity([["1/2", "1/2"]]),
        "The channel holds a str_; use floats, or whole numbers and fractions. "
        "Text such as '1/4' becomes a fraction with exact(...).",
    ),
    "row sum, exact": (
        lambda: bayes.capacity(exact([[1, 0], ["1/2", "1/3"]])),
        f"Row 1 (counted from 0) of the channel sums to 5/6; it must sum to 1. {ROWS}",
    ),
    "row sum, almost one is not one in fractions": (
        lambda: bayes.capacity([[Fraction(10**12, 10**12 + 1)]]),
        f"Row 0 (counted from 0) of the channel sums to 1000000000000/1000000000001; it must sum to 1. {ROWS}",
    ),
    "row sum, sparse": (
        lambda: bayes.capacity(sparse.csr_array([[1.0, 0.0], [0.0, 0.5]])),
        f"Row 1 (counted from 0) of the channel sums to 0.5; it must sum to 1. {ROWS}",
    ),
    "row sum, infinite": (
        lambda: bayes.capacity([[np.inf]]),
        f"Row 0 (counted from 0) of the channel sums to inf; it must sum to 1. {ROWS}",
    ),
    "prior sum": (lambda: bayes.prior([0.5, 0.25]), f"The prior sums to 0.75; it must sum to 1. {ROWS}"),
    "negative": (
        lambda: bayes.posterior([0.5, 0.5], [[0.5, 0.5], [1.5, -0.5]]),
        "The channel holds -0.5 in row 1, column 1 (counted from 0); a probability is a number from 0 to 1.",
    ),
    "negative, fractions": (
        lambda: shannon.capacity(exact([["3/2", "-1/2"]])),
        "The channel holds -1/2 in row 0, column 1 (counted from 0); a probability is a number from 0 to 1.",
    ),
    "negative, sparse": (
        lambda: bayes.posterior([0.5, 0.5], sparse.csr_array([[1.0, 0.0], [1.5, -0.5]])),
        "The channel holds -0.5 in row 1, column 1 (counted from 0); a probability is a number from 0 to 1.",
    ),
    "missing": (
        lambda: bayes.posterior([0.5, 0.5], [[0.5, 0.5], [np.nan, 1]]),
        "The channel holds nan in row 1, column 0 (counted from 0); a probability is a number from 0 to 1.",
    ),
    "missing in the prior": (
        lambda: guessing.prior([1.0, np.nan]),
        "The prior holds nan at position 1 (counted from 0); a probability is a number from 0 to 1.",
    ),
    "dimensions of a channel": (
        lambda: bayes.capacity([0.5, 0.5]),
        "The channel must be secrets x outputs, of dimension 2; got dimension 1.",
    ),
    "dimensions of a prior": (
        lambda: bayes.prior([[0.5, 0.5]]),
        "The prior must be one number for each secret, of dimension 1; got dimension 2.",
    ),
    "dimensions of a gain": (
        lambda: g.prior([0.5, 0.5], [1, 0]),
        "The gain must be actions x secrets, of dimension 2; got dimension 1.",
    ),
    "dimensions of a probability": (
        lambda: leakage.hidden_choice([0.5], SEEN, SEEN),
        "The probability must be one number, of dimension 0; got dimension 1.",
    ),
    "ragged": (
        lambda: bayes.capacity([[1.0], [0.5, 0.5]]),
        "The channel is not rectangular: its rows have different lengths.",
    ),
    "empty": (lambda: bayes.capacity(np.zeros((0, 2))), "The channel is empty: its shape is (0, 2)."),
    "secrets": (
        lambda: bayes.posterior(uniform(3), SEEN),
        "The prior is about 3 secrets and the channel about 2; a channel has one row for each secret.",
    ),
    "secrets of a gain": (
        lambda: g.posterior(uniform(2), SEEN, identity_gain(3)),
        "The gain is about 3 secrets and the prior about 2; "
        "a gain has one row for each action and one column for each secret.",
    ),
    "secrets of a loss": (
        lambda: uncertainty.prior(uniform(2), identity_gain(3)),
        "The loss is about 3 secrets and the prior about 2; "
        "a loss has one row for each action and one column for each secret.",
    ),
    "infinite gain": (
        lambda: g.prior([0.5, 0.5], [[0, 1], [-np.inf, 2]]),
        "The gain holds -inf in row 1, column 0 (counted from 0); use finite numbers.",
    ),
    "sparse gain": (
        lambda: g.prior([0.5, 0.5], sparse.eye_array(2)),
        "The gain is sparse; only channels may be. Make it dense with .toarray().",
    ),
    "sparse and complex": (
        lambda: bayes.capacity(sparse.coo_array([[1j]])),
        "The channel is sparse with complex128 entries; sparse channels hold floats.",
    ),
    "decimals": (
        lambda: bayes.prior([Decimal("0.5"), Decimal("0.5")]),
        "The prior holds a Decimal; use floats, or whole numbers and fractions. "
        "Text such as '1/4' becomes a fraction with exact(...).",
    ),
    "exact of a float": (
        lambda: exact([0.25]),
        "exact(...) refuses the float 0.25; write it as text, such as '1/4' or '0.25'.",
    ),
    "exact of words": (
        lambda: exact(["a quarter"]),
        "exact(...) cannot read 'a quarter'; it reads whole numbers, fractions and text such as '1/4'.",
    ),
    "exact of no number": (
        lambda: exact([None]),
        "exact(...) cannot read None; it reads whole numbers, fractions and text such as '1/4'.",
    ),
    "exact of a division by zero": (
        lambda: exact(["1/0"]),
        "exact(...) cannot read '1/0'; it reads whole numbers, fractions and text such as '1/4'.",
    ),
    "cascade": (
        lambda: leakage.cascade([[1, 0, 0]], SEEN),
        "The first channel has 3 outputs and the second takes 2 secrets; "
        "the outputs of the first are the secrets of the second.",
    ),
    "parallel": (
        lambda: leakage.parallel([[1]], SEEN),
        "The first channel is about 1 secrets and the second about 2; both must be about the same secrets.",
    ),
    "visible choice": (
        lambda: leakage.visible_choice(Fraction(1, 2), [[1]], SEEN),
        "The first channel is about 1 secrets and the second about 2; both must be about the same secrets.",
    ),
    "hidden choice": (
        lambda: leakage.hidden_choice(Fraction(1, 2), [[1], [1]], SEEN),
        "The first channel has 1 outputs and the second 2; a hidden choice needs the same outputs in both.",
    ),
    "which of two channels": (
        lambda: leakage.cascade(SEEN, [[1, 0], [0, 2]]),
        f"Row 1 (counted from 0) of the second channel sums to 2; it must sum to 1. {ROWS}",
    ),
    "refinement": (
        lambda: leakage.refinement([[1]], SEEN),
        "The leaky channel is about 1 secrets and the safe one about 2; both must be about the same secrets.",
    ),
    "refinement of no channel": (
        lambda: leakage.refinement(SEEN, [[1, 1], [0, 1]]),
        f"Row 0 (counted from 0) of the safe channel sums to 2; it must sum to 1. {ROWS}",
    ),
}
MIXED = {
    "in one array": (
        lambda: bayes.prior([Fraction(1, 2), 0.5]),
        "The prior holds both fractions and floats. Use one kind.",
    ),
    "between arguments": (
        lambda: bayes.posterior(HALVES, [[0.5, 0.5], [0.0, 1.0]]),
        "The prior holds fractions and the channel holds floats. Use one kind: write fractions with exact(...), "
        "or turn them into floats with .astype(float).",
    ),
    "sparse": (
        lambda: bayes.posterior(HALVES, sparse.eye_array(2)),
        "The prior holds fractions and the channel holds floats, as every sparse channel does. Use one kind: "
        "write fractions with exact(...), or turn them into floats with .astype(float).",
    ),
    "two channels": (
        lambda: leakage.parallel(exact([["1/2", "1/2"]]), [[0.5, 0.5]]),
        "The first channel holds fractions and the second channel holds floats. Use one kind: write fractions with "
        "exact(...), or turn them into floats with .astype(float).",
    ),
}


@pytest.mark.parametrize(("action", "message"), WRONG.values(), ids=WRONG)
def test_bad_input(action, message):
    with pytest.raises(BadChannel) as caught:
        action()
    assert str(caught.value) == message


@pytest.mark.parametrize(("action", "message"), MIXED.values(), ids=MIXED)
def test_mixed_numbers(action, message):
    with pytest.raises(MixedNumbers) as caught:
        action()
    assert str(caught.value) == message


UNDEFINED = {
    "nothing to gain": (
        lambda: g.multiplicative_leakage(uniform(2), SEEN, [[1, -1]]),
        "the prior vulnerability must be in (0, inf), got Fraction(0, 1). Use additive_leakage for such gains.",
    ),
    "only losses": (
        lambda: g.multiplicative_leakage([0.5, 0.5], SEEN, [[-1, -1]]),
        "the prior vulnerability must be in (0, inf), got -1.0. Use additive_leakage for such gains.",
    ),
    "nothing left to lose": (
        lambda: uncertainty.multiplicative_leakage([0.5, 0.5], SEEN, [[0, 1], [1, 0]]),
        "the posterior uncertainty must be in (0, inf), got 0.0. Use additive_leakage for such losses.",
    ),
    "no secrets": (lambda: uniform(0), "n_secrets must be in [1, inf), got 0."),
    "probability": (
        lambda: leakage.visible_choice(1.5, SEEN, SEEN),
        "probability must be in [0, 1], got 1.5.",
    ),
    "no probability": (
        lambda: leakage.hidden_choice(np.nan, SEEN, SEEN),
        "probability must be in [0, 1], got nan.",
    ),
}


@pytest.mark.parametrize(("action", "message"), UNDEFINED.values(), ids=UNDEFINED)
def test_undefined(action, message):
    with pytest.raises(OutOfRange) as caught:
        action()
    assert str(caught.value) == message


@pytest.mark.parametrize("n_rows", [1, 2, 3, 7, 16])
@pytest.mark.parametrize("as_fractions", [False, True])
def test_blocks_and_threads_change_nothing(monkeypatch, n_rows, as_fractions):
    """With eight cells to a block the channel takes the way of a large one."""
    monkeypatch.setattr(column_maxima, "CELLS_PER_BLOCK", 8)
    rng = np.random.default_rng(n_rows)
    weights = rng.integers(1, 9, (n_rows, 5)).astype(object)
    channel = exact(weights) / weights.sum(axis=1, keepdims=True)
    prior = exact(weights[:, 0]) / weights[:, 0].sum()
    if not as_fractions:
        channel, prior = channel.astype(float), prior.astype(float)
    assert bayes.posterior(prior, channel) == sum((prior[:, None] * channel).max(axis=0))
    for row in range(n_rows):
        broken = channel.copy()
        broken[row, 3] *= 2
        with pytest.raises(BadChannel, match=rf"^Row {row} \("):
            bayes.posterior(prior, broken)


@pytest.mark.parametrize("prior", [[0.5, 0.5], [1.0, -0.0]])
def test_negative_zeros_are_zeros(prior):
    assert bayes.posterior(prior, [[1.0, -0.0], [0.5, 0.5]]) == 1 - prior[1] / 2


@pytest.mark.parametrize(
    ("row", "found"), [([1.5, -0.5], "holds -0.5"), ([np.nan, 1.0], "holds nan"), ([np.inf, 0.0], "sums to inf")]
)
def test_a_secret_that_never_occurs_is_checked_too(row, found):
    with pytest.raises(BadChannel, match=found):
        bayes.posterior([1.0, 0.0], [[0.5, 0.5], row])


def test_a_large_channel_is_read_in_blocks():
    n_secrets = 1200
    channel = np.random.default_rng(3).dirichlet(np.ones(400), n_secrets)
    prior = uniform(n_secrets).astype(float)
    assert channel.size > column_maxima.CELLS_PER_BLOCK
    assert bayes.posterior(prior, channel) == pytest.approx(channel.max(axis=0).sum() / n_secrets, rel=1e-13)
    channel[1100, 7] = -channel[1100, 7]
    with pytest.raises(EpsilometerError, match="in row 1100, column 7"):
        bayes.posterior(prior, channel)


def test_inputs_are_left_alone():
    prior, channel, gain = np.array([0.5, 0.5]), np.array([[0.5, 0.5], [0.0, 1.0]]), np.eye(2)
    kept = [array.copy() for array in (prior, channel, gain)]
    compressed = sparse.csc_array(channel)
    for form in (channel, compressed):
        bayes.posterior(prior, form)
        g.posterior(prior, form, gain)
        shannon.capacity(form)
        shannon.posterior(prior, form)
        guessing.posterior(prior, form)
        leakage.hyper(prior, form)
    assert all(np.array_equal(now, before) for now, before in zip((prior, channel, gain), kept, strict=True))
    assert np.array_equal(compressed.toarray(), channel)
