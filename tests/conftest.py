"""How properties are tested: anew on every run, and the same examples each time where a run must be repeatable."""

import os

import mpmath
import pytest
from hypothesis import settings

settings.register_profile("explore", deadline=None, max_examples=60)
settings.register_profile("repeatable", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("repeatable" if os.environ.get("CI") else "explore")


@pytest.fixture(autouse=True)
def _fifty_digits():
    """Give every test the same digits: mpmath keeps them for the whole process, whoever set them last."""
    with mpmath.workdps(50):
        yield
