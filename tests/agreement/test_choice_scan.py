"""Choosing against a scan of 2,000 epsilons, table by table, with losses computed by other means."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import t as student

import epsilometer as em

N_TABLES = 100
REPEATS = 50
EPSILONS = np.geomspace(0.01, 10, 2_000)
NEAR_END = 0.01  # of epsilon: so far outside a stretch an epsilon may be feasible unnoticed, which is the safe side
NEAR_TARGET = 0.005  # of the loss: so much it may sway about its target between the points that were simulated
NOISES = [em.Laplace(epsilon=1.0), em.Geometric(epsilon=1.0), em.Gaussian(epsilon=1.0, delta=1e-5)]
CURVES = [noise.at(tuple(EPSILONS.tolist())) for noise in NOISES]


def random_case(seed):
    """A table with 2 to 5 values and 3 to 8 cells of very different sizes, noise, and where on the curves to aim."""
    rng = np.random.default_rng(seed)
    n_values, n_cells = int(rng.integers(2, 6)), int(rng.integers(3, 9))
    shares = rng.dirichlet(np.full(n_values, rng.choice([0.3, 1.0, 3.0])), n_cells)
    sizes = 1 + rng.negative_binomial(1.0, 1 / rng.choice([5.0, 20.0, 60.0]), n_cells)
    counts = np.array([rng.multinomial(size, share) for size, share in zip(sizes, shares, strict=True)])
    return counts[:, counts.any(axis=0)], seed % len(NOISES), rng.uniform(0.3, 0.95, 2)


def as_rows(counts):
    cells, values = np.nonzero(counts)
    times = counts[cells, values]
    labels = {"cell": cells, "value": values}
    return pa.table({name: [f"{name} {code:02}" for code in np.repeat(codes, times)] for name, codes in labels.items()})


def scanned_losses(counts, noise, curve):
    """Upper ends of the losses of 50 releases at each epsilon, from nothing but the noise and numpy."""
    shape = (*counts.shape, REPEATS)
    if isinstance(noise, em.Geometric):
        drawn = np.stack([noise.at(e).sample(np.random.default_rng(0), shape) for e in EPSILONS.tolist()])
    else:
        one = noise.sample(np.random.default_rng(0), shape) / noise.scale
        drawn = np.asarray(curve.scale)[:, None, None, None] * one
    noisy = counts[..., None] + drawn
    shown = np.where(noisy < 0.5, 0.0, np.floor(noisy + 0.5))
    total = shown.sum(axis=(1, 2))
    after = shown / np.where(total > 0, total, 1.0)[:, None, None]
    before = (counts / counts.sum())[..., None]
    of_cells = np.abs((after - before).sum(axis=2)).sum(axis=1)
    of_values = np.abs((after - before).sum(axis=1)).sum(axis=1)
    of_both = np.abs(after - before).sum(axis=(1, 2))
    lost = np.where(total > 0, (of_cells + of_values + of_both) / 6, 1.0)
    error = lost.std(axis=1, ddof=1) / np.sqrt(REPEATS)
    return np.minimum(1.0, lost.mean(axis=1) + student.ppf(0.975, REPEATS - 1) * error)


def inside(stretches, slack=0.0):
    within = [(s.low * (1 - slack) <= EPSILONS) & (s.high * (1 + slack) >= EPSILONS) for s in stretches]
    return np.any([np.zeros(len(EPSILONS), dtype=bool), *within], axis=0)


def case(seed):
    counts, kind, aims = random_case(seed)
    freq, noise, curve = em.FrequencyTable.from_counts(counts), NOISES[kind], CURVES[kind]
    risks = em.homogeneity_risk(freq, curve, average="records").value
    losses = scanned_losses(counts, noise, curve)
    plan = em.Plan(
        table=as_rows(counts),
        quasi_identifiers=("cell",),
        sensitive=("value",),
        release=em.Counts(mechanism=noise),
        max_risk=float(np.quantile(risks, aims[0])),
        max_loss=float(np.quantile(losses, aims[1])),
    )
    return em.choose(plan), risks, losses, freq, noise


@pytest.fixture(scope="module")
def cases():
    return [case(seed) for seed in range(N_TABLES)]


def test_no_epsilon_of_a_stretch_exceeds_the_risk_target(cases):
    for choice, risks, *_ in cases:
        assert (risks[inside(choice.stretches)] <= choice.max_risk).all()


def test_the_recommended_epsilon_meets_both_targets_when_it_is_looked_at_again(cases):
    recommended = 0
    for choice, _, _, freq, noise in cases:
        if choice.recommended is not None:
            at = noise.at(choice.recommended)
            assert em.homogeneity_risk(freq, at, average="records").value <= choice.max_risk
            assert em.utility_loss(freq, at, seed=0).answer.interval.high <= choice.max_loss
            assert any(s.low <= choice.recommended <= s.high for s in choice.stretches)
            recommended += 1
    assert 0.8 * N_TABLES < recommended < N_TABLES  # both outcomes are tried


def test_a_scan_of_2000_epsilons_finds_the_same(cases):
    """Inside a stretch the scan agrees; outside it agrees but for a hair's breadth beside the ends."""
    for choice, risks, losses, *_ in cases:
        chosen = inside(choice.stretches)
        assert (losses[chosen] <= choice.max_loss * (1 + NEAR_TARGET)).all()
        clearly = (risks <= choice.max_risk) & (losses <= choice.max_loss * (1 - NEAR_TARGET))
        assert not (clearly & ~inside(choice.stretches, slack=NEAR_END)).any()


def test_where_nothing_is_recommended_the_scan_finds_nothing_clear(cases):
    for choice, risks, losses, *_ in cases:
        if choice.recommended is None:
            assert not ((risks <= choice.max_risk) & (losses <= choice.max_loss * (1 - NEAR_TARGET))).any()
            assert choice.certificate
