"""The result of choosing a parameter for a risk target and an accuracy target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.evidence import interval_of
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.evidence import Estimate, Interval
    from epsilometer.vocabulary.relaxation import Relaxation
    from epsilometer.vocabulary.stretch import Stretch


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TradeOff:
    """Risk and loss at the points that were tried.

    Attributes:
        about: the sensitive attribute, or the cell that was declared.
        points: the parameter, ascending.
        risk: the risk at each point; exact, unless it has an interval.
        loss: the loss at each point, with its interval.
        no_release: how often a guess is right without any release. With a table: the share of its most common value,
            exact. Declared: the largest share that is declared, expected or, for any table, possible at least; for
            the guarantee alone one half, since a coin decides between two values.
        risk_interval: the interval of a risk that is simulated.
    """

    about: str
    points: FloatArray
    risk: FloatArray
    loss: Estimate
    no_release: float
    risk_interval: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "about": self.about,
            "points": plain(self.points),
            "risk": plain(self.risk),
            "risk_interval": plain(self.risk_interval),
            "loss": {"value": plain(self.loss.value), "interval": interval_of(self.loss)},
            "no_release": self.no_release,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequences:
    """What the recommended point means; of several attributes, the worst.

    Attributes:
        risk: the risk that the target is about; exact.
        loss: the upper end of the interval of the loss.
        any_table: share of people disclosed in the worst table there could be; exact.
        own_record: how much better than a coin anyone can tell which of two values a person has, from the part that
            person's own record plays; exact.
        count_error: expected distance of a published count from the true one: the mean over the counts of the
            table, or for a declared cell that of a count as large as the mean cell; exact.
    """

    risk: float
    loss: float
    any_table: float
    own_record: float
    count_error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleConsequences:
    """What a sample of the recommended size means; of several attributes, the worst.

    Attributes:
        risk: how often an attacker names a random person's value right; for more than two values the upper end of
            its interval.
        loss: the upper end of the interval of the loss.
        no_release: how often the most common value of all is right, without any release; exact.
        raw: how often the most common value of the person's cell is right, with the table itself; exact.
        in_sample: probability that a person's own row is in the sample, as it is; exact.
    """

    risk: float
    loss: float
    no_release: float
    raw: float
    in_sample: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice(Shown):
    """Which parameter meets both targets, and where none does, why not and what the cheapest changes are.

    Attributes:
        parameter: what was chosen: ``"epsilon"`` or ``"threshold"``, or ``"size"`` for the rows of a sample.
        looked_at_the_data: whether a table was looked at; if so, the choice itself tells a little about it.
        based_on: what was used: the table and its roles, or the public numbers that were declared.
        max_risk: largest risk that is acceptable. With a table: for counts the share of people disclosed, for a
            sample the share of people whose value an attacker names.
        max_loss: largest mean total variation distance that may be lost.
        stretches: every stretch of the parameter that meets both; empty if none does.
        risk_stretches: every stretch that meets the risk target; certified, except for a sample, where it joins
            neighbouring sizes that were evaluated.
        loss_stretches: every stretch that meets the accuracy target at the worse end of its interval.
        recommended: of the points that were found to meet both the smallest epsilon or size, or the threshold of least
            risk; ``None`` if none does.
        consequences: what the recommended point means; ``None`` if there is none.
        binding: what sets the ends of the stretch of the recommended point, or what rules everything out.
        certificate: where nothing is feasible, what rules out what, with numbers; otherwise empty.
        relaxations: where nothing is feasible, the cheapest single change of each kind, cheapest first.
        in_words: the answer in words.
        mechanism: the noise, or the sample: its size and the number of rows that it is drawn from.
        curves: risk and loss at the points tried, one for each sensitive attribute.
        caveats: what to keep in mind; the warnings first.
        warnings: what a real release does otherwise than what was chosen for, to be read right after the answer.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "choice"

    parameter: str
    looked_at_the_data: bool
    based_on: Mapping[str, Any]
    max_risk: float
    max_loss: float
    stretches: tuple[Stretch, ...]
    risk_stretches: tuple[Stretch, ...]
    loss_stretches: tuple[Stretch, ...]
    recommended: float | None
    consequences: Consequences | SampleConsequences | None
    binding: str
    certificate: str
    relaxations: tuple[Relaxation, ...]
    in_words: str
    mechanism: Mapping[str, Any]
    curves: tuple[TradeOff, ...]
    caveats: tuple[str, ...]
    warnings: tuple[str, ...] = ()

    @property
    def confidential(self) -> bool:
        """Whether something in it was computed from the table itself."""
        return self.looked_at_the_data

    @property
    def measure(self) -> str:
        """What the risk target is about: people ``"named"`` or ``"disclosed"``, or a measure of declared numbers."""
        if self.parameter == "size":
            return "named"
        return "disclosed" if self.looked_at_the_data else str(self.based_on["risk"])

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": self.looked_at_the_data,
            "looked_at_the_data": self.looked_at_the_data,
            "answer": self.in_words,
            "parameter": self.parameter,
            "based_on": plain(self.based_on),
            "max_risk": self.max_risk,
            "max_loss": self.max_loss,
            "stretches": [stretch.to_dict() for stretch in self.stretches],
            "risk_stretches": [stretch.to_dict() for stretch in self.risk_stretches],
            "loss_stretches": [stretch.to_dict() for stretch in self.loss_stretches],
            "recommended": self.recommended,
            "consequences": plain(self.consequences),
            "binding": self.binding,
            "certificate": self.certificate,
            "relaxations": [relaxation.to_dict() for relaxation in self.relaxations],
            "mechanism": plain(self.mechanism),
            "curves": [curve.to_dict() for curve in self.curves],
            "caveats": list(self.caveats),
        }

    def plot(self) -> alt.VConcatChart:
        """Draw risk and loss over the parameter, with the targets and the point that is recommended."""
        from epsilometer.charts.choice import draw_choice

        return draw_choice(self)
