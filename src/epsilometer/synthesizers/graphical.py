"""MST and AIM: a graphical model of noisy marginals, which OpenDP chooses, measures and fits."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from epsilometer.errors import BadTable, MissingExtra, NotCertified, OutOfRange
from epsilometer.synthesizers.chain import ChainModel, steps_through
from epsilometer.synthesizers.junction_tree import cliques
from epsilometer.synthesizers.noisy_marginals import Marginal
from epsilometer.vocabulary.source import source
from epsilometer.vocabulary.spending import Spending
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mbi import Domain, LinearMeasurement, MarkovRandomField
    from opendp.extras.mbi import Algorithm
    from opendp.mod import Measurement

    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.coded import CodedTable
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.telling import Tell

    Estimator = Callable[..., MarkovRandomField]

MOST_CELLS: Final = 2**24  # of a marginal; all that may be chosen are counted, at 4 bytes a cell
MOST_EPSILON: Final = 1000.0  # OpenDP's conversion between guarantees overflows not far above
HAIR: Final = 2.0**-40  # the part of a budget left unspent, so that sums rounded up stay within it
ROUNDS: Final = 4  # of AIM for each column, at most; the authors have 16
MOST_MEGABYTES: Final = 1.0  # of a model of AIM; the authors have 80, and hours to wait


class MstSynthesizer:
    """The pairs of columns that a spanning tree of the most related ones joins (mckenna-2021), by OpenDP.

    As the authors have it, a third of the budget each goes to single columns, to choosing pairs and to measuring them.
    Whichever noise is asked for, it is OpenDP's own: the same seed does not give the same model.
    """

    name: ClassVar[str] = "mst"
    summary: ClassVar[str] = "the pairs of columns that matter most, as a tree; a good first choice"
    needs_delta: ClassVar[bool] = True

    def __init__(self, tell: Tell = silent) -> None:
        self._tell = tell

    @source("mckenna-2021", "MST")
    def fit(self, table: CodedTable, budget: Budget, noise: Noise) -> ChainModel:
        columns = _columns_to_learn(self.name, table, ways=2)
        rho = _rho_within(self.name, budget)
        estimator = _estimator(self._tell, columns, ways=2, n_measured=2 * len(columns) - 1, n_steps=1000)
        if len(columns) == 1:
            return _learned(table, columns, (noise, budget), estimator, rho)
        from opendp.extras.mbi import MST

        pairs = MST(estimator=estimator, measure_split=0.5), _payable(rho * 2 / 3, len(columns) - 1)
        return _learned(table, columns, (noise, budget), estimator, rho / 3, pairs)


class AimSynthesizer:
    """The combinations of up to three columns that the model so far gets most wrong (mckenna-2022), by OpenDP.

    Single columns get a share of the budget as if each took one of the rounds.
    Whichever noise is asked for, it is OpenDP's own: the same seed does not give the same model.
    """

    name: ClassVar[str] = "aim"
    summary: ClassVar[str] = "combinations of three columns, added where the model is worst; slow, often the best"
    needs_delta: ClassVar[bool] = True

    def __init__(self, tell: Tell = silent) -> None:
        self._tell = tell

    @source("mckenna-2022", "AIM")
    def fit(self, table: CodedTable, budget: Budget, noise: Noise) -> ChainModel:
        columns = _columns_to_learn(self.name, table, ways=3)
        rho = _rho_within(self.name, budget)
        estimator = _estimator(self._tell, columns, ways=3, n_measured=ROUNDS * len(columns), n_steps=300)
        from opendp.extras.mbi import AIM

        one_way = rho / ROUNDS
        rounds = AIM(estimator=estimator, rounds=(ROUNDS - 1) * len(columns), max_size=MOST_MEGABYTES)
        return _learned(table, columns, (noise, budget), estimator, one_way, (rounds, rho - one_way))


def _columns_to_learn(method: str, table: CodedTable, *, ways: int) -> list[int]:
    """Return the columns with more than one code, if the marginals of so many of them can be counted."""
    largest = sorted(table.sizes, reverse=True)[:ways]
    if math.prod(largest) > MOST_CELLS:
        raise BadTable(
            f"{method} counts combinations of {len(largest)} columns, here up to {math.prod(largest)} cells; "
            f"at most {MOST_CELLS} are possible. Use wider bins, or leave out columns with many values."
        )
    columns = [column for column, size in enumerate(table.sizes) if size > 1]
    if not columns:
        raise BadTable(f"{method} has nothing to learn: no column has more than one value. Declare the domain wider.")
    return columns


def _estimator(tell: Tell, columns: Sequence[int], *, ways: int, n_measured: int, n_steps: int) -> Estimator:
    """Return a function that fits a model to noisy marginals, says so, and has the marginals ready that will be asked.

    OpenDP scores all combinations of columns again at every choice, and the model would work out each anew.
    """
    names = [str(column) for column in columns]
    asked = [each for n in range(1, ways + 1) for each in combinations(names, n)]

    def fit(domain: Domain, measured: Sequence[LinearMeasurement], *, potentials: Any = None) -> MarkovRandomField:  # noqa: ANN401
        from mbi import CliqueVector, Factor
        from mbi.estimation import mirror_descent

        tell(f"fitting {len(measured)} noisy marginals", min(1.0, len(measured) / n_measured))
        model = mirror_descent(domain, measured, potentials=potentials, iters=n_steps)
        ready = {each: Factor(domain.project(each), table) for each, table in _marginals(model, asked).items()}
        return model.replace(marginals=CliqueVector(domain, asked, ready))

    return fit


def _marginals(model: MarkovRandomField, asked: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], FloatArray]:
    """Counts that the model expects of each combination of codes, for several sets of columns.

    The model is the product of its factors; the sum over all other columns is left to the best order of an einsum.
    """
    from opt_einsum import contract

    logs = {clique: np.asarray(factor.values, dtype=np.float64) for clique, factor in model.potentials.arrays.items()}
    factors = [part for clique, log in logs.items() for part in (np.exp(log - log.max()), clique)]
    tables = {each: contract(*factors, each) for each in asked}
    return {each: table * (float(model.total) / table.sum()) for each, table in tables.items()}


def _rho_within(method: str, budget: Budget) -> float:
    """How much zero-concentrated privacy loss may be spent within an (epsilon, delta)? By OpenDP's conversion."""
    try:
        import mbi  # noqa: F401
        import polars as pl  # noqa: F401
    except ImportError as missing:
        raise MissingExtra(f"The method {method}", "synthesis") from missing
    import opendp.prelude as dp

    budget.check_delta(method)
    if budget.epsilon > MOST_EPSILON:
        raise OutOfRange("epsilon", budget.epsilon, f"(0, {MOST_EPSILON:g}]", hint="So much hides nobody.")
    widest = math.sqrt(2 * budget.epsilon) + 10  # loses more than any epsilon or delta allows
    within = _approximate(budget.delta)
    apart = dp.binary_search(lambda distance: within.map(distance)[0] <= budget.epsilon, bounds=(0.0, widest))
    return apart**2 / 2 * (1 - HAIR)


def _approximate(delta: float) -> Measurement:
    """OpenDP's map from the root of twice the zero-concentrated loss to the epsilon that goes with a delta.

    It is the map of Gaussian noise of scale 1: a number that changes by d loses d^2 / 2.
    """
    import opendp.prelude as dp

    dp.enable_features("contrib")
    gaussian = dp.m.make_gaussian(dp.atom_domain(T="f64", nan=False), dp.absolute_distance(T="f64"), scale=1.0)
    return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(gaussian), delta)


def _payable(share: float, n_choices: int) -> float:
    """Return a share of the budget, at most some last digits less, from which OpenDP lets MST pay for its choices.

    MST sets aside half of its share, divides it by the number of choices, and adds the parts up again, rounding up.
    Where the sum comes out a last digit above the half, OpenDP refuses. That depends on the share and the number of
    choices alone, not on any record.
    """
    import opendp.prelude as dp

    space = dp.vector_domain(dp.atom_domain(T=bool)), dp.symmetric_distance(), dp.zero_concentrated_divergence()

    def is_payable() -> bool:
        half = _below(_below(share - share / 2))
        parts = [_below(half / n_choices)] * n_choices
        return bool(dp.c.make_adaptive_composition(*space, d_in=1, d_mids=parts).map(1) <= half)

    while not is_payable():
        share = _below(share)
    return share


def _below(number: float) -> float:
    return math.nextafter(number, -math.inf)


def _above(number: float) -> float:
    return math.nextafter(number, math.inf)


def _learned(
    table: CodedTable,
    columns: Sequence[int],
    asked: tuple[Noise, Budget],
    estimator: Estimator,
    one_way_share: float,
    *then: tuple[Algorithm, float],
) -> ChainModel:
    """Measure single columns, then go on from their model with algorithms of OpenDP, each with its share."""
    import opendp.prelude as dp
    import polars as pl
    from mbi import Domain
    from opendp.extras.mbi import Marginals
    from opendp.extras.polars import Bound

    noise, budget = asked
    domains = [dp.series_domain(str(c), dp.atom_domain(bounds=(0, table.sizes[c] - 1), T="u32")) for c in columns]
    space = dp.lazyframe_domain(domains), dp.frame_distance(dp.symmetric_distance()), dp.zero_concentrated_divergence()
    rows = pl.LazyFrame({str(c): table.codes[:, c].astype(np.uint32) for c in columns})
    one_record = [Bound(per_group=1)]
    measured, loss = _single_columns(table, columns, noise, one_way_share)
    spent = _within(budget, loss)
    marginals = Marginals().add(*measured)
    names = [str(c) for c in columns]
    model = estimator(Domain(names, [table.sizes[c] for c in columns]), measured)
    for algorithm, share in then:
        look = algorithm.make_marginals(*space, one_record, share, marginals=marginals, model=model)
        loss = _above(loss + look.map(one_record))
        spent = _within(budget, loss)
        marginals, model = noise.measured(look, rows)
    return ChainModel(steps_through(_cliques_of(model, table)), max(1, round(float(model.total))), (spent,))


def _single_columns(
    table: CodedTable, columns: Sequence[int], noise: Noise, rho: float
) -> tuple[list[LinearMeasurement], float]:
    """Count the codes of each column with discrete Gaussian noise; also the zero-concentrated loss, by OpenDP.

    A record is in one cell of each of the k columns, so that all counts together have Euclidean sensitivity root k.
    """
    import opendp.prelude as dp
    from mbi import LinearMeasurement

    sensitivity = _above(math.sqrt(len(columns)))
    scale = sensitivity / math.sqrt(2 * rho)
    gaussian = dp.m.make_gaussian(dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64"), scale=scale)
    counts = [table.counts([column]) for column in columns]
    noisy = np.array(noise.measured(gaussian, np.concatenate(counts).tolist()), dtype=np.float64)
    parts = np.split(noisy, np.cumsum([len(each) for each in counts])[:-1])
    return [
        LinearMeasurement(part, (str(c),), stddev=scale) for part, c in zip(parts, columns, strict=True)
    ], gaussian.map(sensitivity)


def _within(budget: Budget, loss: float) -> Spending:
    """State the guarantee that OpenDP gives for a zero-concentrated loss, if it is within the budget."""
    epsilon, delta = _approximate(budget.delta).map(_above(math.sqrt(2 * loss)))
    if epsilon > budget.epsilon or delta > budget.delta:
        raise NotCertified(f"OpenDP states epsilon {epsilon} and delta {delta}, above {budget}; nothing is released.")
    return Spending("marginals, and which to measure", epsilon, delta, noise=f"discrete Gaussian, rho {loss:g} in all")


def _cliques_of(model: MarkovRandomField, table: CodedTable) -> list[Marginal]:
    """Return the marginals of the triangulated graph of a model; columns of one code stand alone."""
    links = [pair for clique in model.cliques for pair in combinations(sorted(map(int, clique)), 2)]
    found = [tuple(sorted(clique)) for clique in cliques(len(table.sizes), links)]
    learned = {tuple(map(str, each)): each for each in found if table.sizes[each[0]] > 1}
    alone = [Marginal(each, np.ones(1)) for each in found if table.sizes[each[0]] == 1]
    return alone + [Marginal(learned[names], counts) for names, counts in _marginals(model, list(learned)).items()]
