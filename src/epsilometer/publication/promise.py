"""What a plan promises whatever the table holds: everything here follows from the plan alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.errors import BadQuestion
from epsilometer.formulas.homogeneity import largest_local_records
from epsilometer.plans.plan import Plan
from epsilometer.plans.release_kinds import Counts, Local, Sample, Synthetic
from epsilometer.publication.any_table import VALUE, any_table_risks, expected_errors
from epsilometer.publication.noise_levels import noise_levels
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.passport import Guarantee, MechanismUsed, Support
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.plans.release_kinds import ReleaseKind
    from epsilometer.publication.noise_levels import NoiseLevel
    from epsilometer.vocabulary.passport import StatedNumber

FEWEST_VALUES: Final = 2  # that a secret can have; the fewer there are, the larger the worst risk


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What a release promises for any table, at one epsilon.

    Attributes:
        epsilon: the guarantee of everything that is published together; ``None`` where there is none.
        delta: the chance that it fails.
        own_record: what anyone can learn about one person at most, from the part that their own record plays.
        looks: the noise on each published table of counts, where the plan settles it.
        errors: how far off what is published is, by its protection alone.
        worst_risk: share of people disclosed in the worst table there could be; ``None`` where no formula has it.
        n_values: number of sensitive values of that worst table.
    """

    epsilon: float | None
    delta: float
    own_record: tuple[StatedNumber, ...] = ()
    looks: tuple[PrivacyLoss, ...] = ()
    errors: tuple[StatedNumber, ...] = ()
    worst_risk: float | None = None
    n_values: int = FEWEST_VALUES

    @property
    def told_right(self) -> float:
        """How often anyone tells right which of two values a person has, at most; a coin does half of the time."""
        advantage = next(number.value for number in self.own_record if number.name == VALUE)
        return (1 + (1.0 if advantage is None else advantage)) / 2


def promises(plan: Plan) -> tuple[Promise, ...]:
    """Return what a plan promises, at each of its epsilons; the table is never looked at.

    >>> from epsilometer.plans.plan import Plan
    >>> (promise,) = promises(Plan(table=None, quasi_identifiers=("age",), sensitive=("job",)))
    >>> promise.epsilon, promise.looks[0].scale, round(promise.worst_risk, 4)
    (1.0, 1.0, 0.7311)
    """
    return _promises(plan.release, plan)


def promises_over(plan: Plan, epsilons: Iterable[float]) -> tuple[Promise, ...]:
    """Return what a plan with an epsilon would promise at others.

    >>> from epsilometer.plans.plan import Plan
    >>> plan = Plan(table=None, quasi_identifiers=("age",), sensitive=("job",))
    >>> [round(promise.told_right, 3) for promise in promises_over(plan, (0.5, 2.0))]
    [0.622, 0.881]
    """
    return tuple(one for each in epsilons for one in promises(replace(plan, release=_at(plan.release, each))))


def _at(release: ReleaseKind, epsilon: float) -> ReleaseKind:
    match release:
        case Counts():
            return replace(release, mechanism=release.mechanism.at(epsilon))
        case Synthetic() | Local():
            return replace(release, epsilon=epsilon)
        case _:
            return release


def n_declared(declared: object) -> int | None:
    """Return how many values a column may show, if they are listed, a missing one among them.

    >>> n_declared(["a", "b", None]), n_declared({"values": ["a", "b"], "missing": True}), n_declared((0, 99))
    (3, 3, None)
    """
    match declared:
        case {"values": values, **more}:
            listed, missing = values, bool(more.get("missing"))
        case {"low": _} | (int() | float(), int() | float()) | str():
            return None
        case _:
            listed, missing = declared, False
    if not isinstance(listed, Iterable):
        return None
    distinct = set(listed)
    return len(distinct | {None}) if missing else len(distinct)


@singledispatch
def _promises(release: ReleaseKind, _plan: Plan) -> tuple[Promise, ...]:
    raise BadQuestion(f"Rows published as they are ({release.kind}) promise nothing. Choose another kind of release.")


@_promises.register
def _of_counts(counts: Counts, plan: Plan) -> tuple[Promise, ...]:
    noise = counts.mechanism
    epsilons = noise.epsilon if isinstance(noise.epsilon, tuple) else (noise.epsilon,)
    return tuple(_of_counts_at(replace(counts, mechanism=noise.at(epsilon)), epsilon, plan) for epsilon in epsilons)


@_promises.register
def _of_sample(sample: Sample, _plan: Plan) -> tuple[Promise, ...]:
    return (Promise(epsilon=None, delta=0.0, errors=expected_errors(sample.kind, (), [sample.size])),)


@_promises.register
def _of_synthetic(synthetic: Synthetic, _plan: Plan) -> tuple[Promise, ...]:
    return (_guaranteed(synthetic.kind, synthetic.epsilon, synthetic.delta, Adjacency.ADD_REMOVE),)


@_promises.register
def _of_local(local: Local, _plan: Plan) -> tuple[Promise, ...]:
    return (_guaranteed(local.kind, local.epsilon, local.delta or 0.0, Adjacency.REPLACE),)


def _guaranteed(kind: str, epsilon: float, delta: float, adjacency: Adjacency) -> Promise:
    """Return what a guarantee alone promises, of a method whose noise is not the same for every table."""
    look = PrivacyLoss(what=kind, noise="any", epsilon=epsilon, delta=delta, adjacency=adjacency.value)
    guarantee = Guarantee(epsilon=epsilon, delta=delta, accounting="added up")
    own_record = any_table_risks(kind, guarantee, [look], adjacency=adjacency.value, support=None)
    return Promise(epsilon=epsilon, delta=delta, own_record=own_record)


def _of_counts_at(counts: Counts, epsilon: float, plan: Plan) -> Promise:
    adjacency, delta = counts.mechanism.adjacency, counts.mechanism.delta + (counts.support_delta or 0.0)
    if counts.split != "weights" and len(counts.tables) > 1:
        return _guaranteed(counts.kind, epsilon, delta, adjacency)
    columns = [each.columns for each in counts.tables] or [(*plan.quasi_identifiers, *plan.sensitive)]
    levels = noise_levels(counts, [each.weight for each in counts.tables] or [1.0], [", ".join(c) for c in columns])
    looks = tuple(level.look for level in levels)
    support = Support(kind=counts.support, delta=counts.support_delta or 0.0)
    guarantee = Guarantee(epsilon=epsilon, delta=delta, accounting="added up")
    n_values = _n_values(plan)
    return Promise(
        epsilon=epsilon,
        delta=delta,
        own_record=any_table_risks(counts.kind, guarantee, looks, adjacency=adjacency.value, support=support),
        looks=looks,
        errors=expected_errors(counts.kind, [_used(look) for look in looks], ()),
        worst_risk=_worst_risk(counts, levels, n_values),
        n_values=n_values,
    )


def _used(look: PrivacyLoss) -> MechanismUsed:
    return MechanismUsed(what=look.what, name=look.noise, scale=look.scale)


def _n_values(plan: Plan) -> int:
    """Return the fewest values that a sensitive column may show; two where a column does not list them."""
    numbers = [n_declared(plan.domain.get(name)) or FEWEST_VALUES for name in plan.sensitive]
    return max(FEWEST_VALUES, min(numbers))


def _worst_risk(counts: Counts, levels: Sequence[NoiseLevel], n_values: int) -> float | None:
    """Return the share of people disclosed in the worst table; several tables together have no such formula.

    Where only combinations that occur are listed, a large cell whose members share a value shows it alone for certain.
    """
    if len(levels) > 1:
        return None
    if counts.support == "thresholded":
        return 1.0
    return float(np.max(largest_local_records(n_values, levels[0].mechanism)))
