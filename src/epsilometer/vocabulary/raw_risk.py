"""The result for a table that is published as it is: what k, l, t and their relatives say of it.

Every number is exact. What a measure means and which way it points is part of its type.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, get_type_hints

from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential

if TYPE_CHECKING:
    from collections.abc import Iterator

    import altair as alt
    import pandas as pd

    from epsilometer.vocabulary.source import Source


class Measure(NamedTuple):
    """What a number says, and whether more of it is good news."""

    meaning: str
    direction: Literal["larger is safer", "larger is riskier"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Anonymity:
    """(alpha, k)-anonymity."""

    k: Annotated[int, Measure("records in the smallest cell", "larger is safer")]
    alpha: Annotated[float, Measure("largest share of one sensitive value in a cell", "larger is riskier")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diversity:
    """l-diversity in three readings, and the cells without any.

    ``recursive_c`` belongs to ``recursive_l``: the distinct l, or 2 where that is 1 and promises nothing.
    """

    distinct_l: Annotated[int, Measure("sensitive values in the poorest cell", "larger is safer")]
    entropy_l: Annotated[
        float, Measure("equally frequent values as uncertain as the least uncertain cell", "larger is safer")
    ]
    recursive_c: Annotated[
        float,
        Measure(
            "most frequent value against the l-th and rarer ones in the worst cell; "
            "unbounded when a cell has fewer than l values",
            "larger is riskier",
        ),
    ]
    recursive_l: int
    homogeneous_cells: Annotated[int, Measure("cells with one sensitive value", "larger is riskier")]
    homogeneous_records: Annotated[int, Measure("records in such cells", "larger is riskier")]
    homogeneous_share: Annotated[float, Measure("share of the records in such cells", "larger is riskier")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Closeness:
    """t-closeness."""

    equal_distance: Annotated[
        float,
        Measure("largest total variation distance between a cell and the table", "larger is riskier"),
    ]
    ordered_distance: Annotated[
        float,
        Measure(
            "largest earth mover's distance between a cell and the table, values in column order",
            "larger is riskier",
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """beta-likeness and delta-disclosure privacy."""

    basic_beta: Annotated[
        float, Measure("largest relative gain of belief in a value from table to cell", "larger is riskier")
    ]
    enhanced_beta: Annotated[
        float,
        Measure(
            "the same, with each gain also within minus the logarithm of the value's share; unbounded when one is not",
            "larger is riskier",
        ),
    ]
    delta_disclosure: Annotated[
        float,
        Measure(
            "largest change of belief in a value, up or down, in natural logarithms; "
            "unbounded when a cell lacks a value of the table",
            "larger is riskier",
        ),
    ]
    delta_disclosure_present: Annotated[
        float, Measure("the same over the values that each cell has", "larger is riskier")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reidentification:
    """Which record is the target's? ``threshold`` is the one of ``share_above_threshold``."""

    unique_records: Annotated[int, Measure("records alone in their cell", "larger is riskier")]
    unique_share: Annotated[float, Measure("share of the records alone in their cell", "larger is riskier")]
    prosecutor_largest: Annotated[
        float,
        Measure("chance to pick out the most exposed person, known to be in the table", "larger is riskier"),
    ]
    prosecutor_mean: Annotated[
        float, Measure("chance to pick out a random person, known to be in the table", "larger is riskier")
    ]
    share_above_threshold: Annotated[
        float,
        Measure("share of the records picked out with more than the threshold probability", "larger is riskier"),
    ]
    threshold: float
    journalist_largest: Annotated[
        float,
        Measure("chance to pick out the most exposed person, not known to be in the table", "larger is riskier"),
    ]
    marketer: Annotated[float, Measure("expected share of the records re-identified", "larger is riskier")]
    prior: Annotated[float, Measure("Bayes vulnerability of the identity without the table", "larger is riskier")]
    posterior: Annotated[float, Measure("Bayes vulnerability of the identity with the table", "larger is riskier")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """Which sensitive value has the target?"""

    prior: Annotated[
        float, Measure("Bayes vulnerability of the sensitive value without the table", "larger is riskier")
    ]
    posterior: Annotated[
        float, Measure("Bayes vulnerability of the sensitive value with the table", "larger is riskier")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRisk(Confidential):
    """What an attacker who knows the quasi-identifiers learns from the unprotected table."""

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "raw-risk"
    n_records: int
    n_cells: int
    n_values: int
    anonymity: Anonymity
    diversity: Diversity
    closeness: Closeness
    likeness: Likeness
    reidentification: Reidentification
    inference: Inference
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]
    source: tuple[Source, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; an unbounded measure is ``None``."""
        head = {"schema": self.schema, "kind": self.kind, "evidence": Exact.kind}
        return {**head, **{name: plain(value) for name, value in asdict(self).items()}}

    def to_frame(self) -> pd.DataFrame:
        """Return one row per measure: its name, value (infinite if unbounded), meaning and direction."""
        import pandas as pd

        return pd.DataFrame(self._rows(), columns=["measure", "value", "meaning", "direction"])

    def _rows(self) -> Iterator[tuple[str, float, str, str]]:
        for name in ("anonymity", "diversity", "closeness", "likeness", "reidentification", "inference"):
            group = getattr(self, name)
            for field, hint in get_type_hints(type(group), include_extras=True).items():
                for measure in getattr(hint, "__metadata__", ()):  # settings such as a threshold have none
                    yield f"{name}.{field}", float(getattr(group, field)), measure.meaning, measure.direction

    def plot(self) -> alt.LayerChart:
        """Draw the shares of people by what an attacker finds out about them."""
        from epsilometer.charts.raw_risk import draw_raw_risk

        return draw_raw_risk(self)
