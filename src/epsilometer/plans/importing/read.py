"""Read a description of a table, whichever tool it was kept for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.errors import BadPlan
from epsilometer.plans.importing.imported import EXPECTED
from epsilometer.plans.importing.sdv import from_sdv, is_sdv
from epsilometer.plans.importing.smartnoise import from_smartnoise
from epsilometer.plans.reading import read_source

if TYPE_CHECKING:
    from pathlib import Path

    from epsilometer.plans.importing.imported import Imported


def read_metadata(path: str | Path, only: str | None = None) -> Imported:
    """Read metadata of the Synthetic Data Vault or of SmartNoise; ``only`` names the table if there are several."""
    try:
        source = read_source(path)
    except BadPlan as error:
        raise BadPlan(f"{error} {EXPECTED}") from None
    return from_sdv(source, only) if is_sdv(source) else from_smartnoise(source, only)
