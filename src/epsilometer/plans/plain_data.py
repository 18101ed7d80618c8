"""A plan as plain data, ready for YAML or JSON: what differs from the defaults, and what matters anyway."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from epsilometer.errors import BadQuestion
from epsilometer.mechanisms.naming import WITH_DELTA
from epsilometer.plans.locations import seen_from
from epsilometer.plans.release_kinds import Counts
from epsilometer.tables.bins import EdgeBins, as_bins

if TYPE_CHECKING:
    from fractions import Fraction

    from epsilometer.plans.plan import Plan
    from epsilometer.plans.release_kinds import ReleaseKind
    from epsilometer.tables.bins import Bins

MATTERS: Final = frozenset(
    {"support", "size", "method", "epsilon", "delta", "randomizer", "shuffled"}
)  # always written


def plain_data(plan: Plan, folder: Path = Path()) -> dict[str, Any]:
    """Return a plan as a document; the table is named as seen from the folder that the document will be in.

    >>> from epsilometer.plans.plan import Plan
    >>> plain_data(Plan(table="a.csv", quasi_identifiers=("age",), sensitive=("job",)))["release"]
    {'kind': 'counts', 'mechanism': 'laplace', 'epsilon': 1.0, 'adjacency': 'add-remove', 'support': 'declared'}
    """
    if not isinstance(plan.table, str | Path):
        raise BadQuestion(f"A plan can be written for a file or a database, not for a {type(plan.table).__name__}.")
    return _present(
        {
            "table": seen_from(folder, str(plan.table)),
            "dataset": plan.dataset,
            "quasi_identifiers": list(plan.quasi_identifiers),
            "sensitive": list(plan.sensitive),
            "unit": _unit(plan),
            "types": dict(plan.types),
            "bins": {column: _bins(as_bins(column, bins)) for column, bins in plan.bins.items()},
            "where": plan.where,
            "missing": list(plan.missing),
            "release": _release(plan.release),
            "domain": {column: _domain(declared) for column, declared in plan.domain.items()},
            "targets": _present({"max_risk": plan.max_risk, "max_loss": plan.max_loss}),
        }
    )


def _unit(plan: Plan) -> str | dict[str, Any] | None:
    if plan.person_id is not None:
        return {"person_id": plan.person_id}
    return plan.unit if plan.rows_per_person is None else {"rows_per_person": plan.rows_per_person}


def _release(release: ReleaseKind) -> dict[str, Any]:
    written: dict[str, Any] = {"kind": release.kind}
    if isinstance(release, Counts):
        written |= _noise(release)
    for setting in fields(release):
        value = getattr(release, setting.name)
        if setting.name not in {"mechanism", "tables"} and (value != setting.default or setting.name in MATTERS):
            written[setting.name] = list(value) if isinstance(value, tuple) else value
    if isinstance(release, Counts):
        written["tables"] = [{"columns": list(table.columns), "weight": table.weight} for table in release.tables]
    return _present(written)


def _noise(counts: Counts) -> dict[str, Any]:
    mechanism = counts.mechanism
    described = mechanism.describe()
    return {
        "mechanism": mechanism.name,
        "epsilon": list(mechanism.epsilon) if isinstance(mechanism.epsilon, tuple) else mechanism.epsilon,
        "delta": mechanism.delta if mechanism.name in WITH_DELTA else None,
        "calibration": described.get("calibration"),
        "adjacency": mechanism.adjacency.value,
        "threshold": mechanism.threshold if mechanism.threshold != Counts().mechanism.threshold else None,
    }


def _bins(bins: Bins) -> dict[str, Any]:
    closed = bins.closed if bins.closed != "left" else None
    if isinstance(bins, EdgeBins):
        return _present({"edges": [_decimal(edge) for edge in bins.edges], "closed": closed})
    numbers = {"width": bins.width, "origin": bins.origin or None, "bottom": bins.bottom, "top": bins.top}
    shown = {name: None if number is None else _decimal(number) for name, number in numbers.items()}
    return _present({**shown, "closed": closed})


def _decimal(number: Fraction) -> int | float | str:
    """Return a number that is read back as the same fraction."""
    if number.denominator == 1:
        return int(number)
    return float(number) if type(number)(repr(float(number))) == number else str(number)


def _domain(declared: object) -> object:
    if isinstance(declared, Mapping):
        written = {
            key: declared[key] for key in ("low", "high", "values", "bins", "missing", "other") if key in declared
        }
        return {**written, "values": _values(written["values"])} if "values" in written else written
    if isinstance(declared, tuple) and len(declared) == 2 and not any(isinstance(end, str) for end in declared):  # noqa: PLR2004
        return {"low": declared[0], "high": declared[1]}
    return _values(declared)


def _values(listed: object) -> list[str | None]:
    """Return values as texts; what they mean is decided by the type of their column."""
    if not isinstance(listed, Iterable) or isinstance(listed, str):
        raise BadQuestion(f"A domain is a list of values or (low, high), not {listed!r}.")
    return [None if value is None else str(value) for value in listed]


def _present(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value not in (None, [], {})}
