"""What can be worked through again, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from epsilometer.reproduction.figure import Figure
    from epsilometer.reproduction.result import Reproduction


class Worked(NamedTuple):
    """A reproduction, and how to make its figures."""

    reproduction: Reproduction
    figures: Callable[[], Iterable[Figure]]


def _homogeneity(data: Path | None) -> Worked:
    from epsilometer.reproduction.homogeneity.experiments import from_files, from_profiles
    from epsilometer.reproduction.homogeneity.figures import all_figures
    from epsilometer.reproduction.homogeneity.reproduce import reproduce_homogeneity

    experiments = from_profiles() if data is None else from_files(data)
    reproduction = reproduce_homogeneity(experiments)
    return Worked(reproduction, lambda: all_figures(experiments, reproduction.confirmations))


def _sampling(_: Path | None) -> Worked:
    from epsilometer.reproduction.sampling.figures import all_figures
    from epsilometer.reproduction.sampling.reproduce import reproduce_sampling

    return Worked(reproduce_sampling(), all_figures)


def _guessing(data: Path | None) -> Worked:
    from epsilometer.reproduction.guessing.experiments import from_counts, from_files
    from epsilometer.reproduction.guessing.figures import all_figures
    from epsilometer.reproduction.guessing.reproduce import reproduce_guessing

    experiments = from_counts() if data is None else from_files(data)
    return Worked(reproduce_guessing(experiments), lambda: all_figures(experiments))


def _synthetic(data: Path | None) -> Worked:
    from epsilometer.reproduction.synthetic.experiments import from_files, from_package
    from epsilometer.reproduction.synthetic.figures import all_figures
    from epsilometer.reproduction.synthetic.reproduce import reproduce_synthetic

    experiments = from_package() if data is None else from_files(data)
    return Worked(reproduce_synthetic(experiments), lambda: all_figures(experiments))


SUBJECTS: Final[dict[str, Callable[[Path | None], Worked]]] = {
    "homogeneity": _homogeneity,
    "sampling": _sampling,
    "guessing": _guessing,
    "synthetic": _synthetic,
}
