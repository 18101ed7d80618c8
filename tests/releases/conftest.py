"""Processes that can be killed: see ``zygote.py``."""

import importlib.util
import json
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def load_file():
    """Load a file of this folder that is not a test."""
    return load


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


@pytest.fixture
def reference_passport():
    """A passport of counts as a document, from the reference."""

    def made():
        text = HERE.parent.joinpath("reference", "passports.json").read_text(encoding="utf-8")
        return json.loads(text)["counts"]["passport"]

    return made
