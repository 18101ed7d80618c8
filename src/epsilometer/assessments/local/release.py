"""A real local release: a column goes in, randomised reports and an analyst's estimates come out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.local.risk import local_risk
from epsilometer.errors import BadRoles, BadTable, OutOfRange, UnknownChoice
from epsilometer.publication.chance import Chance
from epsilometer.randomizers import (
    ExponentialChoice,
    LocalGaussian,
    LocalLaplace,
    RandomizedResponse,
    UnaryEncoding,
    analysers,
)
from epsilometer.randomizers.added_noise import AddedNoise
from epsilometer.randomizers.drawing import describe_drawing
from epsilometer.randomizers.randomizer import MarkingRandomizer
from epsilometer.tables.opening import open_table
from epsilometer.tables.profiling import labelled
from epsilometer.tables.records import read_for_release
from epsilometer.vocabulary.evidence import Interval
from epsilometer.vocabulary.local_release import LocalRelease, Statistic

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pyarrow as pa
    from ibis.expr.datatypes import DataType

    from epsilometer.randomizers import Randomizer
    from epsilometer.randomizers.analysers import LocalEstimate
    from epsilometer.randomizers.drawing import Reports
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.local_risk import LocalRisk

RANDOMIZERS: Final = ("response", "unary", "exponential", "laplace", "gaussian")
EVEN: Final = 2**31  # numbers that one is drawn from, between the ends of a range


def randomizer_named(
    name: str,
    *,
    epsilon: float,
    delta: float | None = None,
    domain: Sequence[str] = (),
    bounds: tuple[float, float] | None = None,
) -> Randomizer:
    """Build a randomiser from its name and the declared domain or range it needs.

    >>> randomizer_named("response", epsilon=1.0, domain=["a", "b", "c"]).n_values
    3
    """
    if name not in RANDOMIZERS:
        raise UnknownChoice("randomizer", name, RANDOMIZERS)
    if delta is not None and name != "gaussian":
        raise OutOfRange("delta", delta, "{0}", hint=f"{name} has none; leave it out.")
    if name in {"laplace", "gaussian"}:
        if bounds is None:
            hint = "Noise on numbers needs a declared range, --domain COLUMN=LOW..HIGH; one from the table would leak."
            raise OutOfRange("range", bounds, "low < high", hint=hint)
        low, high = bounds
        if name == "laplace":
            return LocalLaplace(epsilon=epsilon, low=low, high=high)
        if delta is None:
            raise OutOfRange("delta", delta, "(0, 1)", hint="Gaussian noise needs it.")
        return LocalGaussian(epsilon=epsilon, delta=delta, low=low, high=high)
    if bounds is not None:
        raise OutOfRange("range", bounds, "{None}", hint=f"{name} takes a domain; leave the range out.")
    if len(domain) < 2 or len(set(domain)) < len(domain):  # noqa: PLR2004
        hint = "Declare every value there may be, each once, --domain COLUMN=A,B; a list from the table would leak."
        raise OutOfRange("domain", list(domain), "two or more different values", hint=hint)
    if name == "exponential":
        return ExponentialChoice(epsilon=epsilon, values=tuple(_numbers(domain)))
    kind = RandomizedResponse if name == "response" else UnaryEncoding
    return kind(epsilon=epsilon, n_values=len(domain))


def local_release(
    table: object,
    column: str,
    randomizer: Randomizer,
    *,
    domain: Sequence[str] = (),
    shuffled: bool = True,
    other: str | None = None,
    where: str | None = None,
    missing: Iterable[str] = (),
    types: Mapping[str, str] | None = None,
    chance: Chance | None = None,
) -> LocalRelease:
    """Randomise every person's value with the operating system's randomness, shuffle, and estimate.

    Args:
        table: anything :func:`epsilometer.open_table` takes; one row is one person.
        column: what people report on.
        randomizer: what each of them does.
        domain: the values there may be, as text, for randomisers of values; their order numbers the reports.
        shuffled: whether to put the reports into a random order.
        other: the one of the domain that any further value counts as. Without it a value that is missing or not in the
            domain is reported as one drawn evenly from the domain, so that nobody is left out because of it.
        where: row filter, run by the engine.
        missing: texts that stand for a missing value.
        types: what columns hold, as in :func:`epsilometer.open_table`; noise is added to numbers.
        chance: what it is drawn by; the operating system's randomness, unless a transcript replays it.
    """
    labels = _checked_domain(randomizer, domain)
    numbers = {column: "number"} if isinstance(randomizer, AddedNoise) else {}
    opened = open_table(table, missing, types, of_text=numbers)
    if column in opened.columns:
        check_reported(column, opened.expression[column].type(), randomizer)
    records = read_for_release(opened, [column], where=where)
    if not len(records):  # how many people report is not hidden
        raise BadTable(f"There is no row to read column {column!r} from.")
    by = chance or Chance()
    reports = by.reports(randomizer, _true_values(records.values(column), randomizer, labels, other, by))
    if shuffled:
        reports = np.take(reports, by.order(len(reports), len(reports)), axis=0)
    statistics, shares = _analysed(randomizer, reports, labels)
    return LocalRelease(
        column=column,
        reports=reports,
        labels=labels,
        shuffled=shuffled,
        n_people=len(reports),
        drawing={**randomizer.describe(), **describe_drawing(randomizer)},
        statistics=statistics,
        risk=None if shares is None else _risk(randomizer, shares, len(reports)),
    )


def _true_values(
    values: pa.ChunkedArray, randomizer: Randomizer, labels: tuple[str, ...], other: str | None, chance: Chance
) -> IntArray | FloatArray:
    """Return what goes into the randomiser: numbers, or the places of values in the domain."""
    if isinstance(randomizer, AddedNoise):
        return _numbers_of(values, randomizer, chance)
    return _codes(values, labels, other, chance)


def _checked_domain(randomizer: Randomizer, domain: Sequence[str]) -> tuple[str, ...]:
    """Return the domain as text, or say that it does not fit the randomiser."""
    labels = tuple(map(str, domain))
    n_values = randomizer.n_values if isinstance(randomizer, MarkingRandomizer | ExponentialChoice) else 0
    if not len(set(labels)) == len(labels) == n_values:
        allowed = f"{n_values} different values, as many as the randomiser has" if n_values else "[]"
        raise OutOfRange("domain", list(labels), allowed, hint="Noise on numbers takes none." if not n_values else "")
    return labels


def _codes(values: pa.ChunkedArray, domain: Sequence[str], other: str | None, chance: Chance) -> IntArray:
    """Return the number of each value in the declared domain; one drawn evenly where there is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = pc.index_in(_texts(values), value_set=pa.array(domain, pa.string()))
    if other is not None:
        found = pc.if_else(pc.and_(pc.is_null(found), pc.is_valid(values)), domain.index(other), found)
    codes = np.asarray(pc.fill_null(found, -1).to_numpy(), dtype=np.int64)
    return np.where(codes < 0, chance.numbers(len(domain), len(codes)), codes)


def _texts(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Write values as they are declared: each by itself, and a whole number without a point."""
    import pyarrow as pa

    if pa.types.is_string(values.type):
        return values
    return labelled(values, None).cast(pa.string())


def _numbers_of(values: pa.ChunkedArray, randomizer: AddedNoise, chance: Chance) -> FloatArray:
    """Return each number; one drawn evenly from the range where there is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers = np.asarray(pc.cast(values, pa.float64(), safe=False).to_numpy(), dtype=np.float64)
    even = randomizer.low + (randomizer.high - randomizer.low) * chance.numbers(EVEN, len(numbers)) / (EVEN - 1)
    return np.where(np.isnan(numbers), even, numbers)


def check_reported(column: str, kind: DataType, randomizer: Randomizer) -> None:
    """Refuse a column that the randomiser cannot be for, as far as its type tells."""
    if kind.is_nested() or kind.is_binary() or kind.is_json():
        raise BadRoles(f"Column {column!r} holds {kind}, which cannot be written as text.")
    if isinstance(randomizer, AddedNoise) and not kind.is_numeric():
        raise BadRoles(f"Column {column!r} holds no numbers. Declare its type, or choose response or unary.")


def _numbers(domain: Sequence[str]) -> list[float]:
    try:
        return [float(value) for value in domain]
    except ValueError:
        raise OutOfRange("domain", list(domain), "numbers", hint="The exponential choice measures distances.") from None


def _analysed(
    randomizer: Randomizer, reports: Reports, domain: tuple[str, ...]
) -> tuple[tuple[Statistic, ...], FloatArray | None]:
    """Return what the analyst reads off the reports, and the shares if there are any."""
    if isinstance(randomizer, AddedNoise):
        return (_statistic("mean", analysers.mean_of_reports(randomizer, reports)),), None
    if isinstance(randomizer, MarkingRandomizer):
        estimate = analysers.histogram(randomizer, reports)
        more: tuple[Statistic, ...] = ()
    else:
        assert isinstance(randomizer, ExponentialChoice)  # noqa: S101  (there are no others)
        counts, channel = np.bincount(reports, minlength=randomizer.n_values), randomizer.channel()
        estimate = analysers.histogram_by_inversion(counts, channel)
        more = (_statistic("mean", analysers.mean_by_inversion(counts, channel, randomizer.values)),)
    shares, interval = np.asarray(estimate.value), estimate.interval
    ends = zip(np.asarray(interval.low), np.asarray(interval.high), strict=True)
    found = tuple(
        Statistic(name=label, value=float(share), interval=Interval(float(low), float(high), interval.confidence))
        for label, share, (low, high) in zip(domain, shares, ends, strict=True)
    )
    return (*found, *more), shares


def _statistic(name: str, estimate: LocalEstimate) -> Statistic:
    return Statistic(name=name, value=float(estimate.value), interval=estimate.interval)


def _risk(randomizer: Randomizer, shares: FloatArray, n_people: int) -> LocalRisk:
    """Return what an attacker learns who takes the estimated shares, made possible, for the truth."""
    possible = np.maximum(shares, 0.0)
    if not possible.any():  # few reports can speak against every value
        possible = np.ones_like(shares)
    return local_risk(randomizer, possible / possible.sum(), n_people=n_people)
