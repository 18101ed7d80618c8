"""The accountant: what all looks at the same people guarantee together."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.composition import Composition
from epsilometer.vocabulary.privacy_loss import PERSON, ROW, PrivacyLoss
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
POINTS: Final = 2**19  # of the grid that losses are rounded up to: a hundred looks lose about 0.1 percent by it
FAR: Final = 10.0  # deviations of a Gaussian, where its privacy loss ends for the choice of the grid
SMALLEST_LOSS: Final = 1e-300  # a grid for less would be finer than doubles are
LARGEST_LOSS: Final = 500.0  # exp(loss) must stay a number; a guarantee this weak needs no second digit
WIDEST_GAUSSIAN: Final = 10_000  # a wider one counts by its guarantee: its law would take seconds to tabulate
NUMERICAL: Final = 1e-12  # more than the Fourier transforms can be wrong by; 1e-14 was measured for 300 looks
ROUNDING: Final = 1e-12  # ten times 0.1 fits a budget of 1


def composed(looks: Sequence[PrivacyLoss], delta: float) -> Composition:
    """What all looks guarantee together at this delta, added up and by the laws of their noises: upper bounds.

    All is in units of people, as far as it was declared how many rows a person has; what is about rows stands apart.
    One person is added to the data or removed, unless a look is about replacing one by another: then all are, and
    those that are not cost twice. At a delta of 1 anything holds, and no epsilon is given.

    >>> counts = PrivacyLoss(what="counts", noise="geometric", epsilon=0.1, delta=0.0, scale=10.0, moved_counts=1)
    >>> together = composed([counts] * 100, delta=1e-6)
    >>> round(together.added_up, 12), round(together.tight, 2), round(together.membership_advantage, 3)
    (10.0, 4.78, 0.382)
    """
    of_people, of_rows = by_unit(looks)
    if not of_people:
        return _composed(of_rows, delta, ROW)
    apart = _composed(of_rows, delta, ROW) if of_rows else None
    return replace(_composed(of_people, delta, PERSON), apart=apart)


class ByUnit(NamedTuple):
    """Looks that are about people, and those about rows of which nobody knows how many a person has."""

    of_people: tuple[PrivacyLoss, ...]
    of_rows: tuple[PrivacyLoss, ...]


def by_unit(looks: Iterable[PrivacyLoss]) -> ByUnit:
    """Return looks in units of people, and apart from them those that cannot be counted like that."""
    both = [(look, look.per_person()) for look in looks]
    return ByUnit(
        tuple(person for _, person in both if person is not None),
        tuple(look for look, person in both if person is None),
    )


def fits(looks: Sequence[PrivacyLoss], *, epsilon: float, delta: float) -> bool:
    """Whether all looks together stay within epsilon and delta; the laws are only asked where adding up is too much.

    >>> fits([], epsilon=1.0, delta=0.0)
    True
    """
    return all(_fit(alike, epsilon, delta) for alike in by_unit(looks))


@source("DworkRoth2014", "Theorem 3.16")
def added_up(looks: Sequence[PrivacyLoss]) -> tuple[float, float]:
    """Sum of the epsilons and sum of the deltas: holds however the looks were chosen. An upper bound.

    Of looks at people and looks at rows, which are not added to each other, it is the larger sum.

    >>> added_up([])
    (0.0, 0.0)
    """
    sums = [_sums(in_one_sense(alike)) for alike in by_unit(looks)]
    return max(epsilon for epsilon, _ in sums), max(delta for _, delta in sums)


def _composed(looks: Sequence[PrivacyLoss], delta: float, unit: str) -> Composition:
    looks = in_one_sense(looks)
    added, added_delta = _sums(looks)
    losses = _losses_together(looks)
    return Composition(
        n_looks=len(looks),
        adjacency=looks[0].adjacency if looks else Adjacency.ADD_REMOVE.value,
        delta=delta,
        added_up=added if delta < 1 and _at_most(added_delta, delta) else math.inf,
        added_delta=added_delta,
        tight=math.inf if losses is None else _epsilon_for_delta(losses, delta),
        membership_advantage=1.0 if losses is None else _advantage(losses),
        unguaranteed=tuple(look.what for look in looks if math.isinf(look.epsilon) or look.delta == 1),
        unit=unit,
    )


def _fit(looks: Sequence[PrivacyLoss], epsilon: float, delta: float) -> bool:
    looks = in_one_sense(looks)
    added, added_delta = _sums(looks)
    if _at_most(added, epsilon) and _at_most(added_delta, delta):
        return True
    losses = _losses_together(looks) if delta > NUMERICAL else None
    return losses is not None and _epsilon_for_delta(losses, delta) <= epsilon


def _sums(looks: Sequence[PrivacyLoss]) -> tuple[float, float]:
    return math.fsum(look.epsilon for look in looks), math.fsum(look.delta for look in looks)


def in_units(looks: Iterable[PrivacyLoss]) -> tuple[PrivacyLoss, ...]:
    """Return looks in units of people where that is known, and others as they are."""
    of_people, of_rows = by_unit(looks)
    return (*of_people, *of_rows)


def in_one_sense(looks: Sequence[PrivacyLoss]) -> Sequence[PrivacyLoss]:
    """Return looks that all mean the same by one person's part: replacements, if one of them is about those."""
    if all(look.adjacency == Adjacency.ADD_REMOVE.value for look in looks):
        return looks
    return [look.as_replacement() for look in looks]


@source("meiser-2018", "privacy buckets; losses rounded up")
def _losses_together(looks: Sequence[PrivacyLoss]) -> PrivacyLossDistribution | None:
    """The law of the privacy loss of all looks, each loss rounded up; ``None`` where it has no bound to speak of.

    The grid is a power of two: a coarser one, taken for more looks, then never gives a smaller loss.
    """
    from dp_accounting.pld import privacy_loss_distribution as laws

    reach = math.fsum(_reach(look) for look in looks)
    if not reach <= LARGEST_LOSS:
        return None
    step = 2.0 ** math.ceil(math.log2(max(reach, SMALLEST_LOSS) / POINTS)) if reach else 1.0
    together = laws.identity(value_discretization_interval=step)
    alike = Counter(replace(look, what="") for look in looks)
    for look in sorted(alike, key=repr):  # so that the order of the releases does not matter
        for law, times in _laws_of(look, step):
            together = together.compose(law.self_compose(times * alike[look]))
    return together


def _reach(look: PrivacyLoss) -> float:
    """How large a privacy loss may come of the look, for the choice of the grid."""
    match look:
        case PrivacyLoss(delta=1):
            return math.inf
        case PrivacyLoss(noise="discrete-gaussian", scale=float(scale), moved_counts=int(counts)):
            return FAR * counts / scale
        case _:
            return look.epsilon


def _laws_of(look: PrivacyLoss, step: float) -> Iterator[tuple[PrivacyLossDistribution, int]]:
    """The law of the privacy loss of each independent part of a look, and how often the part is there.

    Where the noise is known, one person moves each of ``moved_counts`` counts by one. The delta of geometric noise is
    what else may give a person away, such as a list of cells; with Gaussian noise that is a look of its own.
    """
    from dp_accounting.pld import privacy_loss_distribution as laws
    from dp_accounting.pld.common import DifferentialPrivacyParameters

    match look:
        case PrivacyLoss(noise="geometric", scale=float(scale), moved_counts=int(counts)):
            yield laws.from_discrete_laplace_mechanism(1 / scale, value_discretization_interval=step), counts
            yield laws.from_privacy_parameters(DifferentialPrivacyParameters(0.0, look.delta), step), 1
        case PrivacyLoss(noise="discrete-gaussian", scale=float(scale), moved_counts=int(counts)) if (
            scale <= WIDEST_GAUSSIAN
        ):
            yield laws.from_discrete_gaussian_mechanism(scale, value_discretization_interval=step), counts
        case _:
            yield laws.from_privacy_parameters(DifferentialPrivacyParameters(look.epsilon, look.delta), step), 1


def _epsilon_for_delta(losses: PrivacyLossDistribution, delta: float) -> float:
    """Smallest epsilon that holds at this delta, on the safe side of what the transforms may have got wrong."""
    if not NUMERICAL < delta < 1:
        return math.inf
    return float(losses.get_epsilon_for_delta(delta - NUMERICAL)) * (1 + ROUNDING)


def _advantage(losses: PrivacyLossDistribution) -> float:
    """Largest difference that one person makes to the chance of anything that is published: delta at epsilon 0."""
    return min(float(losses.get_delta_for_epsilon(0.0)) + NUMERICAL, 1.0)


def _at_most(total: float, limit: float) -> bool:
    return total <= limit * (1 + ROUNDING)
