"""Choose epsilon for a synthetic table: make a few, measure them, and read epsilon off curves through what was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.numbers import is_number, whole
from epsilometer.assessments.synthetic.measures import MEASURES, Roles, guessed_without, marginal_loss
from epsilometer.assessments.synthetic.reading_off import in_words, read_off
from epsilometer.assessments.synthetic.synthesize import DELTA, Setting, known_domains, make
from epsilometer.errors import BadQuestion, BadRoles, OutOfRange, UnknownChoice
from epsilometer.formulas.curve_bands import band_of_runs
from epsilometer.formulas.risk_curves import choose_curve
from epsilometer.solvers.measured_targets import AtLeast, AtMost
from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.noise import SimulatedNoise
from epsilometer.synthesizers.registry import synthesizer
from epsilometer.tables.records import Records, read_records
from epsilometer.vocabulary.synthetic_choice import MeasuredCurve, SyntheticChoice
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from epsilometer.assessments.synthetic.domains import Known
    from epsilometer.assessments.synthetic.measures import Measure
    from epsilometer.formulas.curve_bands import CurveBand
    from epsilometer.solvers.measured_targets import Target
    from epsilometer.synthesizers.synthesizer import Synthesizer
    from epsilometer.vocabulary.arrays import FloatArray
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
    risk, target, loss_target = _targets(measure, max_risk, min_distance, max_loss)
    roles = _roles(quasi_identifiers, sensitive)
    maker = Maker(synthesizer(method), known_domains(domain, public_table, bins), delta, seed)
    tell("reading the rows", 0.0)
    needed = tuple(dict.fromkeys((*quasi_identifiers, sensitive, *columns)))
    records = read_records(table, needed, where=where, missing=missing)
    bands = _measured(records, risk, roles, maker, np.repeat(grid, n_runs), tell=tell)
    found = read_off(bands, target, loss_target)
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
        in_words=in_words(found, bands, risk, no_release),
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


def _measured(
    records: Records, risk: Measure, roles: Roles, maker: Maker, epsilons: FloatArray, *, tell: Tell
) -> list[CurveBand]:
    """Make a table at each epsilon, and fit curves with bands to its risk and to its loss."""
    seen = np.empty((2, len(epsilons)))
    for number, epsilon in enumerate(epsilons.tolist()):
        tell(f"table {number + 1} of {len(epsilons)}, at ε = {epsilon:g}", (number + 0.5) / (len(epsilons) + 1))
        made = maker.table(records, epsilon, number)
        seen[:, number] = risk.of(records, made, roles), marginal_loss(records, made)
    rng = np.random.default_rng(maker.seed)
    return [band_of_runs(choose_curve(epsilons, values), epsilons, values, rng=rng) for values in seen]


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


def _roles(quasi_identifiers: Sequence[str], sensitive: str) -> Roles:
    if not quasi_identifiers or sensitive in quasi_identifiers:
        raise BadRoles("Name at least one quasi-identifier, and a sensitive column that is none of them.")
    return Roles(tuple(quasi_identifiers), sensitive)


def _targets(
    measure: str, max_risk: float | None, min_distance: float | None, max_loss: float | None
) -> tuple[Measure, Target | None, Target | None]:
    """Return the measure of the risk, its target, and that of the loss."""
    if measure not in MEASURES:
        raise UnknownChoice("measure", measure, MEASURES)
    risk = MEASURES[measure]
    given = {"max_risk": max_risk, "min_distance": min_distance}
    wrong, name = ("max_risk", "min_distance") if risk.larger_is_safer else ("min_distance", "max_risk")
    if given[wrong] is not None:
        raise BadQuestion(f"{wrong} is no target for the measure {measure}; give {name}.")
    target: Target | None = None
    if (bound := given[name]) is not None:
        target = AtLeast(_positive(name, bound)) if risk.larger_is_safer else AtMost(_share(name, bound))
    loss_target = None if max_loss is None else AtMost(_positive("max_loss", max_loss))
    if target is None and loss_target is None:
        raise BadQuestion("There is no target. Give max_risk (or min_distance), max_loss, or both.")
    return risk, target, loss_target


def _positive(name: str, value: float) -> float:
    if not is_number(value) or not 0 < value < np.inf:
        raise OutOfRange(name, value, "(0, inf)", hint="It is a distance.")
    return float(value)


def _share(name: str, value: float) -> float:
    if not is_number(value) or not 0 < value <= 1:
        raise OutOfRange(name, value, "(0, 1]", hint="It is a probability.")
    return float(value)
