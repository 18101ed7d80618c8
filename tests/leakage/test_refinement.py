"""The order of channels: what is returned proves what is said."""

from types import SimpleNamespace

import numpy as np
import pytest

from epsilometer.errors import NotCertified
from epsilometer.leakage import exact, g, refinement, refinement_order

BLURRED = [[0.75, 0.25], [0.25, 0.75]]
SEEN = [[1, 0], [0, 1]]


def test_the_direction():
    assert refinement(leaky=SEEN, safe=BLURRED)
    assert not refinement(leaky=BLURRED, safe=SEEN)


def test_a_channel_that_holds_comes_with_the_step_between():
    found = refinement(SEEN, exact([["3/4", "1/4"], ["1/4", "3/4"]]))
    assert found.holds
    assert found.gain is None
    assert found.channel == pytest.approx(np.array(BLURRED))


def test_a_channel_that_does_not_comes_with_a_gain():
    found = refinement(BLURRED, SEEN)
    assert not found.holds
    assert found.channel is None
    uniform = [0.5, 0.5]
    assert g.posterior(uniform, SEEN, found.gain) > g.posterior(uniform, BLURRED, found.gain) + 0.1
    assert found.gain.min() >= 0
    assert found.gain.max() <= 1


def test_neither_may_be_safer():
    """Each tells one secret apart from the other two."""
    first, second = [[1, 0], [0, 1], [0, 1]], [[0, 1], [1, 0], [0, 1]]
    assert not refinement(first, second)
    assert not refinement(second, first)


def test_what_cannot_be_proved_is_not_said(monkeypatch):
    monkeypatch.setattr(refinement_order, "STRICTLY_MORE", 1.0)
    with pytest.raises(NotCertified, match=r"^The channels are too close to tell whether safe refines leaky; compare"):
        refinement(BLURRED, SEEN)


def test_a_program_that_fails_is_reported(monkeypatch):
    failed = SimpleNamespace(success=False, message="out of time")
    monkeypatch.setattr(refinement_order, "linprog", lambda *_, **__: failed)
    with pytest.raises(NotCertified, match=r"^The linear program for the refinement failed: out of time$"):
        refinement(BLURRED, SEEN)
