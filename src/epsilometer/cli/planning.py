"""A plan from a plan file, from flags, or from both: the flags are put over the file, and the whole is checked once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from epsilometer.cli.domains import domain_from
from epsilometer.errors import BadQuestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from epsilometer.plans.plan import Plan
    from epsilometer.plans.reading import Source
    from epsilometer.tables.bins import Bins

OF_THE_TABLE: Final = frozenset(
    {"table", "dataset", "quasi_identifiers", "sensitive", "unit", "types", "bins", "where", "missing", "domain"}
)
OF_THE_UNIT: Final = frozenset({"person_id", "rows_per_person"})
TARGETS: Final = frozenset({"max_risk", "max_loss"})
REQUIRED: Final = {"table": "TABLE", "quasi_identifiers": "-q", "sensitive": "-s"}


def planned(flags: Mapping[str, object], *, plan: str | None, write_plan: str | None, overwrite: bool) -> Plan:
    """Return the plan that a command is to work on.

    Args:
        flags: what was given on the command line, by the name that a plan has for it: ``table``, ``bins``,
            ``domain`` and so on as the flags write them, ``max_risk`` and ``max_loss``, ``kind`` for the kind of
            release, and any other name for a setting of the release. ``None`` and ``[]`` were not given.
        plan: the file of ``--plan``.
        write_plan: the file of ``--write-plan``: only checked here, so that bad input writes nothing; call
            :func:`save_plan` when the work is done.
        overwrite: whether that file may be replaced.
    """
    return plan_of(asked(flags, plan=plan), write_plan=write_plan, overwrite=overwrite)


def asked(flags: Mapping[str, object], *, plan: str | None) -> Source:
    """Return the settings of the plan file with the flags put over them, not checked yet."""
    from epsilometer.plans.files import read_settings
    from epsilometer.plans.reading import Source

    source = Source() if plan is None else read_settings(plan)
    settings = _settings({name: value for name, value in flags.items() if value is not None and value != []})
    if settings.get("release", {}).get("kind") not in (None, kind_of(source)):
        source = source.over({"release": None})  # settings of one kind say nothing about another
    return source.over(settings)


def kind_of(source: Source) -> object:
    """Return the kind of release that the settings ask for."""
    release = source.data.get("release")
    return release.get("kind", "counts") if isinstance(release, dict) else "counts"


def plan_of(source: Source, *, write_plan: str | None, overwrite: bool) -> Plan:
    """Check the settings, and return the plan they describe."""
    from epsilometer.plans.validation import plan_from

    lacking = [flag for name, flag in REQUIRED.items() if name not in source.data]
    if lacking and not source.name:
        raise BadQuestion(f"Missing {', '.join(lacking)}. Usage: TABLE -q COLUMN -s COLUMN, or --plan FILE.")
    plan = plan_from(source)
    if write_plan is not None:
        from epsilometer.plans.files import plan_text
        from epsilometer.report.files import check_free

        check_free(Path(write_plan), overwrite=overwrite, source=str(plan.table))
        plan_text(plan)  # so that what cannot be written is said before any work is done
    return plan


def save_plan(plan: Plan, path: str | None, *, overwrite: bool) -> None:
    """Write a plan to the file of ``--write-plan``, if there is one, whole or not at all."""
    if path is None:
        return
    from epsilometer.plans.files import plan_text
    from epsilometer.report.files import write_atomically

    write_atomically(Path(path), plan_text(plan, Path(path).parent).encode(), overwrite=overwrite)
    typer.echo(f"Plan written to {path}.", err=True)


def _each_once(bins: Sequence[tuple[str, Bins]]) -> dict[str, Bins]:
    """Return the bins by column; of two for one column neither is taken silently."""
    found: dict[str, Bins] = {}
    for column, of_column in bins:
        if column in found:
            raise BadQuestion(f"The bins of {column!r} were given twice. Give --bin {column}=… once.")
        found[column] = of_column
    return found


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return flags as the document they stand for."""
    from epsilometer.tables.bins import parse_bin
    from epsilometer.tables.types import parse_types

    settings = {name: value for name, value in given.items() if name in OF_THE_TABLE}
    unit = {name: given[name] for name in OF_THE_UNIT if name in given}
    if "person_id" in unit and "unit" in settings:
        raise BadQuestion("Give --unit row, or the column of --person-id; not both.")
    if unit:
        settings["unit"] = unit
    if "types" in settings:
        settings["types"] = parse_types(settings["types"])
    if "bins" in settings:
        settings["bins"] = _each_once([parse_bin(text) for text in settings["bins"]])
    if "domain" in settings:
        settings["domain"] = domain_from(settings["domain"])
    targets = {name: value for name, value in given.items() if name in TARGETS}
    release = {name: value for name, value in given.items() if name not in OF_THE_TABLE | OF_THE_UNIT | TARGETS}
    if len(epsilons := release.get("epsilon", ())) == 1:
        release["epsilon"] = epsilons[0]
    return settings | ({"targets": targets} if targets else {}) | ({"release": release} if release else {})
