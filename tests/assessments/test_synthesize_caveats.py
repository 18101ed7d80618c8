"""What a synthetic table says to keep in mind depends on how it came about."""

from typing import ClassVar, NamedTuple

import numpy as np
import pandas as pd
import pytest

import epsilometer as em
from epsilometer.assessments.synthetic import synthesize as synthesize_module
from epsilometer.synthesizers.adapters import UNCHECKED
from epsilometer.vocabulary.spending import Spending

PEOPLE = pd.DataFrame({"age": [20, 30, 40], "sex": ["f", "m", "f"]})
DOMAIN = {"age": (0, 90), "sex": ["f", "m"]}


class FirstRecord(NamedTuple):
    """A model whose records are all the first."""

    codes: np.ndarray
    spent: tuple[Spending, ...]
    n_records: int = 3

    def sample(self, n, _rng):
        return np.repeat(self.codes[:1], n, axis=0)


class Stated:
    """A method of another package: its guarantee is what it states."""

    name: ClassVar[str] = "stated"
    summary: ClassVar[str] = "all records like the first"
    needs_delta: ClassVar[bool] = False

    def fit(self, table, budget, noise):
        return FirstRecord(table.codes, (Spending("training", budget.epsilon, noise=UNCHECKED),))


def test_a_guarantee_of_another_package_is_not_to_be_relied_on(monkeypatch):
    monkeypatch.setattr(synthesize_module, "synthesizer", lambda *_: Stated())
    found = em.synthesize(PEOPLE, columns=["sex"], domain={"sex": ["f", "m"]})
    assert found.spent == (Spending("training", 1.0, 0.0, UNCHECKED),)
    assert any("It was not checked here" in caveat for caveat in found.caveats)


@pytest.mark.parametrize(("columns", "said"), [(["age", "sex"], True), (["sex"], False)], ids=["numbers", "words"])
def test_numbers_are_said_to_be_drawn_from_bins(columns, said):
    domain = {name: DOMAIN[name] for name in columns}
    found = em.synthesize(PEOPLE, method="contingency", columns=columns, domain=domain)
    assert any("drawn evenly from their bins" in caveat for caveat in found.caveats) is said
    assert not any("It was not checked here" in caveat for caveat in found.caveats)
