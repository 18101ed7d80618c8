"""Processes that can be killed: see ``zygote.py``."""

import importlib.util
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def zygote_of():
    """Start a process to fork others from, for the functions of a file of this folder."""
    started = {}

    def start(name):
        if name not in started:
            started[name] = load("zygote").Zygote(HERE / f"{name}.py")
        return started[name]

    yield start
    for each in started.values():
        each.close()


@pytest.fixture
def zygote(zygote_of):
    return zygote_of("small_release")
