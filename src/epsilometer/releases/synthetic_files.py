"""A synthetic table with a record of what it cost beside it, and if asked for, the rows that an audit needs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from epsilometer.assessments.synthetic.splitting import split_off
from epsilometer.assessments.synthetic.synthesize import delta_paid, of_itself, synthesize
from epsilometer.releases.appearing import publish, void_on_error
from epsilometer.releases.entering import dataset_name, entered
from epsilometer.releases.ledger import open_ledger
from epsilometer.report.delimited import as_file
from epsilometer.report.documents import as_document
from epsilometer.report.files import check_free
from epsilometer.synthesizers.budget import Budget
from epsilometer.tables.opening import open_table
from epsilometer.vocabulary.privacy_loss import PrivacyLoss
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa

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
    opened_table = open_table(table, missing)
    columns, known = settings["columns"] or opened_table.columns, _columns_known(settings, missing)
    settings = {**settings, "delta": delta_paid(settings["method"], settings["delta"], columns, known)}
    budget = Budget(settings["epsilon"], settings["delta"])
    parts = () if hold_out is None else ("training", "holdout")
    beside = (out.with_name(f"{out.name}.json"), *(out.with_name(f"{out.stem}.{part}{out.suffix}") for part in parts))
    for path in (out, *beside):
        check_free(path, overwrite=overwrite, source=table)
    split: tuple[pa.Table, ...] = ()
    source: object = table
    if hold_out is not None:
        split = split_off(table, hold_out, columns=settings["columns"], where=where, missing=missing)
        source, where = split[0], None  # the filter has done its work
    what = f"a synthetic table by {settings['method']}"
    with open_ledger(ledger) as opened:
        entry = entered(
            opened,
            table,
            dataset=dataset_name(table, opened_table.name, dataset),
            kind="synthetic",
            plan={name: value for name, value in settings.items() if name != "public_table"},
            looks=[PrivacyLoss(what=what, noise="any", epsilon=budget.epsilon, delta=budget.delta)],
            output=out,
        )
        with void_on_error(opened, entry):
            made = synthesize(source, **settings, where=where, missing=missing, tell=tell)
            if split:  # it was made from another table than the one that was named
                made = replace(made, caveats=(*made.caveats, *of_itself(table, settings["public_table"])))
            contents = [
                as_document(made.to_dict()).encode(),
                *(as_file(rows, out.suffix) for rows in (*split, made.rows)),
            ]
        publish(opened, entry, dict(zip((*beside, out), contents, strict=True)), overwrite=overwrite)
    return SyntheticFiles(made, beside)


def _columns_known(settings: Mapping[str, Any], missing: Sequence[str]) -> tuple[str, ...]:
    """Return the columns whose domains need not be found."""
    public = settings["public_table"]
    return (*settings["domain"], *(() if public is None else open_table(public, missing).columns))
