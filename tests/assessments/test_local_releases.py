"""Real local releases: their estimates against the truth, their reports, and what is refused.

Real randomness cannot be seeded, so a test on it may fail by chance on any run. Six standard errors are a false alarm
of 2e-9.
"""

import math
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments.local.release import RANDOMIZERS, randomizer_named
from epsilometer.errors import BadRoles, BadTable, OutOfRange, UnknownChoice, UnknownColumn
from epsilometer.publication.chance import Chance
from epsilometer.randomizers import LocalLaplace, RandomizedResponse, UnaryEncoding

N = 20_000
PEOPLE = pd.DataFrame(
    {
        "job": np.repeat(["cook", "nurse", "judge"], [10_000, 7_000, 3_000]),
        "rooms": np.repeat([1, 2, 4], [8_000, 8_000, 4_000]),
        "age": np.linspace(18, 80, N),
        "sex": np.where(np.arange(N) % 3 == 0, "f", "m"),
    }
)
JOBS = ("judge", "nurse", "cook")
JOB_SHARES = (0.15, 0.35, 0.5)
ROOMS = ("1", "2", "4")


def drawn(name, *, epsilon=2.0, **about):
    """Return a release by the randomiser of this name, of the column it is for."""
    if name in {"laplace", "gaussian"}:
        randomizer = randomizer_named(
            name, epsilon=epsilon, bounds=(0, 120), delta=1e-5 if name == "gaussian" else None
        )
        return em.local_release(PEOPLE, "age", randomizer, **about)
    column, domain = ("rooms", ROOMS) if name == "exponential" else ("job", JOBS)
    randomizer = randomizer_named(name, epsilon=epsilon, domain=domain)
    return em.local_release(PEOPLE, column, randomizer, domain=domain, **about)


TRUTH = {
    "response": dict(zip(JOBS, JOB_SHARES, strict=True)),
    "unary": dict(zip(JOBS, JOB_SHARES, strict=True)),
    "exponential": {"1": 0.4, "2": 0.4, "4": 0.2, "mean": 2.0},
    "laplace": {"mean": 49.0},
    "gaussian": {"mean": 49.0},
}
every_randomizer = pytest.mark.parametrize("name", RANDOMIZERS)


@every_randomizer
def test_estimates_are_near_the_truth(name):
    made = drawn(name)
    assert [statistic.name for statistic in made.statistics] == list(TRUTH[name])
    for statistic in made.statistics:
        error = (statistic.interval.high - statistic.interval.low) / (2 * 1.959963984540054)
        assert abs(statistic.value - TRUTH[name][statistic.name]) < 6 * error
    assert made.n_people == N
    assert made.shuffled


def test_the_interval_is_that_of_the_noise():
    """Laplace noise of scale 60 on 20,000 people: a standard error of 60 sqrt(2 / 20,000) = 0.6."""
    (mean,) = drawn("laplace").statistics
    assert mean.interval.high - mean.value == pytest.approx(1.959964 * 0.6, rel=1e-6)
    assert mean.interval.confidence == 0.95


@every_randomizer
def test_the_risk_is_that_of_the_estimated_shares(name):
    made = drawn(name)
    assert made.drawing["randomness"] == "operating system"
    assert made.drawing["epsilon"] == 2.0
    if name in {"laplace", "gaussian"}:
        assert made.risk is None
        assert made.labels == ()
        return
    shares = np.array([statistic.value for statistic in made.statistics if statistic.name != "mean"])
    assert made.risk.no_release == pytest.approx((np.maximum(shares, 0) / np.maximum(shares, 0).sum()).max(), rel=1e-12)
    assert made.risk.n_people == N


def test_reports_follow_the_order_of_the_declared_labels():
    """At epsilon 20 a report is false once in ten million; a hundredth of false ones cannot happen."""
    true = PEOPLE["job"].map({label: code for code, label in enumerate(JOBS)}).to_numpy()
    made = drawn("response", epsilon=20.0, shuffled=False)
    assert made.labels == JOBS
    assert (made.reports == true).mean() > 0.99
    bits = drawn("unary", epsilon=20.0, shuffled=False).reports
    assert bits.shape == (N, 3)
    assert (bits.argmax(axis=1) == true)[bits.any(axis=1)].mean() > 0.99


def test_shuffled_reports_are_in_another_order():
    """The table is sorted by job: its own order is all but kept without a shuffler, and lost with one."""
    kept, mixed = (drawn("response", epsilon=20.0, shuffled=shuffled).reports for shuffled in (False, True))
    assert (np.diff(kept) != 0).sum() < 50
    assert (np.diff(mixed) != 0).sum() > 5_000
    np.testing.assert_allclose(np.bincount(kept), np.bincount(mixed), atol=50)


@every_randomizer
def test_reports_at_a_small_epsilon_are_not_the_column(name):
    made = drawn(name, epsilon=0.01, shuffled=False)
    if name in {"laplace", "gaussian"}:
        assert abs(made.reports - PEOPLE["age"].to_numpy()).mean() > 100
        return
    column, domain = ("rooms", ROOMS) if name == "exponential" else ("job", JOBS)
    true = PEOPLE[column].astype(str).map({label: code for code, label in enumerate(domain)}).to_numpy()
    told = (made.reports.argmax(axis=1) if made.reports.ndim == 2 else made.reports) == true
    assert told.mean() < 0.6


def test_two_releases_differ():
    assert (drawn("response", shuffled=False).reports != drawn("response", shuffled=False).reports).any()


def test_a_hundred_thousand_rows():
    """As many people as rows, with bits for each of thirty values."""
    rng = np.random.default_rng(1)
    domain = [f"v{i}" for i in range(30)]
    table = pa.table({"v": rng.choice(domain, 100_000)})
    made = em.local_release(table, "v", UnaryEncoding(epsilon=1.0, n_values=30), domain=domain)
    assert made.reports.shape == (100_000, 30)
    assert made.risk.shuffled.kind == "upper bound"


def test_few_reports_may_speak_against_every_value():
    """Nobody's bit is set: every share is estimated below zero, and no value is likelier than another."""
    nobody = Chance(reports=lambda _, codes: np.zeros((len(codes), 3), dtype=np.uint8))
    made = em.local_release(PEOPLE[:2], "job", UnaryEncoding(epsilon=3.0, n_values=3), domain=JOBS, chance=nobody)
    assert all(statistic.value < 0 for statistic in made.statistics)
    assert made.risk.no_release == pytest.approx(1 / 3)


def test_numbers_truths_and_categories_report_as_the_text_they_are_written_in():
    frame = pd.DataFrame({"n": [1, 2], "x": [1.0, 2.5], "b": [True, False], "c": pd.Categorical(["u", "v"])})
    for column, domain in {"n": [1, 2], "x": ["1", "2.5"], "b": ["true", "false"], "c": ["u", "v"]}.items():
        randomizer = RandomizedResponse(epsilon=1.0, n_values=2)
        made = em.local_release(frame, column, randomizer, domain=domain)
        assert made.labels == tuple(map(str, domain))


def test_numbers_beyond_the_range_and_beyond_doubles_are_clamped():
    """At epsilon 25 the noise is a twenty-fifth of the range; four reports are within a range of it at 1 - 1e-10."""
    frame = pd.DataFrame({"x": [-5, 2**60 + 1, 2**60 + 1, -(2**62)]})
    reports = em.local_release(frame, "x", LocalLaplace(epsilon=25.0, low=0.0, high=1.0), shuffled=False).reports
    assert abs(reports - [0, 1, 1, 0]).max() < 1


def test_filters_and_missing_values():
    frame = PEOPLE[["job", "age"]].head(30).astype({"job": object})
    frame.loc[:4, "job"] = None
    frame.loc[5:9, "job"] = "?"
    randomizer = RandomizedResponse(epsilon=1.0, n_values=3)
    everybody = em.local_release(frame, "job", randomizer, domain=JOBS, missing=["?"])
    assert everybody.n_people == 30
    kept = em.local_release(frame, "job", randomizer, domain=JOBS, missing=["?"], where="job IS NOT NULL")
    assert kept.n_people == 20


RESPONSE = RandomizedResponse(epsilon=1.0, n_values=3)
NOISE = LocalLaplace(epsilon=1.0, low=0.0, high=120.0)
ODD = pd.DataFrame({"x": [1.0, math.inf], "d": pd.to_datetime(["2020-01-01", "2020-01-02"])})
RELEASES = {
    "no domain": ((PEOPLE, "job", RESPONSE), {}, OutOfRange, "domain must be in 3 different values, as many as the"),
    "too short a domain": (
        (PEOPLE, "job", RESPONSE),
        {"domain": ["cook", "judge"]},
        OutOfRange,
        "domain must be in 3 different values, as many as the randomiser has, got ['cook', 'judge'].",
    ),
    "a value twice": (
        (PEOPLE, "job", RESPONSE),
        {"domain": ["cook", "nurse", "nurse"]},
        OutOfRange,
        "domain must be in 3 different values",
    ),
    "a domain for numbers": (
        (PEOPLE, "age", NOISE),
        {"domain": ["1"]},
        OutOfRange,
        "domain must be in [], got ['1']. Noise on numbers takes none.",
    ),
    "noise on dates": ((ODD, "d", NOISE), {}, BadRoles, "Column 'd' holds no numbers."),
    "values that are lists": (
        (pa.table({"l": [[1], [2]]}), "l", RESPONSE),
        {"domain": ["a", "b", "c"]},
        BadRoles,
        "Column 'l' holds array<",
    ),
    "unknown column": ((PEOPLE, "jbo", RESPONSE), {"domain": JOBS}, UnknownColumn, "There is no column 'jbo'"),
    "nobody": (
        (PEOPLE, "job", RESPONSE),
        {"domain": JOBS, "where": "age > 900"},
        BadTable,
        "There is no row to read column 'job' from.",
    ),
    "epsilon beyond the tables": (
        (PEOPLE, "age", LocalLaplace(epsilon=26.0, low=0.0, high=1.0)),
        {},
        OutOfRange,
        "epsilon of real reports must be in [1e-06, 25], got 26.0.",
    ),
}


@pytest.mark.parametrize(("given_", "about", "kind", "message"), RELEASES.values(), ids=RELEASES.keys())
def test_releases_that_cannot_be(given_, about, kind, message):
    with pytest.raises(kind, match=f"^{re.escape(message)}"):
        em.local_release(*given_, **about)


DECLARED = "Declare every value there may be, each once, --domain COLUMN=A,B; a list from the table would leak."
NAMED = {
    "unknown": (
        {"name": "laplas"},
        UnknownChoice,
        "randomizer must be one of response, unary, exponential, laplace, gaussian; got 'laplas'.",
    ),
    "no range": (
        {"name": "laplace"},
        OutOfRange,
        "range must be in low < high, got None. Noise on numbers needs a declared range, --domain COLUMN=LOW..HIGH; "
        "one from the table would leak.",
    ),
    "no delta": (
        {"name": "gaussian", "bounds": (0, 1)},
        OutOfRange,
        "delta must be in (0, 1), got None. Gaussian noise needs it.",
    ),
    "a delta too many": (
        {"name": "laplace", "bounds": (0, 1), "delta": 1e-5},
        OutOfRange,
        "delta must be in {0}, got 1e-05. laplace has none; leave it out.",
    ),
    "a range too many": (
        {"domain": ["a", "b"], "bounds": (0, 1)},
        OutOfRange,
        "range must be in {None}, got (0, 1). response takes a domain; leave the range out.",
    ),
    "no domain": ({}, OutOfRange, f"domain must be in two or more different values, got []. {DECLARED}"),
    "one value": ({"domain": ["a"]}, OutOfRange, "domain must be in two or more different values, got ['a']."),
    "a value twice": ({"domain": ["a", "a"]}, OutOfRange, "domain must be in two or more different values"),
    "distances of words": (
        {"name": "exponential", "domain": ["a", "b"]},
        OutOfRange,
        "domain must be in numbers, got ['a', 'b']. The exponential choice measures distances.",
    ),
    "the same number twice": (
        {"name": "exponential", "domain": ["1", "1.0"]},
        OutOfRange,
        "values must be in the lists of two or more different numbers",
    ),
    "range upside down": ({"name": "laplace", "bounds": (1, 0)}, OutOfRange, "range must be in the pairs of finite"),
    "epsilon zero": ({"epsilon": 0, "domain": ["a", "b"]}, OutOfRange, "epsilon must be in (0, inf), got 0."),
}


@pytest.mark.parametrize(("wrong", "kind", "message"), NAMED.values(), ids=NAMED.keys())
def test_randomisers_that_cannot_be(wrong, kind, message):
    with pytest.raises(kind, match=f"^{re.escape(message)}"):
        randomizer_named(**{"name": "response", "epsilon": 1.0, **wrong})


def test_what_is_not_declared_is_reported_as_one_drawn_evenly():
    frame = pd.DataFrame({"job": ["cook", None, "pilot"] * 4_000})
    randomizer = RandomizedResponse(epsilon=20.0, n_values=3)  # nearly always the truth
    counts = np.bincount(em.local_release(frame, "job", randomizer, domain=JOBS).reports, minlength=3)
    evenly = 8_000 / 3
    assert np.abs(counts - [evenly, evenly, 4_000 + evenly]).max() < 6 * math.sqrt(8_000 * 2 / 9)


def test_what_is_not_declared_may_count_as_other():
    frame = pd.DataFrame({"job": ["cook", "pilot"] * 1_000})
    randomizer = RandomizedResponse(epsilon=25.0, n_values=2)
    made = em.local_release(frame, "job", randomizer, domain=["cook", "other"], other="other")
    assert np.bincount(made.reports).tolist() == [1_000, 1_000]


def test_numbers_that_are_missing_or_beyond_the_range_are_reported_too():
    ages = em.local_release(pd.DataFrame({"x": [math.nan, math.inf, 1e300, 50.0]}), "x", NOISE)
    assert ages.n_people == 4
    assert np.isfinite(ages.reports).all()
