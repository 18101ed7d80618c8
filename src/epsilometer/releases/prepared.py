"""What a release is before and after it is made; the ledger is entered in between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pyarrow as pa

    from epsilometer.assessments.joint import NoisyTable
    from epsilometer.releases.file_sizes import FileSize
    from epsilometer.vocabulary.local_release import LocalRelease
    from epsilometer.vocabulary.passport import MechanismUsed, Protection, Support
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss
    from epsilometer.vocabulary.synthetic_table import SyntheticTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Made:
    """Protected rows.

    Attributes:
        tables: the rows by a short name of the table; of a single one the name is empty.
        mechanisms: what protects each of them.
        detail: what else is known of a synthetic table or of local reports, all of it public.
    """

    tables: Mapping[str, pa.Table]
    mechanisms: tuple[MechanismUsed, ...]
    detail: LocalRelease | SyntheticTable | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prepared:
    """A release that can be paid for: all of it follows from the plan and from names and types of columns.

    No row has been read, so that nothing here tells anything of one. A sample alone has counted the rows, whose number
    its guarantee does not hide.

    Attributes:
        looks: what it will cost.
        delta: chance of failure at which the guarantee of all looks together is stated.
        protection: whose part it hides.
        make: reads the rows and makes it.
        examine: reads the rows without drawing, for a preview: says how large the files of
            counts over declared domains will be; confidential.
        noisy_tables: the tables of counts that it will show sensitive columns in.
        support: which combinations tables of counts list.
        post_processing: what is done to the protected numbers afterwards.
    """

    looks: tuple[PrivacyLoss, ...]
    delta: float
    protection: Protection
    make: Callable[[], Made]
    examine: Callable[[], tuple[FileSize, ...]] = tuple
    noisy_tables: tuple[NoisyTable, ...] = ()
    support: Support | None = None
    post_processing: tuple[str, ...] = ()
