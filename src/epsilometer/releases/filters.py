"""The row filter of a release, as far as it can be judged without a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.tables.filter import filtered

if TYPE_CHECKING:
    from epsilometer.tables.table import Table


def check_filter(table: Table, where: str | None) -> None:
    """Refuse a filter that is none, before anything is paid for; the engine is asked, and computes nothing."""
    filtered(table.expression, where)
