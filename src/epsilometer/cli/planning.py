"""Flags that describe a plan, turned into one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.mechanisms import Mechanism
    from epsilometer.plans.plan import Plan


def mechanism_from(
    name: str,
    *,
    epsilon: Sequence[float],
    delta: float | None,
    calibration: str | None,
    adjacency: str,
    threshold: float,
) -> Mechanism:
    """Build the noise that the flags describe."""
    from epsilometer.mechanisms.naming import mechanism_named

    return mechanism_named(
        name,
        epsilon=tuple(epsilon) if len(epsilon) > 1 else epsilon[0],
        delta=delta,
        calibration=calibration,
        adjacency=adjacency,
        threshold=threshold,
    )


def plan_from(
    table: str,
    *,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str],
    person_id: str | None,
    bins: Sequence[str],
    where: str | None,
    missing: Sequence[str],
    mechanism: Mechanism,
    max_risk: float | None = None,
    max_loss: float | None = None,
) -> Plan:
    """Build the plan that the flags describe."""
    from epsilometer.plans.plan import Plan
    from epsilometer.plans.release_kinds import Counts
    from epsilometer.tables.bins import parse_bin

    return Plan(
        table=table,
        quasi_identifiers=tuple(quasi_identifiers),
        sensitive=tuple(sensitive),
        person_id=person_id,
        bins=dict(parse_bin(text) for text in bins),
        where=where,
        missing=tuple(missing),
        release=Counts(mechanism=mechanism),
        max_risk=max_risk,
        max_loss=max_loss,
    )
