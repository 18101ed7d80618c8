"""Real reports: their law as written down in whole numbers, and the reports themselves.

Real randomness cannot be seeded, so a test on it may fail by chance on any run. Each false-alarm rate here is 1e-9:
with a dozen such tests on every run, once in a hundred million runs.
"""

import inspect
import json
import math

import mpmath as mp
import numpy as np
import pytest
from scipy.stats import chisquare, norm

from epsilometer.errors import OutOfRange
from epsilometer.randomizers import (
    ExponentialChoice,
    LocalGaussian,
    LocalLaplace,
    RandomizedResponse,
    UnaryEncoding,
    drawing,
    randomness,
)
from epsilometer.randomizers.analysers import histogram_by_inversion
from epsilometer.randomizers.drawing import describe_drawing, draw, grid_noise, shuffle
from epsilometer.randomizers.randomness import (
    coin_flips,
    random_bits,
    random_numbers,
    random_order,
    random_picks,
    random_words,
    whole_weights,
)

ALARM = 1e-9
N = 100_000


def alarm_free(counts, probabilities):
    """Whether counts look drawn with these probabilities; what is expected fewer than five times is pooled."""
    expected = np.asarray(probabilities) / np.sum(probabilities) * np.sum(counts)
    rare = expected < 5
    seen, wanted = (np.append(x[~rare], x[rare].sum()) for x in (np.asarray(counts, dtype=float), expected))
    return chisquare(seen[wanted > 0], wanted[wanted > 0]).pvalue > ALARM


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("n_values", [2, 5])
def test_randomised_response_follows_its_channel(epsilon, n_values):
    randomizer = RandomizedResponse(epsilon=epsilon, n_values=n_values)
    for value in range(n_values):
        reports = draw(randomizer, np.full(N, value))
        assert alarm_free(np.bincount(reports, minlength=n_values), randomizer.channel()[value])


def test_unary_encoding_follows_its_channel():
    randomizer = UnaryEncoding(epsilon=1.0, n_values=4)
    for value in range(4):
        outputs = draw(randomizer, np.full(N, value)) @ (1 << np.arange(4))
        assert alarm_free(np.bincount(outputs, minlength=16), randomizer.channel()[value])


def test_the_exponential_choice_follows_its_channel_person_by_person():
    randomizer = ExponentialChoice(epsilon=2.0, values=(0, 1, 3, 10))
    values = np.arange(N) % 3  # nobody has the fourth value
    reports = draw(randomizer, values)
    for value in range(3):
        assert alarm_free(np.bincount(reports[values == value], minlength=4), randomizer.channel()[value])


@pytest.mark.parametrize(
    "randomizer",
    [LocalLaplace(epsilon=1.5, low=-1.0, high=2.0), LocalGaussian(epsilon=1.5, delta=1e-4, low=-1.0, high=2.0)],
    ids=lambda randomizer: randomizer.name,
)
def test_numbers_with_noise_follow_the_law_of_the_grid(randomizer):
    grid, edges = grid_noise(randomizer), np.linspace(-4, 5, 40)
    for value in (-7.0, 0.123456, 2.0):
        reports = draw(randomizer, np.full(N, value))
        counts = np.bincount(np.searchsorted(edges, reports, side="right"), minlength=len(edges) + 1)
        assert alarm_free(counts, grid.channel([value], edges)[0])


@pytest.mark.parametrize("epsilon", [1e-6, 0.001, 0.1, 1.0, 5.0, 25.0])
def test_the_laplace_grid_is_purely_epsilon_private_to_the_last_digit(epsilon):
    """Every report under every grid position, as whole numbers; their largest ratio stays below e^epsilon."""
    grid = grid_noise(LocalLaplace(epsilon=epsilon, low=0.0, high=1.0))
    weights = [int(w) for w in grid.weights]
    assert sum(weights) < 2**63
    steps = grid.n_steps
    ladder = np.cumsum(np.array([0, *weights], dtype=object))
    at = np.array([0, 1, 2, steps // 3, steps // 2, steps - 1, steps])
    below = ladder[np.arange(steps)[None, :] + 1 - at[:, None] + steps]  # weight of a report of at most y = 0 … steps-1
    law = np.diff(np.hstack([np.zeros((len(at), 1), dtype=object), below, np.full((len(at), 1), ladder[-1])]), axis=1)
    assert (law > 0).all()
    worst = max(mp.mpf(int(column.max())) / int(column.min()) for column in law.T)
    assert mp.log(worst) <= mp.mpf(epsilon)
    assert mp.log(worst) >= mp.mpf(epsilon) * (1 - mp.mpf("2e-6"))


def test_the_laplace_grid_is_unbiased_and_varies_less_than_its_noise():
    randomizer = LocalLaplace(epsilon=1.0, low=0.0, high=8.0)
    grid = grid_noise(randomizer)
    between = (grid.positions[1:] + grid.positions[:-1]) / 2
    for value in (0.0, 0.0031, 4.0, 8.0):
        law = grid.channel([value], between)[0]
        assert law @ grid.positions == pytest.approx(value, abs=1e-9)
        assert law @ grid.positions**2 - value**2 < randomizer.noise_variance


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 8.0, 25.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-9])
def test_the_gaussian_grid_states_its_delta_and_keeps_the_one_asked_for(epsilon, delta):
    randomizer = LocalGaussian(epsilon=epsilon, delta=delta, low=0.0, high=1.0)
    grid = grid_noise(randomizer)
    assert delta * 0.99 < grid.delta <= delta
    shares = grid.weights.astype(np.float64) / float(grid.weights.sum())
    for moved in {grid.n_steps, grid.n_steps // 2, 1} - {0}:
        here, there = np.append(shares, np.zeros(moved)), np.append(np.zeros(moved), shares)
        assert np.maximum(here - math.exp(epsilon) * there, 0).sum() <= grid.delta
    noise = (np.arange(len(shares)) - len(shares) // 2) / grid.n_steps
    assert shares @ noise**2 == pytest.approx(randomizer.noise_variance, rel=1e-3)


def test_a_delta_finer_than_the_table_is_refused():
    with pytest.raises(OutOfRange, match=r"^delta of real reports must be in \[.*e-14, 1\), got 1e-15\. The probab"):
        grid_noise(LocalGaussian(epsilon=1.0, delta=1e-15, low=0.0, high=1.0))


def test_more_noise_needs_fewer_steps():
    assert grid_noise(LocalGaussian(epsilon=0.001, delta=1e-6, low=0.0, high=1.0)).n_steps < 1024


@pytest.mark.parametrize("epsilon", [1e-6, 0.01, 1.0, 10.0, 25.0])
def test_the_coins_of_unary_encoding_never_exceed_epsilon(epsilon):
    """A report's likelihood ratio is the odds of an unmarked bit; whole numbers against e^epsilon in 50 digits."""
    q = UnaryEncoding(epsilon=epsilon, n_values=2).false_rate
    weights = whole_weights(np.array([1 - q, q * drawing.SAFE]))
    assert mp.mpf(int(weights[0])) / int(weights[1]) <= mp.exp(epsilon)


@pytest.mark.parametrize("epsilon", [1e-6, 2.0, 25.0])
def test_the_table_of_the_exponential_choice_stays_within_epsilon(epsilon):
    weights = whole_weights(ExponentialChoice(epsilon=epsilon, values=tuple(range(30))).channel())
    totals = [sum(map(int, row)) for row in weights]
    shares = [[mp.mpf(int(w)) / total for w in row] for row, total in zip(weights, totals, strict=True)]
    assert mp.log(max(max(column) / min(column) for column in zip(*shares, strict=True))) <= epsilon


@pytest.mark.parametrize("epsilon", [1e-6, 1.0, math.log(3), 10.0, 25.0])
@pytest.mark.parametrize("n_values", [2, 3, 100])
def test_the_coin_of_randomised_response_errs_to_more_noise(epsilon, n_values, monkeypatch):
    """Replaced by a uniform value with probability g, the truth is K (1 - g) / g + 1 times as likely as another."""
    flipped = []
    monkeypatch.setattr(drawing, "coin_flips", lambda rate, n: flipped.append(rate) or np.zeros(n, dtype=np.uint8))
    truthful = draw(RandomizedResponse(epsilon=epsilon, n_values=n_values), np.zeros(2000, dtype=np.int64))
    (rate,) = flipped
    assert 0 < rate <= 0.5
    replaced = mp.mpf(rate) if (truthful == 0).all() else 1 - mp.mpf(rate)  # coins of zero keep or replace
    assert n_values * (1 - replaced) / replaced + 1 <= mp.exp(epsilon)


def test_a_histogram_of_real_noisy_numbers_uses_the_law_of_the_grid():
    """Six standard errors: a false alarm of 2e-9 for each of the three shares."""
    randomizer = LocalLaplace(epsilon=6.0, low=0.0, high=2.0)
    values = np.repeat([0.0, 1.0, 2.0], [50_000, 20_000, 30_000])
    edges = np.array([0.5, 1.5])
    counts = np.bincount(np.searchsorted(edges, draw(randomizer, values), side="right"), minlength=3)
    estimate = histogram_by_inversion(counts, grid_noise(randomizer).channel([0.0, 1.0, 2.0], edges))
    assert (np.abs(estimate.value - [0.5, 0.2, 0.3]) < 6 * np.sqrt(estimate.variance)).all()


def test_nothing_real_takes_a_seed():
    for module in (drawing, randomness):
        for name, function in inspect.getmembers(module, inspect.isfunction):
            assert not {"rng", "seed", "random_state", "generator"} & set(inspect.signature(function).parameters), name
    np.random.seed(0)  # noqa: NPY002
    first = draw(LocalLaplace(epsilon=1.0, low=0.0, high=1.0), np.zeros(50))
    np.random.seed(0)  # noqa: NPY002
    assert (draw(LocalLaplace(epsilon=1.0, low=0.0, high=1.0), np.zeros(50)) != first).any()


def test_an_epsilon_beyond_the_precision_of_the_tables_is_not_drawn():
    for epsilon in (26.0, 1e-7):
        with pytest.raises(OutOfRange, match=r"^epsilon of real reports must be in \[1e-06, 25\], got .* hide nothing"):
            draw(UnaryEncoding(epsilon=epsilon, n_values=2), [0])


@pytest.mark.parametrize(
    "randomizer",
    [
        RandomizedResponse(epsilon=1.0, n_values=2),
        UnaryEncoding(epsilon=1.0, n_values=2),
        ExponentialChoice(epsilon=1.0, values=(0, 1)),
        LocalLaplace(epsilon=1.0, low=0.0, high=1.0),
        LocalGaussian(epsilon=1.0, delta=1e-5, low=0.0, high=1.0),
    ],
    ids=lambda randomizer: randomizer.name,
)
def test_what_is_drawn_is_described(randomizer):
    described = json.loads(json.dumps(describe_drawing(randomizer)))
    assert described["randomness"] == "operating system"
    assert described["epsilon"] == randomizer.epsilon
    assert described["delta"] <= randomizer.delta
    assert described["law"]
    assert ("steps" in described) == hasattr(randomizer, "low")


def test_coins_words_and_numbers_are_fair():
    ones = coin_flips(0.03, N).sum()
    assert abs(ones - 0.03 * N) < norm.isf(ALARM / 2) * math.sqrt(N * 0.03 * 0.97)
    assert len(coin_flips(0.5, 13)) == len(random_bits(13)) == 13
    assert alarm_free(np.bincount(random_bits(N), minlength=2), [1, 1])
    assert alarm_free(np.bincount(random_numbers(7, N), minlength=7), [1] * 7)
    assert alarm_free(np.bincount(random_picks(np.array([1, 0, 5], dtype=np.uint64), N), minlength=3), [1, 0, 5])
    assert alarm_free(np.bincount((random_words(N) >> np.uint64(60)).astype(np.int64), minlength=16), [1] * 16)


def test_words_that_would_favour_small_numbers_are_drawn_again(monkeypatch):
    """With a bound of 3 the last word of all has no equals: it may not count."""
    answers = iter([[2**64 - 1, 5], [4]])
    monkeypatch.setattr(randomness, "random_words", lambda n: np.array(next(answers), dtype=np.uint64))
    assert random_numbers(3, 2).tolist() == [1, 2]


def test_equal_keys_are_drawn_again(monkeypatch):
    answers = iter([[7, 7, 1], [5, 9, 2]])
    monkeypatch.setattr(randomness, "random_words", lambda n: np.array(next(answers), dtype=np.uint64))
    assert random_order(3).tolist() == [2, 0, 1]


@pytest.mark.parametrize("n", [0, 1, 3, 4, 100, 5_000])
@pytest.mark.parametrize("at_once", [1, 4, 2**15])
def test_an_order_put_together_from_parts_is_that_of_all_keys(monkeypatch, n, at_once):
    keys = np.random.default_rng(n).integers(0, 2**64, n, dtype=np.uint64)
    monkeypatch.setattr(randomness, "FITS_A_CACHE", at_once)
    monkeypatch.setattr(randomness, "random_words", lambda n: keys)
    assert random_order(n).tolist() == np.argsort(keys).tolist()


def test_every_order_is_equally_likely():
    orders = [tuple(random_order(3).tolist()) for _ in range(6000)]
    assert alarm_free([orders.count(order) for order in set(orders)], [1] * 6)


def test_shuffling_keeps_the_reports_and_rows_together():
    reports = np.arange(20).reshape(10, 2)
    shuffled = shuffle(reports)
    assert sorted(map(tuple, shuffled)) == list(map(tuple, reports))
