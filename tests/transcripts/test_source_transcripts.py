"""Transcripts over the formats that a table may come in, and of people with several rows."""

import pytest
from plans_to_run import COUNTS, FEW, GAUSSIAN, NOISE, planned

from epsilometer.plans.release_kinds import Counts
from epsilometer.releases.transcripts.check import check_transcripts


@pytest.mark.parametrize("source", ["t.csv.gz", "t.tsv", "t.jsonl", "t.parquet"])
@pytest.mark.parametrize("changes", ["plain", "bins", "filter", "types", "listed"])
def test_sources(sources, source, changes):
    found = check_transcripts(planned(sources[source], **COUNTS[changes]), pairs=FEW, seed=1)
    assert (found.outcome, found.told) == ("published", ())


@pytest.mark.parametrize("mechanism", [NOISE, GAUSSIAN])
def test_people_with_several_rows(sources, mechanism):
    release = Counts(mechanism=mechanism, cells_per_person=2)
    plan = planned(sources["t.parquet"], person_id="who", unit=None, release=release)
    found = check_transcripts(plan, pairs=40)
    assert (found.outcome, found.told) == ("published", ())
