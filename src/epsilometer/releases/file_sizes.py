"""How many rows a published table of counts will have, next to how many people it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from epsilometer.publication.counts import TrueCounts
    from epsilometer.publication.settling import SettledTable


class FileSize(NamedTuple):
    """What is known of a file before it is made; confidential.

    Attributes:
        columns: the columns whose combinations it counts.
        rows: the number of combinations that are declared, each a row.
        empty: how many of them nobody has.
        counted: the people counted; one who counts in several cells, as often.
    """

    columns: tuple[str, ...]
    rows: int
    empty: int
    counted: int

    @property
    def in_words(self) -> str:
        """Rows and people, side by side.

        >>> FileSize(("sex", "job"), rows=6, empty=2, counted=40).in_words
        'The file of sex, job will have 6 rows, one for each declared combination, and counts 40 people.'
        """
        return (
            f"The file of {', '.join(self.columns)} will have {self.rows:,} rows, one for each declared combination, "
            f"and counts {self.counted:,} people."
        )

    @property
    def warnings(self) -> Iterator[str]:
        """What noise does to a file that is mostly empty.

        >>> [*FileSize(("sex", "job"), rows=6, empty=2, counted=40).warnings]
        []
        """
        if self.empty > self.counted:
            yield (
                f"{self.empty:,} of the {self.rows:,} combinations of {', '.join(self.columns)} are empty, more than "
                f"the {self.counted:,} people counted. Noise below zero is cut to zero, so that counts pile up in "
                "them: the file can show far too many people, and lose much more than was assessed. What helps, unless "
                "the release has it: fewer or coarser columns, a threshold, thresholded support, or the "
                "post-processing non-negative, which keeps the total."
            )


def file_sizes(tables: Iterable[SettledTable], counted: Sequence[TrueCounts]) -> tuple[FileSize, ...]:
    """Return the size of each table with declared support; that of others is decided by the noise."""
    return tuple(
        FileSize(table.columns, each.dense.size, int((each.dense == 0).sum()), int(each.dense.sum()))
        for table, each in zip(tables, counted, strict=True)
        if each.dense is not None
    )
