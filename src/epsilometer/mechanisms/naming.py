"""Mechanisms by name, for the command line and plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from epsilometer.errors import OutOfRange, UnknownChoice
from epsilometer.mechanisms.discrete_gaussian import DiscreteGaussian
from epsilometer.mechanisms.gaussian import Gaussian
from epsilometer.mechanisms.geometric import Geometric
from epsilometer.mechanisms.laplace import Laplace
from epsilometer.vocabulary.adjacency import Adjacency

if TYPE_CHECKING:
    from epsilometer.mechanisms.mechanism import Mechanism, Parameter

KINDS: Final = {kind.name: kind for kind in (Laplace, Geometric, Gaussian, DiscreteGaussian)}
WITH_DELTA: Final = (Gaussian.name, DiscreteGaussian.name)


def mechanism_named(
    name: str,
    *,
    epsilon: Parameter,
    delta: float | None = None,
    calibration: str | None = None,
    adjacency: str = Adjacency.ADD_REMOVE,
    threshold: float = 0.5,
) -> Mechanism:
    """Build a mechanism from its name; delta goes with the Gaussians only, a calibration with one of them.

    >>> mechanism_named("laplace", epsilon=1.0).scale
    1.0
    """
    if name not in KINDS:
        raise UnknownChoice("mechanism", name, KINDS)
    if delta is None and name in WITH_DELTA:
        raise OutOfRange("delta", delta, "(0, 1)", hint=f"{name} noise needs one, well below 1 / people.")
    if delta is not None and name not in WITH_DELTA:
        raise OutOfRange("delta", delta, "{0}", hint=f"{name} noise has none; leave it out.")
    if calibration is not None and name != Gaussian.name:
        raise UnknownChoice("mechanism", name, [Gaussian.name], hint="Only it has a calibration; leave that out.")
    settings: dict[str, Any] = {"delta": delta, "calibration": calibration}
    given = {setting: value for setting, value in settings.items() if value is not None}
    return KINDS[name](epsilon=epsilon, adjacency=Adjacency(adjacency), threshold=threshold, **given)
