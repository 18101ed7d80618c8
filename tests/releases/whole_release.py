"""A real release of a small table, with everything that belongs to it: what the crash tests of the whole kill."""

from pathlib import Path

import dp_accounting  # noqa: F401  (once, here, instead of in each process that is refused)
import duckdb  # noqa: F401
import ibis  # noqa: F401
import opendp.prelude  # noqa: F401

import epsilometer as em
from epsilometer.releases.release import release as real_release


def release(folder, name="counts.csv", overwrite=""):
    """Publish counts of the folder's table, or finish what an earlier run began."""
    plan = em.Plan(
        table=str(Path(folder, "people.csv")),
        dataset="people",
        quasi_identifiers=("sex",),
        unit="row",
        sensitive=("job",),
        domain={"sex": ["f", "m"], "job": ["cook", "nurse"]},
        release=em.Counts(mechanism=em.Geometric(epsilon=0.5)),
    )
    real_release(plan, out=Path(folder, name), ledger=Path(folder, "ledger.sqlite"), overwrite=bool(overwrite))
