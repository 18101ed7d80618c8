"""How much whole-number noise each published table gets, so that all of them together keep the plan's guarantee."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadQuestion, OutOfRange
from epsilometer.formulas import gaussian
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Mechanism
from epsilometer.synthesizers.budget import Budget
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

    from epsilometer.plans.release_kinds import Counts

STEP: Final = 1.001  # by which Gaussian noise grows until it is enough
GRID: Final = 1e-4  # of privacy losses, in parts of epsilon
LARGEST_SCALE: Final = 1e6  # of the noise on a count: all that a passport can state
SMALLEST_DELTA: Final = 1e-12  # an accountant leaves out 1e-15, and counts it as lost


@dataclass(frozen=True, slots=True)
class NoiseLevel:
    """The noise on each count of a table, and what it costs to look at the table once.

    Attributes:
        mechanism: the law of the noise, with the plan's threshold. Its epsilon is that of a person who adds to one
            count only, so that whoever assesses single counts with it speaks of what is drawn.
        look: what the table by itself guarantees to a person who adds to as many counts as the plan allows.
    """

    mechanism: Mechanism
    look: PrivacyLoss

    @property
    def scale(self) -> float:
        """Scale of the noise on one count."""
        return scale_of(self.mechanism)

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the noise on one count; for Gaussian noise rounded up, by less than 1e-7 from 1 on."""
        if isinstance(self.mechanism, DiscreteGaussian):
            return self.scale
        return 1 / (math.sqrt(2) * math.sinh(1 / (2 * self.scale)))


def scale_of(mechanism: Mechanism) -> float:
    """Scale of a mechanism with one epsilon, as that of every release is."""
    scale = mechanism.scale
    assert isinstance(scale, float)  # noqa: S101
    return scale


def noise_levels(counts: Counts, shares: Sequence[float], names: Sequence[str]) -> tuple[NoiseLevel, ...]:
    """Noise for tables that get these shares of the budget.

    Laplace and geometric noise are drawn as two-sided geometric noise, Gaussian and discrete Gaussian noise as
    discrete Gaussian noise. A person adds one to each of at most c counts of each table, so that m = c counts move by
    one when they are added or removed, and m = 2 c when they are replaced.

    >>> from epsilometer.plans.release_kinds import Counts
    >>> [level.scale for level in noise_levels(Counts(), [1.0, 1.0], ["sex", "age"])]
    [2.0, 2.0]
    """
    mechanism = counts.mechanism
    if isinstance(mechanism.epsilon, tuple):
        listed = ", ".join(f"{epsilon:g}" for epsilon in mechanism.epsilon)
        raise BadQuestion(f"A release has one epsilon; the plan has several: {listed}. Choose one.")
    if isinstance(mechanism, Gaussian) and mechanism.calibration != "analytic":
        raise BadQuestion(
            "A release draws whole-number noise for (epsilon, delta); the calibration "
            f"{mechanism.calibration} promises something else. Use the discrete-gaussian mechanism."
        )
    moved = counts.cells_per_person * mechanism.adjacency.moved_counts
    laws: Sequence[Mechanism]
    if isinstance(mechanism, Gaussian | DiscreteGaussian):
        laws, alone = _discrete_gaussians(mechanism, mechanism.epsilon, counts.cells_per_person, shares)
    else:
        _check_scale(mechanism.epsilon, moved, shares)
        laws, alone = _geometrics(mechanism, mechanism.epsilon, counts.cells_per_person, shares)
    return tuple(_level(*each, moved) for each in zip(laws, alone, names, strict=True))


def optimal_shares(mechanism: Mechanism, n_counts: Sequence[int]) -> list[float]:
    r"""Shares of the budget for which the mean square error of all counts together is smallest.

    Laplace noise on the :math:`N_t` counts of table t has the mean square error :math:`2 N_t m^2 / \varepsilon_t^2`.
    With :math:`\sum_t \varepsilon_t` fixed, the derivatives :math:`N_t / \varepsilon_t^3` are equal in the minimum:

    .. math:: \varepsilon_t \propto N_t^{1/3}

    Gaussian noise has :math:`N_t \sigma_t^2 = N_t m / 2 \rho_t`, the :math:`\rho_t` of concentrated differential
    privacy add up, and the derivatives :math:`N_t / \rho_t^2` are equal: :math:`\rho_t \propto N_t^{1/2}`. Exact for
    noise on real numbers; whole-number noise on a count has a mean square error that is lower, by less than 1/6. Each
    table is read by itself: that one might also be summed up from another is not made use of.

    >>> optimal_shares(Geometric(epsilon=1.0), [8, 1000])
    [2.0, 10.0]
    """
    if isinstance(mechanism, Gaussian | DiscreteGaussian):
        return [math.sqrt(n) for n in n_counts]
    return [math.cbrt(n) for n in n_counts]


def _level(law: Mechanism, epsilon: float, name: str, moved: int) -> NoiseLevel:
    look = PrivacyLoss(
        what=f"counts of {name}",
        noise=law.name,
        epsilon=epsilon,
        delta=law.delta,
        scale=scale_of(law),
        moved_counts=moved,
        adjacency=law.adjacency.value,
    )
    return NoiseLevel(law, look)


def _check_scale(epsilon: float, moved: int, shares: Sequence[float]) -> None:
    """Refuse geometric noise of a scale that nobody could state or use."""
    smallest = moved * sum(shares) / min(shares) / LARGEST_SCALE
    if epsilon <= smallest:
        hint = "Less would be noise with a scale beyond a million, and counts that say nothing."
        raise OutOfRange("epsilon", epsilon, f"({smallest:g}, inf)", hint=hint)


def _geometrics(
    mechanism: Mechanism, epsilon: float, cells: int, shares: Sequence[float]
) -> tuple[list[Geometric], list[float]]:
    """Geometric noise for each table, with its part of epsilon; the parts never exceed the whole."""
    exact = [Fraction(share) for share in shares]
    unit = math.lcm(*(share.denominator for share in exact))
    parts = Budget(epsilon).parts(*(int(share * unit) for share in exact))
    return [_geometric(mechanism, part.epsilon, cells) for part in parts], [part.epsilon for part in parts]


def _geometric(mechanism: Mechanism, epsilon: float, cells: int) -> Geometric:
    """Noise of scale m / epsilon, never less in exact arithmetic."""
    moved = cells * mechanism.adjacency.moved_counts
    of_one_count = epsilon / cells
    while True:
        drawn = Geometric(epsilon=of_one_count, adjacency=mechanism.adjacency, threshold=mechanism.threshold)
        if Fraction(scale_of(drawn)) * Fraction(epsilon) >= moved:
            return drawn
        of_one_count = math.nextafter(of_one_count, 0.0)


def _discrete_gaussians(
    mechanism: Gaussian | DiscreteGaussian, epsilon: float, cells: int, shares: Sequence[float]
) -> tuple[list[DiscreteGaussian], list[float]]:
    """Discrete Gaussian noise for each table, with the epsilon that it keeps by itself.

    One table and one count for each person: the smallest sigma there is. Otherwise sigma_t^2 is inversely proportional
    to the share, and all of them grow from where noise on real numbers would be enough until the privacy loss
    distribution of all tables together, which dp-accounting rounds to more loss, meets the guarantee.
    """
    if cells == len(shares) == 1:
        return [_discrete(mechanism, epsilon)], [epsilon]
    if mechanism.delta < SMALLEST_DELTA:
        hint = "Noise on several tables, or several counts of a person, cannot be shown to keep less."
        raise OutOfRange("delta", mechanism.delta, f"[{SMALLEST_DELTA:g}, 1)", hint=hint)
    moved = cells * mechanism.adjacency.moved_counts
    unit = gaussian.analytic_sigma(epsilon, mechanism.delta) * math.sqrt(moved * sum(shares))
    while True:
        drawn = [_with_at_least(mechanism, unit / math.sqrt(share)) for share in shares]
        losses = [_privacy_loss(each, moved, GRID * epsilon) for each in drawn]
        together = losses[0]
        for loss in losses[1:]:
            together = together.compose(loss)
        if together.get_delta_for_epsilon(epsilon) <= mechanism.delta:
            break
        unit *= STEP
    return drawn, [min(float(loss.get_epsilon_for_delta(mechanism.delta)), epsilon) for loss in losses]


def _with_at_least(mechanism: Gaussian | DiscreteGaussian, sigma: float) -> DiscreteGaussian:
    """Return the mechanism at an epsilon whose noise is this much, or a little more."""
    epsilon = gaussian.epsilon_from_sigma(sigma / mechanism.adjacency.l2_sensitivity, delta=mechanism.delta)
    while scale_of(drawn := _discrete(mechanism, epsilon)) < sigma:
        epsilon /= STEP
    return drawn


def _discrete(mechanism: Gaussian | DiscreteGaussian, epsilon: float) -> DiscreteGaussian:
    if isinstance(mechanism, DiscreteGaussian):
        return replace(mechanism, epsilon=epsilon)
    return DiscreteGaussian(
        epsilon=epsilon, delta=mechanism.delta, adjacency=mechanism.adjacency, threshold=mechanism.threshold
    )


def _privacy_loss(drawn: DiscreteGaussian, moved: int, grid: float) -> PrivacyLossDistribution:
    """Privacy loss when ``moved`` counts move by one; imported here, since most releases need no accountant."""
    from dp_accounting.pld.privacy_loss_distribution import from_discrete_gaussian_mechanism

    one = from_discrete_gaussian_mechanism(scale_of(drawn), value_discretization_interval=grid)
    return one.self_compose(moved)
