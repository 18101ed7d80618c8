"""Faults that are planted on the way from the file to the published bytes are found by transcripts."""

import re
from dataclasses import replace
from pathlib import Path

from plans_to_run import DOMAIN, planned

from epsilometer.errors import BadTable
from epsilometer.publication import counts as publishing
from epsilometer.releases import release as releasing
from epsilometer.releases.transcripts.check import check_transcripts
from epsilometer.tables import types
from epsilometer.tables.engine import fetch


def test_a_row_that_is_multiplied_is_found(sources, monkeypatch):
    counted = publishing.count_settled

    def twice(settled):
        return tuple(replace(each, dense=2 * each.dense) for each in counted(settled))

    monkeypatch.setattr("epsilometer.releases.counts.count_settled", twice)
    found = check_transcripts(planned(sources["t.csv"]), pairs=20)
    assert found.told


def test_a_type_that_is_inferred_is_found(sources, monkeypatch):
    with_types = types.with_types

    def inferred(table, declared, *, of_text=None):
        doses = fetch(table.expression.select("dose"))["dose"].to_pylist()
        numbers = all(dose is None or re.fullmatch(r"[0-9.]+", dose) for dose in doses)
        return with_types(table, {**declared, "dose": "number" if numbers else "text"}, of_text=of_text)

    monkeypatch.setattr("epsilometer.tables.opening.with_types", inferred)
    plan = planned(sources["t.csv"], quasi_identifiers=("dose",), domain={**DOMAIN, "dose": ["1", "1.0", "x"]})
    assert check_transcripts(plan, pairs=40).told


def test_a_message_with_a_value_is_found(sources, monkeypatch):
    carry_out = releasing.carry_out

    def telling(plan, **settings):
        if '"x"' in Path(plan.table).read_text(encoding="utf-8"):
            raise BadTable("There is an x.")
        return carry_out(plan, **settings)

    monkeypatch.setattr("epsilometer.releases.transcripts.check.carry_out", telling)
    assert check_transcripts(planned(sources["t.csv"]), pairs=60).told


def test_a_conversion_that_fails_is_found(sources, monkeypatch):
    monkeypatch.setitem(types._CONVERSIONS, "integer", lambda column: column.cast("int64"))
    plan = planned(sources["t.csv"], types={"age": "integer"}, quasi_identifiers=("age",))
    assert check_transcripts(plan, pairs=60).told
