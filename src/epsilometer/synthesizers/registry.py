"""Synthesizers by name: the ones that are here, and those that other packages offer."""

from __future__ import annotations

from importlib import import_module, metadata
from typing import TYPE_CHECKING, Final

from epsilometer.errors import UnknownChoice
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from epsilometer.synthesizers.synthesizer import Synthesizer
    from epsilometer.vocabulary.telling import Tell

GROUP: Final = "epsilometer.synthesizers"  # entry points of other packages: name = "package.module:Class"
BUILT_IN: Final = {
    "mst": "graphical:MstSynthesizer",
    "aim": "graphical:AimSynthesizer",
    "privbayes": "bayes_network:BayesNetworkSynthesizer",
    "jtree": "junction_tree:JunctionTreeSynthesizer",
    "priview": "views:ViewsSynthesizer",
    "dpcopula": "copula:CopulaSynthesizer",
    "contingency": "contingency:ContingencySynthesizer",
    "wavelet": "wavelet:WaveletSynthesizer",
    "dpcube": "partition:PartitionSynthesizer",
    "dpctgan": "adapters:DpCtganSynthesizer",
    "patectgan": "adapters:PateCtganSynthesizer",
}
TELLING: Final = frozenset({"mst", "aim"})  # they take long, and say where they are


def method_names() -> tuple[str, ...]:
    """Return the names of all methods, those of other packages last."""
    return (*BUILT_IN, *sorted(metadata.entry_points(group=GROUP).names - BUILT_IN.keys()))


def synthesizer(name: str, tell: Tell = silent) -> Synthesizer:
    """Return the method of this name; another package cannot take the name of one that is here.

    >>> synthesizer("contingency").name
    'contingency'
    """
    if name in BUILT_IN:
        module, _, kind = BUILT_IN[name].partition(":")
        method = getattr(import_module(f"epsilometer.synthesizers.{module}"), kind)
        return method(tell) if name in TELLING else method()
    for offered in metadata.entry_points(group=GROUP, name=name):
        return offered.load()()
    raise UnknownChoice("method", name, method_names())
