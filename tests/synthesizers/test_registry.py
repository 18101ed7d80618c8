import inspect
import subprocess
import sys
from importlib import metadata

import pytest

from epsilometer.errors import UnknownChoice
from epsilometer.synthesizers import registry

OFFER = """
class Own:
    name, summary, needs_delta = "own", "of another package", False

    def fit(self, table, budget, noise): ...
"""


@pytest.fixture
def offer(tmp_path, monkeypatch):
    """Install a package that offers its class ``Own`` under a name."""

    def install(name):
        package = tmp_path / "other_package.py"
        package.write_text(OFFER)
        info = tmp_path / "other_package-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-package\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[epsilometer.synthesizers]\n{name} = other_package:Own\n")
        monkeypatch.syspath_prepend(tmp_path)

    yield install
    sys.modules.pop("other_package", None)


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_a_method_is_what_its_name_says(name):
    method = registry.synthesizer(name)
    assert method.name == name
    assert method.summary
    assert isinstance(method.needs_delta, bool)
    assert list(inspect.signature(method.fit).parameters) == ["table", "budget", "noise"]


@pytest.mark.parametrize("name", registry.TELLING)
def test_a_method_that_takes_long_is_given_whom_to_tell(name):
    def tell(what, done): ...

    assert registry.synthesizer(name, tell)._tell is tell


def test_other_packages_offer_methods_which_are_loaded_only_when_asked_for(offer):
    offer("own")
    assert registry.method_names()[-1] == "own"
    assert "other_package" not in sys.modules
    assert registry.synthesizer("own").summary == "of another package"


def test_another_package_cannot_take_the_name_of_a_method(offer):
    offer("mst")
    assert registry.synthesizer("mst").summary != "of another package"
    assert registry.method_names().count("mst") == 1


def test_an_unknown_name_is_answered_with_the_list():
    known = ", ".join(registry.method_names())
    with pytest.raises(UnknownChoice, match=f"^method must be one of {known}; got 'mts'\\.$"):
        registry.synthesizer("mts")


def test_nothing_heavy_is_loaded_for_the_names():
    code = "import sys; from epsilometer.synthesizers import registry; registry.method_names(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "jax", "polars", "opendp", "torch", "sklearn"}.intersection(loaded)


def test_entry_points_of_this_project_are_not_needed():
    assert not metadata.entry_points(group=registry.GROUP).select(module="epsilometer")
