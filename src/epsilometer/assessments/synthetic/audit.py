"""Audit a synthetic table: what it gives away about the people it was made from, and what it is good for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from epsilometer.assessments.synthetic.frame import Frame, frame_of
from epsilometer.assessments.synthetic.measures import Roles, people
from epsilometer.assessments.synthetic.proximity import proximity, proximity_of
from epsilometer.assessments.synthetic.proximity_in_parts import PARTS_ONLY, random_part
from epsilometer.assessments.synthetic.usefulness import Usefulness, usefulness_of
from epsilometer.attacks.inference import InferenceRisk, inference_risk
from epsilometer.errors import BadQuestion, BadRoles, OutOfRange
from epsilometer.tables.in_parts import on_a_cluster
from epsilometer.tables.records import Records, check_alike, open_rows, read_records
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential
from epsilometer.vocabulary.telling import silent, within
from epsilometer.vocabulary.wording import percent, percent_at_least

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import altair as alt

    from epsilometer.assessments.synthetic.proximity import Proximity
    from epsilometer.neighbors.encoding import Metric
    from epsilometer.vocabulary.telling import Tell

ERROR_RATE: Final = 0.05
PLANTED: Final = 0.01


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Audit(Confidential):
    """What was found about a synthetic table.

    Attributes:
        proximity: how near its records come to the original ones.
        frame: the same next to people who were held out; ``None`` without a holdout.
        inference: how often the sensitive column is guessed right; ``None`` without roles or holdout.
        usefulness: what an analyst loses.
        in_words: the answer in words.
        caveats: what to keep in mind.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "audit"

    proximity: Proximity
    frame: Frame | None
    inference: InferenceRisk | None
    usefulness: Usefulness
    in_words: str
    caveats: tuple[str, ...]

    @property
    def leak_found(self) -> bool:
        """Whether the leak test, or the excess of guesses over the control, says that the table gives people away."""
        by_distance = self.frame is not None and self.frame.leak.found
        return by_distance or (self.inference is not None and self.inference.best.exceeds_control)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": True,
            "evidence": "exact" if self.frame is None else "estimate",
            "answer": self.in_words,
            "leak_found": self.leak_found,
            "proximity": self.proximity.to_dict(),
            "frame": self.frame and self.frame.to_dict(),
            "inference": plain(self.inference),
            "usefulness": self.usefulness.to_dict(),
            "caveats": list(self.caveats),
        }

    def plot(self) -> alt.LayerChart:
        """Draw the distances, next to those of held-out people where there are some."""
        from epsilometer.charts.distances import draw_audit

        return draw_audit(self)


def audit(
    original: object,
    synthetic: object,
    *,
    holdout: object = None,
    quasi_identifiers: Sequence[str] = (),
    sensitive: str | None = None,
    columns: Sequence[str] = (),
    metric: Metric | None = None,
    radius: float | None = None,
    attackers: Sequence[str] = ("look-up",),
    error_rate: float = ERROR_RATE,
    planted_share: float = PLANTED,
    seed: int = 0,
    missing: Iterable[str] = (),
    types: Mapping[str, str] | None = None,
    tell: Tell = silent,
) -> Audit:
    """Hold a synthetic table against the table it was made from, and against people who were held out.

    Of tables on a cluster random parts are read; distances to the original are those of all records nevertheless.

    Args:
        original: the rows it was made from, and no others.
        synthetic: the synthetic table, with the same columns.
        holdout: rows of the same kind that it was not made from, chosen by chance: without them nobody can say
            whether its nearness to the original means anything.
        quasi_identifiers: columns the attacker knows; with ``sensitive``, guessing is tried.
        sensitive: column the attacker wants to know; also the one that models are trained to predict.
        columns: those to compare; all if none is named.
        metric: ``"euclidean"`` or ``"gower"``; see :func:`epsilometer.proximity`.
        radius: the y of (y, p)-coverage.
        attackers: ``"look-up"``, and ``"logistic model"`` with the extra ``synthesis``.
        error_rate: how often the leak test may find a leak where there is none.
        planted_share: share of the records to plant as copies, to see what the test can find.
        seed: for everything that chance decides.
        missing: words that mark a missing value.
        types: what columns hold, as in :func:`epsilometer.open_table`.
        tell: called with each step and the share of the work that is done.
    """
    if bool(quasi_identifiers) != (sensitive is not None):
        raise BadQuestion("Guessing takes both: columns the attacker knows, and one the attacker wants to know.")
    if not 0 < planted_share <= 1:
        raise OutOfRange("planted_share", planted_share, "(0, 1]", hint="It is a part of the synthetic records.")
    tell("reading the rows", 0.0)
    one, other, *others = (
        open_rows(table, missing, types) for table in (original, synthetic, holdout) if table is not None
    )
    spread = on_a_cluster(one, other, *others)
    read = random_part if spread else read_records
    training, made = read(one, columns), read(other, columns)
    check_alike(training, made)
    held_out = read(others[0], training.columns) if others else None
    roles = None if sensitive is None else _roles(training, quasi_identifiers, sensitive)
    if spread:
        near = proximity(one, other, columns=columns, metric=metric, radius=radius, tell=within(tell, 0.05, 0.5))
    else:
        near = proximity_of(training, made, metric=metric, radius=radius, tell=within(tell, 0.05, 0.5))
    frame = inference = None
    if held_out is not None:
        check_alike(training, held_out)
        frame = frame_of(
            training, made, held_out, metric=metric, error_rate=error_rate, planted_share=planted_share, seed=seed,
            tell=within(tell, 0.5, 0.8),
        )  # fmt: skip
        if roles is not None:
            known = people((training, made, held_out), roles)
            inference = inference_risk(known[1], known[0], known[2], seed=seed, attackers=attackers)
    useful = usefulness_of(training, made, held_out, sensitive, seed=seed, tell=within(tell, 0.8, 1.0))
    return Audit(
        proximity=near,
        frame=frame,
        inference=inference,
        usefulness=useful,
        in_words=_in_words(near, frame, inference, useful),
        caveats=(*_caveats(frame, roles), *[PARTS_ONLY] * spread),
    )


def _roles(training: Records, quasi_identifiers: Sequence[str], sensitive: str) -> Roles:
    if sensitive in quasi_identifiers:
        raise BadRoles(f"Column {sensitive!r} cannot be both what the attacker knows and what the attacker wants.")
    training.select((*quasi_identifiers, sensitive))  # names an unknown column
    return Roles(tuple(quasi_identifiers), sensitive)


def _in_words(near: Proximity, frame: Frame | None, inference: InferenceRisk | None, useful: Usefulness) -> str:
    said = [f"{percent(near.hitting_rate)} of the synthetic records are equal to an original one."]
    if frame is None:
        said.append("Whether that is more than chance cannot be said without people who were held out.")
    else:
        found, n_runs = round(float(frame.power.found.value) * frame.power.n_runs), frame.power.n_runs
        verdict = "a leak was found" if frame.leak.found else "no leak was found"
        if not frame.leak.found and not found:
            verdict = "no leak was found, nor could a small one have been"
        said.append(
            f"Against held-out people {verdict} (p = {frame.leak.p_value:.3f}, error rate {frame.leak.error_rate:g});"
            f" copies among {percent(frame.power.share)} of the records would have been found in {found} of {n_runs}"
            " tries."
        )
    if inference is not None:
        best = inference.best
        more = "more than" if best.exceeds_control else "no surer than"
        said.append(
            f"The sensitive value is named right for {percent(float(best.training.value))} of the people in the table,"
            f" {more} the {percent_at_least(float(best.control.value))} of people who are not in it;"
            f" guessing without a release is right for {percent_at_least(inference.no_release)}."
        )
    worst = useful.marginals[-1]
    said.append(f"Shares of {worst.ways} columns at a time are off by {worst.mean:.3f} on average.")
    return " ".join(said)


def _caveats(frame: Frame | None, roles: Roles | None) -> tuple[str, ...]:
    said = ["What a measure does not find may still be there; only the ε that a table was made with is a guarantee."]
    if frame is None:
        said.append("No holdout was given: distances to the original mean little by themselves.")
    else:
        said.append("Chance must have decided who was held out, and nobody held out may be in the original table.")
        if frame.all_equal:
            said.append("Everybody held out is equal to somebody in the table: are they the same rows?")
    if roles is None:
        said.append("No roles were given, so that nobody tried to guess a column.")
    return tuple(said)
