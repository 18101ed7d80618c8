"""Choose epsilon for a synthetic table: make a few, measure them, and read epsilon off curves through what was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.assessments.numbers import is_number, whole
from epsilometer.assessments.synthetic.measures import MEASURES, Roles, guessed_without, marginal_loss
from epsilometer.assessments.synthetic.synthesize import DELTA, Setting, known_domains, make
from epsilometer.errors import BadQuestion, BadRoles, OutOfRange, UnknownChoice
from epsilometer.formulas.curve_bands import band_of_runs
from epsilometer.formulas.risk_curves import choose_curve
from epsilometer.solvers.measured_targets import (
    AtLeast,
    AtMost,
    feasible_epsilons,
    largest_epsilon_within,
    smallest_epsilon_within,
)
from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.noise import SimulatedNoise
from epsilometer.synthesizers.registry import synthesizer
from epsilometer.tables.records import Records, read_records
from epsilometer.vocabulary.synthetic_choice import MeasuredCurve, SyntheticChoice
from epsilometer.vocabulary.telling import silent
from epsilometer.vocabulary.wording import percent, percent_at_least, rounded_down, rounded_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from epsilometer.assessments.synthetic.domains import Known
    from epsilometer.assessments.synthetic.measures import Measure
    from epsilometer.formulas.curve_bands import CurveBand
    from epsilometer.solvers.measured_targets import FeasibleEpsilons, ReadOff, Target
    from epsilometer.synthesizers.synthesizer import Synthesizer
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.stretch import Stretch
    from epsilometer.vocabulary.telling import Tell

EPSILONS: Final = (0.1, 0.3, 1.0, 3.0, 10.0)
FEWEST_EPSILONS: Final = 3
MOST_RUNS: Final = 1000  # tables made in all
N_GRID: Final = 81
NO_GAIN: Final = 0.005  # of a probability: what the raw table must add to a guess for the measure to say something
CAVEATS: Final = (
    "Epsilon was chosen by looking at the table: the choice itself tells something of it, and no epsilon covers that.",
    "Where there is a public or older table of the same kind, choose on that one.",
    "Curves are fitted to a few tables. Nothing is said about an epsilon outside those that were measured.",
    "What is named right includes what the table says about everyone, not only what it gives away about its people.",
)


def choose_synthetic(
    table: object,
    *,
    quasi_identifiers: Sequence[str],
    sensitive: str,
    max_risk: float | None = None,
    max_loss: float | None = None,
    min_distance: float | None = None,
    measure: str = "inference",
    method: str = "mst",
    epsilons: Sequence[float] = EPSILONS,
    runs: int = 3,
    delta: float = DELTA,
    domain: Mapping[str, object] | None = None,
    public_table: object = None,
    columns: Sequence[str] = (),
    bins: int = 20,
    where: str | None = None,
    missing: Iterable[str] = (),
    seed: int = 0,
    tell: Tell = silent,
) -> SyntheticChoice:
    """Find the epsilons at which a synthetic table keeps a target for risk, for loss, or both.

    ``runs`` tables are made at each of the ``epsilons`` and measured; curves are fitted and chosen by their error at
    epsilons left out; the targets must hold at the worse end of the band of the repeated runs. Nothing is released.

    Args:
        table: path, URL or frame.
        quasi_identifiers: columns the attacker knows.
        sensitive: column the attacker wants to know.
        max_risk: largest value of the measure, for ``"inference"`` and ``"hitting-rate"``.
        max_loss: largest mean total variation distance of the shares of one and of two columns.
        min_distance: smallest median distance to the nearest original record, for ``"nearest-distance"``.
        measure: ``"inference"``: chance that the sensitive value of a person is named right; ``"hitting-rate"``: share
            of records equal to an original one; ``"nearest-distance"``: their median distance from the nearest one.
        method: as for :func:`epsilometer.synthesize`, like all that follow up to ``missing``.
        delta: chance that the guarantee fails.
        domain: what columns may hold.
        public_table: a table that everybody may see, to take domains from.
        columns: other columns that will be in the synthetic table: each takes its part of epsilon.
        bins: number of bins of a numeric column.
        where: row filter.
        missing: words that mark a missing value.
        epsilons: those to measure, three or more different ones.
        runs: number of tables at each; two or more give a band.
        seed: for the noise. Methods with OpenDP's own noise (mst, aim) do not repeat.
        tell: called with each step and the share of the work that is done.
    """
    grid = _checked_epsilons(epsilons)
    n_runs = whole("runs", runs, 1, MOST_RUNS // len(grid), hint="It is the number of tables made at each epsilon.")
    risk, target = _risk_target(measure, max_risk, min_distance)
    loss_target = None if max_loss is None else AtMost(_positive("max_loss", max_loss))
    if target is None and loss_target is None:
        raise BadQuestion("There is no target. Give max_risk (or min_distance), max_loss, or both.")
    if not quasi_identifiers or sensitive in quasi_identifiers:
        raise BadRoles("Name at least one quasi-identifier, and a sensitive column that is none of them.")
    roles = Roles(tuple(quasi_identifiers), sensitive)
    maker = Maker(synthesizer(method), known_domains(domain, public_table, bins), delta, seed)
    tell("reading the rows", 0.0)
    needed = tuple(dict.fromkeys((*quasi_identifiers, sensitive, *columns)))
    records = read_records(table, needed, where=where, missing=missing)
    repeated = np.repeat(grid, n_runs)

    def measured(made: Records) -> tuple[float, float]:
        return risk.of(records, made, roles), marginal_loss(records, made)

    risks, losses = _followed(records, measured, maker, repeated, tell)
    rng = np.random.default_rng(seed)
    bands = [band_of_runs(choose_curve(repeated, seen), repeated, seen, rng=rng) for seen in (risks, losses)]
    found = _read_off(bands, target, loss_target)
    no_release = guessed_without(records, roles) if measure == "inference" else None
    raw = risk.of(records, records, roles)
    return SyntheticChoice(
        method=maker.chosen.name,
        measure=measure,
        target_risk=None if target is None else target.bound,
        max_loss=max_loss,
        no_release=no_release,
        raw=raw,
        stretches=found.stretches,
        recommended=found.recommended,
        binding=found.binding,
        support=found.support,
        risk=_curve(risk.title, bands[0], np.geomspace(grid[0], grid[-1], N_GRID)),
        loss=_curve("loss", bands[1], np.geomspace(grid[0], grid[-1], N_GRID)),
        n_runs=n_runs,
        seed=seed,
        in_words=_in_words(found, bands, risk, no_release),
        caveats=(*_about_the_measure(records, no_release, raw), *CAVEATS),
    )


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes tables for measuring, never for release: its noise has a seed.

    Attributes:
        chosen: the method.
        known: domains that are known apart from the records.
        delta: chance that the guarantee fails.
        seed: what each table's noise is drawn with, together with its number.
    """

    chosen: Synthesizer
    known: Known
    delta: float
    seed: int

    def table(self, records: Records, epsilon: float, number: int) -> Records:
        """Make a table; another number makes another one."""
        for_noise, for_rows = np.random.SeedSequence([self.seed, number]).spawn(2)
        setting = Setting(
            chosen=self.chosen,
            known=self.known,
            noise=SimulatedNoise(int(for_noise.generate_state(1)[0])),
            rng=np.random.default_rng(for_rows),
        )
        return Records(make(records, Budget(epsilon, self.delta), setting).rows, "the synthetic table")


def _followed(
    records: Records, measured: Callable[[Records], tuple[float, float]], maker: Maker, epsilons: FloatArray, tell: Tell
) -> FloatArray:
    """Make a table at each epsilon and measure it: measures x tables."""
    seen = np.empty((2, len(epsilons)))
    for number, epsilon in enumerate(epsilons.tolist()):
        tell(f"table {number + 1} of {len(epsilons)}, at ε = {epsilon:g}", (number + 0.5) / (len(epsilons) + 1))
        seen[:, number] = measured(maker.table(records, epsilon, number))
    return seen


class Found(NamedTuple):
    """What the curves allow, and what it rests on."""

    stretches: tuple[Stretch, ...]
    recommended: float | None
    binding: str
    support: tuple[str, ...]


def _read_off(bands: Sequence[CurveBand], target: Target | None, loss_target: Target | None) -> Found:
    """Read the epsilons that meet the targets that were given."""
    risk, loss = bands
    if target is not None and loss_target is not None:
        both = feasible_epsilons(risk, target, loss, loss_target)
        support = tuple(f"{name}: {end.in_words}" for name, end in (("Risk", both.risk), ("Loss", both.loss)) if end)
        recommended = rounded_up(both.stretches[0].low, 3) if both.stretches else None
        if recommended is not None and recommended > both.stretches[0].high:
            recommended = both.stretches[0].low
        return Found(both.stretches, recommended, _binding(both), support)
    end: ReadOff | None
    if target is not None:
        end, name = largest_epsilon_within(risk, target), "risk"
    else:
        end, name = smallest_epsilon_within(loss, loss_target or AtMost(0.0)), "loss"
    if end is None:
        return Found((), None, f"no measured epsilon meets the target for the {name}", ())
    ends = f"the target for the {name}" if end.set_by_target else "the measured epsilons"
    return Found(end.stretches, end.epsilon, f"{ends} sets the end", (f"{name.capitalize()}: {end.in_words}",))


def _binding(both: FeasibleEpsilons) -> str:
    if not both.stretches:
        if both.risk and both.loss:
            return "each target can be met, but not both at once"
        return f"no measured epsilon meets the target for the {' and none that for the '.join(both.binding)}"
    first = both.stretches[0]
    low = "the target for the loss" if first.bounded_below else "the smallest measured epsilon"
    high = "the target for the risk" if first.bounded_above else "the largest measured epsilon"
    return f"{low} sets the lower end, {high} the upper"


def _in_words(found: Found, bands: Sequence[CurveBand], risk: Measure, no_release: float | None) -> str:
    measured = f"{bands[0].curve.smallest:g} to {bands[0].curve.largest:g}"
    if found.recommended is None:
        return f"No ε from {measured} will do: {found.binding}."
    shown = " and ".join(f"{rounded_up(part.low, 3):g} to {rounded_down(part.high, 3):g}" for part in found.stretches)
    at = np.array(found.recommended)
    expected, worst = float(bands[0].curve.at(at)), bands[0].at(at)
    if risk.larger_is_safer:
        seen = f"the {risk.title} is about {expected:.3g}, at least {float(worst.low):.3g}"
    else:
        against = "" if no_release is None else f", against {percent_at_least(no_release)} without a release"
        seen = f"{risk.title}: about {percent(expected)}, at most {percent(float(worst.high))}{against}"
    loss = float(bands[1].at(at).high)
    return (
        f"Epsilon from {shown} will do, as far as tables made at ε from {measured} can say; "
        f"{found.recommended:g} is recommended. There, {seen}; and the loss is at most {loss:.4f}."
    )


def _about_the_measure(records: Records, no_release: float | None, raw: float) -> tuple[str, ...]:
    said = [f"Tables of the columns {', '.join(records.columns)} were made; with others the same epsilon buys less."]
    if no_release is not None and raw <= no_release + NO_GAIN:
        said.append(
            "Even the table itself lets nobody name the value right more often than a guess does: this measure cannot"
            " tell one epsilon from another here. Look at another sensitive column, or at another measure."
        )
    return tuple(said)


def _curve(name: str, band: CurveBand, grid: FloatArray) -> MeasuredCurve:
    inside = np.clip(grid, band.curve.smallest, band.curve.largest)
    ends = band.at(inside)
    error = band.curve.leave_one_out
    return MeasuredCurve(
        name=name,
        epsilons=band.epsilons,
        values=band.values,
        family=band.curve.family,
        leave_one_out=error if np.isfinite(error) else None,
        grid=inside,
        curve=band.curve.at(inside),
        low=np.asarray(ends.low),
        high=np.asarray(ends.high),
        confidence=band.confidence,
    )


def _checked_epsilons(epsilons: Sequence[float]) -> FloatArray:
    different = np.unique([Budget(float(epsilon)).epsilon for epsilon in epsilons])
    if len(different) < FEWEST_EPSILONS:
        raise BadQuestion(f"A curve takes {FEWEST_EPSILONS} different epsilons or more; got {list(epsilons)}.")
    return different


def _risk_target(measure: str, max_risk: float | None, min_distance: float | None) -> tuple[Measure, Target | None]:
    if measure not in MEASURES:
        raise UnknownChoice("measure", measure, MEASURES)
    risk = MEASURES[measure]
    wrong, name = (max_risk, "max_risk") if risk.larger_is_safer else (min_distance, "min_distance")
    if wrong is not None:
        other = "min_distance" if risk.larger_is_safer else "max_risk"
        raise BadQuestion(f"{name} is no target for the measure {measure}; give {other}.")
    if risk.larger_is_safer:
        return risk, None if min_distance is None else AtLeast(_positive("min_distance", min_distance))
    return risk, None if max_risk is None else AtMost(_share("max_risk", max_risk))


def _positive(name: str, value: float) -> float:
    if not is_number(value) or not 0 < value < np.inf:
        raise OutOfRange(name, value, "(0, inf)", hint="It is a distance.")
    return float(value)


def _share(name: str, value: float) -> float:
    if not is_number(value) or not 0 < value <= 1:
        raise OutOfRange(name, value, "(0, 1]", hint="It is a probability.")
    return float(value)
