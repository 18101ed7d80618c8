"""A synthetic table with a record of what it cost beside it, and if asked for, the rows that an audit needs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from epsilometer.assessments.numbers import whole
from epsilometer.assessments.synthetic.domains import public_domain
from epsilometer.assessments.synthetic.splitting import check_share, split_off
from epsilometer.assessments.synthetic.synthesize import (
    MOST_ROWS,
    delta_paid,
    of_itself,
    synthesize,
)
from epsilometer.releases.appearing import failed_on_error, publish, telling_nothing
from epsilometer.releases.entering import dataset_name, entered
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.synthetic import check_without_rows
from epsilometer.report.delimited import as_file
from epsilometer.report.documents import as_document
from epsilometer.report.files import check_free
from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.domain import is_range
from epsilometer.tables.opening import open_table
from epsilometer.vocabulary.privacy_loss import PrivacyLoss
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa

    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.synthetic_table import SyntheticTable
    from epsilometer.vocabulary.telling import Tell


class SyntheticFiles(NamedTuple):
    """A synthetic table, and the files beside it: the record, then the rows it was made from and those kept out."""

    table: SyntheticTable
    beside: tuple[Path, ...]


def synthesize_to(
    out: Path,
    table: str,
    settings: Mapping[str, Any],
    *,
    hold_out: float | None,
    where: str | None,
    missing: Sequence[str],
    dataset: str | None,
    ledger: Path,
    overwrite: bool,
    tell: Tell = silent,
) -> SyntheticFiles:
    """Enter a synthetic table in the ledger, make it, and let it appear with its record.

    Args:
        out: where to write it.
        table: what it is made from.
        settings: arguments of :func:`synthesize`.
        hold_out: share of the rows that are kept out of it, and written beside it together with the others.
        where: row filter.
        missing: words that mark a missing value.
        dataset: what the ledger calls the data; the table's name if not said.
        ledger: file of the ledger.
        overwrite: replace files that exist.
        tell: called with each step and the share of the work that is done.
    """
    ranges = {name: "number" for name, declared in settings["domain"].items() if is_range(declared)}
    opened_table = open_table(table, missing, settings["types"], of_text=ranges)
    columns, known = settings["columns"] or opened_table.columns, _columns_known(settings, missing)
    settings = {**settings, "delta": delta_paid(settings["method"], settings["delta"], columns, known)}
    budget = Budget(settings["epsilon"], settings["delta"])
    parts = () if hold_out is None else ("training", "holdout")
    beside = (out.with_name(f"{out.name}.json"), *(out.with_name(f"{out.stem}.{part}{out.suffix}") for part in parts))
    for path in (out, *beside):
        check_free(path, overwrite=overwrite, source=table)
    _check(opened_table, settings, hold_out, where)
    what = f"a synthetic table by {settings['method']}"
    with open_ledger(ledger) as opened:
        entry = entered(
            opened,
            table,
            opened_table,
            dataset=dataset_name(table, dataset),
            kind="synthetic",
            plan={name: value for name, value in settings.items() if name != "public_table"},
            looks=[PrivacyLoss(what=what, noise="any", epsilon=budget.epsilon, delta=budget.delta)],
            output=out,
        )
        with failed_on_error(opened, entry), telling_nothing():
            made, split = _made(table, settings, hold_out, where=where, missing=missing, tell=tell)
            contents = [
                as_document(made.to_dict()).encode(),
                *(as_file(rows, out.suffix) for rows in (*split, made.rows)),
            ]
        publish(opened, entry, dict(zip((*beside, out), contents, strict=True)), overwrite=overwrite)
    return SyntheticFiles(made, beside)


def _check(table: Table, settings: Mapping[str, Any], hold_out: float | None, where: str | None) -> None:
    """Say what is wrong with the settings, as far as it shows without rows."""
    if hold_out is not None:
        check_share(hold_out)
    if settings["rows"] is not None:
        whole("rows", settings["rows"], 1, MOST_ROWS, hint="It is the number of synthetic rows.")
    public = settings["public_table"]
    of_public = {} if public is None else public_domain(public)
    seen = {name: of_public[name] for name in settings["columns"] or table.columns if name in of_public}
    check_without_rows(table, {**settings, "where": where, "domain": {**seen, **settings["domain"]}})


def _made(
    table: str,
    settings: Mapping[str, Any],
    hold_out: float | None,
    *,
    where: str | None,
    missing: Sequence[str],
    tell: Tell,
) -> tuple[SyntheticTable, tuple[pa.Table, ...]]:
    """Read the rows and make the table, from a part of them if the others are kept out."""
    if hold_out is None:
        return synthesize(table, **settings, where=where, missing=missing, tell=tell), ()
    split = split_off(table, hold_out, columns=settings["columns"], where=where, missing=missing)
    made = synthesize(split[0], **settings, missing=missing, tell=tell)  # the filter has done its work
    # it was made from another table than the one that was named
    return replace(made, caveats=(*made.caveats, *of_itself(table, settings["public_table"]))), split


def _columns_known(settings: Mapping[str, Any], missing: Sequence[str]) -> tuple[str, ...]:
    """Return the columns whose domains need not be found."""
    public = settings["public_table"]
    return (*settings["domain"], *(() if public is None else open_table(public, missing).columns))
