"""Planted leaks: how many copies, of whom, and what is counted."""

import numpy as np
import pytest

from epsilometer.attacks import planted
from epsilometer.attacks.closest import closest_people
from epsilometer.attacks.planted import power, rehearsal
from epsilometer.errors import BadTable, OutOfRange
from epsilometer.vocabulary.share_intervals import clopper_pearson

PEOPLE = np.random.default_rng(1).normal(size=(900, 4))
CLOSEST = closest_people(PEOPLE[:300], PEOPLE[300:600], PEOPLE[600:], norm=2)


@pytest.mark.parametrize(("share", "n_copies"), [(0.0001, 1), (0.01, 3), (0.0101, 4), (0.5, 150), (1.0, 300)])
def test_a_share_of_the_records_is_copied_rounded_up(share, n_copies):
    copied = planted._with_copies(CLOSEST, share, np.random.default_rng(1))
    hits = copied.distance == 0
    assert hits.sum() == n_copies
    own = np.isin(copied.record, np.flatnonzero(hits))
    assert len(np.unique(copied.place[own])) == n_copies  # nobody twice
    assert (copied.n_training[copied.place[own]] == 1).all()


def test_few_people_are_copied_more_than_once():
    few = closest_people(PEOPLE[:2], PEOPLE[300:600], PEOPLE[600:], norm=2)
    assert (planted._with_copies(few, 1.0, np.random.default_rng(1)).distance == 0).all()


def test_more_copies_are_found_more_often():
    found = [power(CLOSEST, seed=1, share=share, n_runs=30) for share in (0.004, 0.01, 0.03)]
    assert [result.found.value for result in found] == sorted(result.found.value for result in found)
    assert found[0].found.value < 0.5
    assert found[-1].found == clopper_pearson(30, 30)
    assert (found[1].share, found[1].n_runs, found[1].seed) == (0.01, 30, 1)


def test_nothing_is_searched_for_planted_copies(monkeypatch):
    monkeypatch.delattr(planted, "closest_people")
    assert power(CLOSEST, seed=1, share=0.05, n_runs=5).found.value == 1.0


def test_a_rehearsal_is_counted_and_repeatable():
    rehearsed = rehearsal(PEOPLE[:300], PEOPLE[300:], 2, seed=4, share=0.05, n_runs=10)
    assert rehearsed.planted.found == clopper_pearson(10, 10)
    assert rehearsed.false_alarms.value <= 0.3
    assert rehearsal(PEOPLE[:300], PEOPLE[300:], 2, seed=4, share=0.05, n_runs=10) == rehearsed


def test_a_rehearsal_gives_an_alarm_if_those_who_pose_are_no_strangers(monkeypatch):
    """Were the table training people, each run would be an alarm: alarms are counted where they belong."""
    search = planted.closest_people
    monkeypatch.setattr(planted, "closest_people", lambda t, h, d, norm: search(t, h, t[: len(d)], norm))
    assert rehearsal(PEOPLE[:300], PEOPLE[300:], 2, seed=4, n_runs=5).false_alarms == clopper_pearson(5, 5)


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1, float("nan")])
def test_a_share_is_a_share(share):
    with pytest.raises(OutOfRange, match=r"share must be in \(0, 1\], got .* It is a part of the records of the table"):
        power(CLOSEST, seed=1, share=share)


def test_one_person_held_out_is_not_enough():
    with pytest.raises(BadTable, match="Only one person was held out, who cannot pose as a table and be held out"):
        rehearsal([[0.0], [1.0]], [[2.0]], 2, seed=1)
    assert rehearsal([[0.0], [1.0]], [[2.0], [3.0]], 2, seed=1, n_runs=2).false_alarms.value == 0
