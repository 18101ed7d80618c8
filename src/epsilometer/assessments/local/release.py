"""A real local release: a column goes in, randomised reports and an analyst's estimates come out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.local.risk import local_risk
from epsilometer.errors import BadRoles, BadTable, OutOfRange, UnknownChoice
from epsilometer.randomizers import (
    ExponentialChoice,
    LocalGaussian,
    LocalLaplace,
    RandomizedResponse,
    UnaryEncoding,
    analysers,
)
from epsilometer.randomizers.added_noise import AddedNoise
from epsilometer.randomizers.drawing import check_can_be_drawn, describe_drawing, draw, shuffle
from epsilometer.randomizers.randomizer import MarkingRandomizer
from epsilometer.tables.columns import values_of
from epsilometer.vocabulary.evidence import Interval
from epsilometer.vocabulary.local_release import LocalRelease, Statistic

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa

    from epsilometer.randomizers import Randomizer
    from epsilometer.randomizers.analysers import LocalEstimate
    from epsilometer.randomizers.drawing import Reports
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.local_risk import LocalRisk

RANDOMIZERS: Final = ("response", "unary", "exponential", "laplace", "gaussian")
SHOWN: Final = 5  # unknown values that a message lists


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
    where: str | None = None,
    missing: Iterable[str] = (),
) -> LocalRelease:
    """Randomise every person's value with the operating system's randomness, shuffle, and estimate.

    Args:
        table: anything :func:`epsilometer.open_table` takes; one row is one person.
        column: what people report on.
        randomizer: what each of them does.
        domain: the values there may be, as text, for randomisers of values; their order numbers the reports.
        shuffled: whether to put the reports into a random order.
        where: row filter, run by the engine.
        missing: texts that stand for a missing value.
    """
    labels = _checked_domain(randomizer, domain)
    reports = draw(randomizer, _true_values(table, column, randomizer, labels, where=where, missing=missing))
    if shuffled:
        reports = shuffle(reports)
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


def check_local_release(
    table: object,
    column: str,
    randomizer: Randomizer,
    *,
    domain: Sequence[str] = (),
    where: str | None = None,
    missing: Iterable[str] = (),
) -> None:
    """Say what would keep :func:`local_release` from being made; nothing is drawn."""
    check_can_be_drawn(randomizer)
    _true_values(table, column, randomizer, _checked_domain(randomizer, domain), where=where, missing=missing)


def _true_values(
    table: object,
    column: str,
    randomizer: Randomizer,
    labels: tuple[str, ...],
    *,
    where: str | None,
    missing: Iterable[str],
) -> IntArray | FloatArray:
    """Return what goes into the randomiser: numbers, or the places of values in the domain."""
    values = values_of(table, column, where=where, missing=missing)
    return _clean_numbers(values, column) if isinstance(randomizer, AddedNoise) else _codes(values, column, labels)


def _checked_domain(randomizer: Randomizer, domain: Sequence[str]) -> tuple[str, ...]:
    """Return the domain as text, or say that it does not fit the randomiser."""
    labels = tuple(map(str, domain))
    n_values = randomizer.n_values if isinstance(randomizer, MarkingRandomizer | ExponentialChoice) else 0
    if not len(set(labels)) == len(labels) == n_values:
        allowed = f"{n_values} different values, as many as the randomiser has" if n_values else "[]"
        raise OutOfRange("domain", list(labels), allowed, hint="Noise on numbers takes none." if not n_values else "")
    return labels


def _codes(values: pa.ChunkedArray, column: str, domain: Sequence[str]) -> IntArray:
    """Return the number of each value in the declared domain, or say which are not in it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        texts = pc.cast(values, pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise BadRoles(f"Column {column!r} holds {values.type}, which cannot be written as text.") from None
    codes = pc.index_in(texts, value_set=pa.array(domain, pa.string()))
    if codes.null_count:
        strange = pc.unique(pc.filter(texts, pc.is_null(codes))).to_pylist()
        listed = ", ".join([*map(repr, strange[:SHOWN]), *(["…"] if len(strange) > SHOWN else [])])
        raise BadRoles(
            f"Column {column!r} has values outside the declared domain: {listed}. "
            "Add them to the domain, or filter the rows out."
        )
    return np.asarray(codes.to_numpy(), dtype=np.int64)


def _clean_numbers(values: pa.ChunkedArray, column: str) -> FloatArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        numbers = pc.cast(values, pa.float64(), safe=False).to_numpy()  # large whole numbers may be rounded
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise BadRoles(
            f"Column {column!r} holds no numbers. Choose a randomiser of values: response or unary."
        ) from None
    if not np.isfinite(numbers).all():
        raise BadTable(f"Column {column!r} is infinite or not a number in some row. Filter them out, or correct them.")
    return np.asarray(numbers, dtype=np.float64)


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
