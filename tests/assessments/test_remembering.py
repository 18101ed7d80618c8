"""A bounded memory that many threads ask at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from epsilometer.assessments.exploring.remembering import Remembered


def test_computes_each_key_once_however_many_ask():
    calls, ready = [], threading.Barrier(8)

    def slow_square(x):
        calls.append(x)
        threading.Event().wait(0.02)  # long enough for the others to come
        return x * x

    square = Remembered(slow_square, most=10)

    def ask(i):
        ready.wait()
        return square(i % 2)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == [0, 1] * 4
    assert sorted(calls) == [0, 1]


def test_forgets_what_was_not_asked_for_longest():
    calls = []
    memory = Remembered(lambda x: calls.append(x) or x, most=2)
    for key in (1, 2, 1, 3, 1, 2):
        assert memory(key) == key
    assert calls == [1, 2, 3, 2]
    assert memory.known(3) is None
    assert memory.known(1) == 1


def test_does_not_remember_errors():
    answers = iter([ValueError("not yet"), None])

    def fails_once(_key):
        if (answer := next(answers)) is not None:
            raise answer
        return "done"

    memory = Remembered(fails_once, most=2)
    with pytest.raises(ValueError, match="not yet"):
        memory("key")
    assert memory.known("key") is None
    assert memory("key") == "done"


def test_a_value_under_way_is_not_known_yet():
    started, go_on = threading.Event(), threading.Event()

    def waits(key):
        started.set()
        go_on.wait()
        return key

    memory = Remembered(waits, most=2)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(memory, "key")
        started.wait()
        assert memory.known("key") is None
        go_on.set()
        assert asked.result() == "key"
    assert memory.known("key") == "key"


def test_forgetting_one_that_fails_under_way_leaves_its_successor():
    fail, started = threading.Event(), threading.Event()

    def compute(key):
        if key == "slow" and not started.is_set():
            started.set()
            fail.wait()
            raise ValueError(key)
        return key

    memory = Remembered(compute, most=1)
    with ThreadPoolExecutor(1) as pool:
        failing = pool.submit(memory, "slow")
        started.wait()
        memory("other")  # pushes the slow one out
        memory("slow")
        fail.set()
        with pytest.raises(ValueError, match="slow"):
            failing.result()
    assert memory.known("slow") == "slow"
