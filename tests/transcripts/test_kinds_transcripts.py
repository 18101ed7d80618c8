"""Transcripts of samples, reports and synthetic tables."""

import pytest
from plans_to_run import PAIRS, planned

from epsilometer.plans.release_kinds import Local, Sample, Synthetic
from epsilometer.releases.transcripts.check import check_transcripts

OTHERS = {
    "sample": {"release": Sample(size=15)},
    "strata": {"release": Sample(size=15, strata=("sex",)), "where": "sex <> '?'"},
    "response": {"quasi_identifiers": (), "release": Local(randomizer="response", epsilon=1.0)},
    "unary": {"quasi_identifiers": (), "release": Local(randomizer="unary", epsilon=1.0)},
    "in order": {"quasi_identifiers": (), "release": Local(randomizer="response", epsilon=1.0, shuffled=False)},
    "laplace": {"quasi_identifiers": (), "sensitive": ("age",), "release": Local(randomizer="laplace", epsilon=1.0)},
}


@pytest.mark.parametrize("changes", [OTHERS[name] for name in OTHERS if name != "strata"])
@pytest.mark.parametrize("source", ["t.csv", "t.parquet"])
def test_samples_and_reports(sources, source, changes):
    found = check_transcripts(planned(sources[source], **changes), pairs=PAIRS, seed=2)
    assert (found.outcome, found.told) == ("published", ())


METHODS = ("contingency", "privbayes", "jtree", "priview", "dpcopula", "wavelet", "dpcube")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("source", ["t.csv", "t.parquet"])
def test_synthesizers(sources, source, method):
    plan = planned(sources[source], quasi_identifiers=("sex", "age"), release=Synthetic(method=method, epsilon=1.0))
    found = check_transcripts(plan, pairs=PAIRS, seed=3)
    assert (found.outcome, found.told) == ("published", ())


def test_domains_that_are_found_privately(sources):
    release = Synthetic(method="contingency", epsilon=40.0, delta=0.01)
    for source in ("t.csv", "t.parquet"):
        found = check_transcripts(planned(sources[source], domain={}, release=release), pairs=PAIRS, seed=4)
        assert (found.outcome, found.told) == ("published", ())


@pytest.mark.parametrize("method", ["mst", "aim"])
def test_graphical_models(sources, method):
    plan = planned(sources["t.csv"], quasi_identifiers=("sex", "age"), release=Synthetic(method=method, epsilon=1.0))
    found = check_transcripts(plan, pairs=10, seed=5)
    assert (found.outcome, found.told) == ("published", ())
