"""What an analyst loses by working with the synthetic table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from epsilometer.errors import BadTable, MissingExtra
from epsilometer.utility.association import AssociationError
from epsilometer.utility.compared import compared_codes
from epsilometer.utility.marginal_distances import MOST_WAYS, MarginalDistance
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Usefulness:
    """What an analyst loses.

    Attributes:
        marginals: how far shares of one, two and three columns at a time are off.
        moments: means and spreads of numeric columns; ``None`` if there is none with values.
        associations: how far the association of two columns is off; ``None`` for a single column.
        propensity: how well a model tells synthetic from original records; ``None`` without the extra ``synthesis``.
        models: accuracy of models of the sensitive column; ``None`` without one, or if models have no use for it.
        notes: what was left out, and why.
    """

    marginals: tuple[MarginalDistance, ...]
    moments: MomentErrors | None
    associations: AssociationError | None
    propensity: PropensityError | None
    models: ModelAccuracies | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "marginals": [part.to_dict() for part in self.marginals],
            "moments": plain(self.moments),
            "associations": self.associations and self.associations.to_dict(),
            "propensity": self.propensity and self.propensity.to_dict(),
            "models": plain(self.models),
            "notes": list(self.notes),
        }


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
    compared = compared_codes(original, synthetic)
    n_columns = len(original.columns)
    marginals = tuple(MarginalDistance.of(compared, ways) for ways in range(1, min(MOST_WAYS, n_columns) + 1))
    tell("telling tables apart", 0.3)
    propensity = models = moments = None
    try:
        moments = moment_errors(original, synthetic)
    except BadTable as error:
        notes.append(str(error))
    associations = AssociationError.of(compared) if n_columns > 1 else None
    try:
        propensity = propensity_error(original, synthetic, seed=seed)
        tell("training models", 0.5)
        if target is not None:
            models = model_accuracy(original, synthetic, target, held_out, seed=seed)
    except (BadTable, MissingExtra) as error:
        notes.append(str(error))
    return Usefulness(
        marginals=marginals,
        moments=moments,
        associations=associations,
        propensity=propensity,
        models=models,
        notes=tuple(notes),
    )
