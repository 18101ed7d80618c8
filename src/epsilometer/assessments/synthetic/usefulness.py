"""What an analyst loses by working with the synthetic table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from epsilometer.errors import BadTable, MissingExtra
from epsilometer.utility.association import association_error
from epsilometer.utility.marginal_distances import marginal_distance
from epsilometer.utility.models import model_accuracy
from epsilometer.utility.moments import moment_errors
from epsilometer.utility.propensity import propensity_error
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from epsilometer.tables.records import Records
    from epsilometer.utility.models import ModelAccuracies
    from epsilometer.utility.moments import MomentErrors
    from epsilometer.utility.propensity import PropensityError
    from epsilometer.vocabulary.telling import Tell


@dataclass(frozen=True, slots=True)
class Shares:
    """How far shares of combinations of values are off, as total variation distances.

    Attributes:
        ways: number of columns at a time.
        mean: mean over all sets of columns.
        worst: the largest.
        worst_columns: where it is.
    """

    ways: int
    mean: float
    worst: float
    worst_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Associations:
    """How far the association of two columns is off, as differences of Cramer's V.

    Attributes:
        mean: mean over all pairs of columns.
        worst: the largest.
        worst_pair: where it is.
    """

    mean: float
    worst: float
    worst_pair: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Usefulness:
    """What an analyst loses.

    Attributes:
        marginals: shares of one, two and three columns at a time.
        moments: means and spreads of numeric columns; ``None`` if there is none with values.
        associations: ``None`` for a single column.
        propensity: how well a model tells synthetic from original records; ``None`` without the extra ``synthesis``.
        models: accuracy of models of the sensitive column; ``None`` without one, or if models have no use for it.
        notes: what was left out, and why.
    """

    marginals: tuple[Shares, ...]
    moments: MomentErrors | None
    associations: Associations | None
    propensity: PropensityError | None
    models: ModelAccuracies | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        body = plain(self)
        assert isinstance(body, dict)  # noqa: S101  (a data class becomes a mapping)
        if self.propensity is not None:
            body["propensity"]["ratio"] = self.propensity.ratio
        return body


def usefulness_of(
    original: Records,
    synthetic: Records,
    held_out: Records | None,
    target: str | None,
    *,
    seed: int,
    tell: Tell = silent,
) -> Usefulness:
    """Measure all that can be measured, and note what cannot."""
    notes: list[str] = []
    tell("shares", 0.0)
    distances = [marginal_distance(original, synthetic, ways) for ways in range(1, min(3, len(original.columns)) + 1)]
    tell("telling tables apart", 0.3)
    propensity = models = moments = associations = None
    try:
        moments = moment_errors(original, synthetic)
    except BadTable as error:
        notes.append(str(error))
    if len(original.columns) > 1:
        found = association_error(original, synthetic)
        associations = Associations(found.mean, found.worst, found.worst_pair)
    try:
        propensity = propensity_error(original, synthetic, seed=seed)
        tell("training models", 0.5)
        if target is not None:
            models = model_accuracy(original, synthetic, target, held_out, seed=seed)
    except (BadTable, MissingExtra) as error:
        notes.append(str(error))
    return Usefulness(
        marginals=tuple(Shares(part.ways, part.mean, part.worst, part.worst_columns) for part in distances),
        moments=moments,
        associations=associations,
        propensity=propensity,
        models=models,
        notes=tuple(notes),
    )
