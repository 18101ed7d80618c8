import json
import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from epsilometer.assessments.raw import raw_risk
from epsilometer.errors import OutOfRange
from epsilometer.tables.frequency_table import FrequencyTable

GROUPS = ["anonymity", "diversity", "closeness", "likeness", "reidentification", "inference"]


@pytest.fixture
def risk():
    """Two cells of one value each, and a mixed one: 1 + 3 + 4 records."""
    return raw_risk(FrequencyTable.from_counts([[1, 0], [0, 3], [3, 1]]))


def test_the_table_is_described(risk):
    assert (risk.n_records, risk.n_cells, risk.n_values) == (8, 3, 2)


def test_one_number_has_three_names(risk):
    identity = risk.reidentification
    assert identity.prosecutor_mean == identity.marketer == identity.posterior == 3 / 8


def test_the_journalist_gets_the_prosecutors_risk_and_a_caveat(risk):
    assert risk.reidentification.journalist_largest == risk.reidentification.prosecutor_largest == 1.0
    assert any("journalist" in caveat for caveat in risk.caveats)


def test_recursive_diversity_is_read_at_two_where_one_value_is_all_there_is(risk):
    assert risk.diversity.distinct_l == 1
    assert (risk.diversity.recursive_l, risk.diversity.recursive_c) == (2, math.inf)


def test_recursive_diversity_is_read_at_the_distinct_l_otherwise():
    risk = raw_risk(FrequencyTable.from_counts([[4, 2, 1], [5, 5, 5]]))
    assert (risk.diversity.recursive_l, risk.diversity.recursive_c) == (3, 4.0)


def test_the_threshold_is_the_callers():
    freq = FrequencyTable.from_counts([[1, 0], [0, 3], [3, 1]])
    assert raw_risk(freq, threshold=0.3).reidentification.share_above_threshold == 4 / 8
    assert raw_risk(freq, threshold=0.3).reidentification.threshold == 0.3
    with pytest.raises(OutOfRange, match=r"^threshold must be in \[0, 1\), got 2\."):
        raw_risk(freq, threshold=2)


def test_the_notes_of_the_table_travel_with_the_numbers():
    note = "Missing values count as a value of their own."
    freq = replace(FrequencyTable.from_counts([[1, 1]]), notes=(note,))
    assert raw_risk(freq).caveats[-1] == note


def test_the_works_behind_the_numbers_are_named(risk):
    assert {source.key for source in risk.source} == {
        "AlvimEtAl2020",
        "AlvimEtAl2022",
        "BrickellShmatikov2008",
        "CaoKarras2012",
        "DankarElEmam2010",
        "ElEmamDankar2008",
        "LiLiVenkatasubramanian2007",
        "MachanavajjhalaEtAl2007",
        "Sweeney2000",
        "Sweeney2002",
        "WongEtAl2006",
    }
    assert len(set(risk.source)) == len(risk.source)


def test_the_result_cannot_be_changed(risk):
    with pytest.raises(FrozenInstanceError):
        risk.anonymity.k = 5


def test_the_dictionary_is_strict_json_in_the_common_envelope(risk):
    document = json.loads(json.dumps(risk.to_dict(), allow_nan=False))
    assert document == risk.to_dict()
    assert list(document)[:3] == ["schema", "kind", "evidence"]
    assert (document["schema"], document["kind"]) == ("epsilometer/result/1", "raw-risk")
    assert document["source"][0] == {"key": "Sweeney2002", "locator": "definition of k-anonymity"}


def test_the_dictionary_says_null_for_unbounded_measures(risk):
    document = risk.to_dict()
    assert document["diversity"]["recursive_c"] is None
    assert document["likeness"]["enhanced_beta"] is None
    assert document["likeness"]["delta_disclosure"] is None
    assert document["likeness"]["basic_beta"] == 1.0


def test_the_frame_has_a_row_for_every_measure(risk):
    frame = risk.to_frame()
    settings = {"diversity.recursive_l", "reidentification.threshold"}
    names = {f"{group}.{name}" for group in GROUPS for name in risk.to_dict()[group]} - settings
    assert list(frame.columns) == ["measure", "value", "meaning", "direction"]
    assert frame["measure"].is_unique
    assert set(frame["measure"]) == names
    assert set(frame["direction"]) == {"larger is safer", "larger is riskier"}
    assert frame["meaning"].str.len().min() > 20


def test_the_frame_says_infinity_for_unbounded_measures(risk):
    values = risk.to_frame().set_index("measure")["value"]
    assert values["diversity.recursive_c"] == np.inf
    assert values["anonymity.k"] == 1
