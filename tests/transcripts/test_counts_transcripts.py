"""Counts of two files that differ by one person, with the same answers of chance, show the same."""

import pytest
from plans_to_run import COUNTS, PAIRS, planned

from epsilometer.releases.transcripts.check import check_transcripts


@pytest.mark.parametrize("changes", COUNTS.values(), ids=COUNTS)
def test_counts(sources, changes):
    found = check_transcripts(planned(sources["t.csv"], **changes), pairs=PAIRS)
    assert (found.outcome, found.told, found.n_pairs) == ("published", (), PAIRS)
