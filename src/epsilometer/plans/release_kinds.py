"""The kinds of release that a plan may ask for, each with its own settings."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeAlias

from epsilometer.errors import BadQuestion, OutOfRange, UnknownChoice
from epsilometer.mechanisms import Laplace, Mechanism
from epsilometer.synthesizers.registry import BUILT_IN, method_names

SUPPORTS: Final = ("declared", "thresholded")
SPLITS: Final = ("weights", "optimised")
POST_PROCESSING: Final = ("non-negative", "whole", "totals")
RANDOMIZERS: Final = ("response", "unary", "exponential", "laplace", "gaussian")


@dataclass(frozen=True, kw_only=True)
class CountsOf:
    """One published table of counts.

    Attributes:
        columns: the columns it counts the combinations of.
        weight: its part of the budget, relative to the other tables'.
    """

    columns: tuple[str, ...]
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not self.columns:
            raise BadQuestion("A table of counts needs columns. Name at least one.")
        if not 0 < self.weight < math.inf:
            raise OutOfRange("weight", self.weight, "(0, inf)", hint="It is a part of the budget.")


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Counts with noise.

    Attributes:
        mechanism: the noise and its guarantee for everything that is published, all tables together; with several
            epsilons an assessment speaks of each.
        support: ``"declared"`` publishes every combination of the declared domain, empty ones too; ``"thresholded"``
            publishes the combinations that occur and whose noisy count is high enough.
        support_delta: for thresholded support, the chance that a combination is listed because of one person.
        tables: what is counted; none stands for one table of all columns with a role.
        split: how the budget is split over several tables: by their weights, or so that the mean square error of
            all their counts together is smallest.
        cells_per_person: the most counts of a table that one person may add to; further ones are left out.
        post_processing: what is done to the noisy counts afterwards: ``"non-negative"``, ``"whole"``, ``"totals"``.
    """

    kind: ClassVar[str] = "counts"

    mechanism: Mechanism = field(default_factory=lambda: Laplace(epsilon=1.0))
    support: str = "declared"
    support_delta: float | None = None
    tables: tuple[CountsOf, ...] = ()
    split: str = "weights"
    cells_per_person: int = 1
    post_processing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _one_of("support", self.support, SUPPORTS)
        _one_of("split", self.split, SPLITS)
        for step in self.post_processing:
            _one_of("post-processing", step, POST_PROCESSING)
        self._check_support_delta()
        if self.cells_per_person < 1:
            raise OutOfRange("cells_per_person", self.cells_per_person, "[1, inf)", hint="It is a number of counts.")

    def _check_support_delta(self) -> None:
        if self.support != "thresholded":
            if self.support_delta is not None:
                raise BadQuestion(
                    f"support_delta goes with thresholded support only, got {self.support_delta:g} with {self.support} "
                    "support. Leave it out."
                )
        elif self.support_delta is None:
            raise BadQuestion(
                "Thresholded support needs support_delta (--support-delta), the chance that one person makes a count "
                "listed, such as 1e-6."
            )
        elif not 0 < self.support_delta < 1:
            raise OutOfRange("support_delta", self.support_delta, "(0, 1)", hint="It is a chance below 1 / people.")


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A random sample of the rows, their columns with a role only.

    Attributes:
        size: number of rows.
        strata: columns in whose combinations the same part is drawn; none for a simple random sample.
    """

    kind: ClassVar[str] = "sample"

    size: int
    strata: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _at_least_one("size", self.size, "It is a number of rows.")


@dataclass(frozen=True, kw_only=True)
class Synthetic:
    """A synthetic table made under differential privacy.

    Attributes:
        method: what makes it.
        epsilon: privacy parameter.
        delta: chance that the guarantee fails; spent only by what needs one.
        columns: columns it has; none stands for those with a role.
        rows: number of rows; ``None`` for about as many as the table has.
        n_bins: number of bins of a numeric column.
    """

    kind: ClassVar[str] = "synthetic"

    method: str = "mst"
    epsilon: float = 1.0
    delta: float = 1e-6
    columns: tuple[str, ...] = ()
    rows: int | None = None
    n_bins: int = 20

    def __post_init__(self) -> None:
        if self.method not in BUILT_IN:  # those of other packages are looked for only if it is one of them
            _one_of("method", self.method, method_names())
        _positive_epsilon(self.epsilon)
        if not 0 <= self.delta < 1:
            raise OutOfRange("delta", self.delta, "[0, 1)", hint="Far below one over the number of people is usual.")
        if self.rows is not None:
            _at_least_one("rows", self.rows, "Leave it out for about as many as the table has.")
        _at_least_one("n_bins", self.n_bins, "It is a number of bins.")


@dataclass(frozen=True, kw_only=True)
class Local:
    """Reports of the sensitive column, each randomised by the person it is about.

    Attributes:
        randomizer: what each person does: ``"response"``, ``"unary"``, ``"exponential"``, ``"laplace"`` or
            ``"gaussian"``.
        epsilon: privacy parameter of each report.
        delta: for Gaussian noise, the chance that the guarantee fails.
        shuffled: whether the reports are put into a random order.
    """

    kind: ClassVar[str] = "local"

    randomizer: str = "response"
    epsilon: float = 1.0
    delta: float | None = None
    shuffled: bool = True

    def __post_init__(self) -> None:
        _one_of("randomizer", self.randomizer, RANDOMIZERS)
        _positive_epsilon(self.epsilon)
        if (self.randomizer == "gaussian") != (self.delta is not None):
            raise BadQuestion("delta goes with the gaussian randomizer, and only with it.")
        if self.delta is not None and not 0 < self.delta < 1:
            raise OutOfRange("delta", self.delta, "(0, 1)", hint="It is the probability that epsilon fails.")


@dataclass(frozen=True, kw_only=True)
class Raw:
    """The rows as they are: what every other kind is compared with. It can be assessed, never released."""

    kind: ClassVar[str] = "raw"


ReleaseKind: TypeAlias = Counts | Sample | Synthetic | Local | Raw
KINDS: Final = tuple(kind.kind for kind in (Counts, Sample, Synthetic, Local, Raw))


def _one_of(name: str, given: str, allowed: tuple[str, ...]) -> None:
    if given not in allowed:
        raise UnknownChoice(name, given, allowed)


def _at_least_one(name: str, given: int, hint: str) -> None:
    if given < 1:
        raise OutOfRange(name, given, "[1, inf)", hint=hint)


def _positive_epsilon(given: float) -> None:
    if not 0 < given < math.inf:
        raise OutOfRange("epsilon", given, "(0, inf)", hint="A smaller epsilon means more noise.")
