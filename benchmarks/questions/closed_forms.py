"""How near formulas of a large profile come to the speed at which all cores together copy its counts in memory."""

from benchmarks.comparison import Comparison, Limit, seconds

N_VECTORS = 4_000_000  # twice as large as the processor's cache and more
N_VECTORS_OF_CURVES = 100_000
N_EPSILONS = 100
SMALL_EPSILON = 0.1  # below it every count of these profiles matters to the expected risk
FITS_A_CACHE = 2**15  # numbers
BLOCK = 2**17  # numbers; shorter ones measure how threads wait for each other


FORMULAS = {
    "local risk": lambda em, freq, noise: em.homogeneity_risk(freq, noise),
    "local risk of people": lambda em, freq, noise: em.homogeneity_risk(freq, noise, average="records"),
    "expected risk": lambda em, freq, noise: em.homogeneity_risk(freq, noise, "expected"),
    "expected risk, whole-number noise": lambda em, freq, noise: em.homogeneity_risk(
        freq, em.Geometric(epsilon=noise.epsilon), "expected"
    ),
    "shrinkage risk": lambda em, freq, noise: em.homogeneity_risk(freq, noise, "shrinkage"),
    "global risk": lambda em, freq, noise: em.homogeneity_risk(freq, noise, "global"),
    "eight scenarios": lambda em, freq, noise: em.homogeneity_scenarios(freq, noise),
    "attacker's precision": lambda em, freq, noise: em.attacker_precision(freq, noise),
    "raw table, 22 measures": lambda em, freq, _noise: em.raw_risk(freq),
}


SUMS = {"eight scenarios": 8, "attacker's precision": 2, "raw table, 22 measures": 22}  # of the others each is one


def ours(formula, n_vectors, n_values, epsilons):
    import epsilometer as em

    noise, ask = em.Laplace(epsilon=epsilons if len(epsilons) > 1 else epsilons[0]), FORMULAS[formula]
    ask(em, em.FrequencyTable.from_counts(vectors(100, n_values)), noise)  # modules are loaded when they are needed
    freq = em.FrequencyTable.from_counts(vectors(n_vectors, n_values))

    def work():
        ask(em, freq, noise)
        return []

    return work


def one_copy(formula, n_vectors, n_values, epsilons):
    """What memory bandwidth allows: every count, at every epsilon, read once and written once for each sum."""
    import numpy as np

    numbers = np.random.default_rng(0).random((len(epsilons) * n_values * n_vectors // BLOCK, BLOCK))
    room = np.empty_like(numbers)

    def copied(some):
        np.copyto(room[some], numbers[some])

    return on_all_cores(copied, len(numbers), times=SUMS.get(formula, 1))


def two_look_ups(n_vectors, n_values, **_):
    """What a look-up costs: every count found twice in a table that fits the first cache."""
    import numpy as np

    table = np.random.default_rng(0).random(2000)
    places = counts_of_blocks(n_vectors, n_values, len(table))

    def looked_up(some):
        for at in places[some]:
            np.take(table, at)
            np.take(table, at)

    return on_all_cores(looked_up, len(places))


def two_comparisons(n_vectors, n_values, **_):
    """What a choice costs: every count compared twice with what counts, and the places of the few that do."""
    import numpy as np

    counts = counts_of_blocks(n_vectors, n_values, 2000)

    def compared(some):
        for count in counts[some]:
            np.flatnonzero(count <= 50)
            np.flatnonzero(count <= 50)

    return on_all_cores(compared, len(counts))


def one_tally(n_vectors, n_values, **_):
    """What a tally costs: one added for every count, in the way that takes least."""
    import numpy as np
    from scipy.sparse import csc_array

    counts, ones, ends = counts_of_blocks(n_vectors, n_values, 2000), np.ones(BLOCK), np.array([0, BLOCK])

    def tallied(some):
        for count in counts[some]:
            csc_array((ones, count, ends), shape=(2000, 1)) @ np.ones(1)

    return on_all_cores(tallied, len(counts))


def counts_of_blocks(n_vectors, n_values, most):
    import numpy as np

    return np.random.default_rng(1).integers(0, most, (n_values * n_vectors // BLOCK, BLOCK))


def two_exponentials(n_vectors, n_values, epsilons, **_):
    """What arithmetic costs: of every count, at every epsilon, in parts that fit a cache."""
    return exponentials(2 * len(epsilons) * n_values * n_vectors)


def exponentials(how_many):
    import numpy as np

    numbers = np.random.default_rng(0).random(FITS_A_CACHE)

    def worked_out(some):
        room = np.empty_like(numbers)
        for _ in range(some.start, some.stop):
            np.exp(numbers, out=room)

    return on_all_cores(worked_out, how_many // FITS_A_CACHE)


def on_all_cores(action, n_blocks, times=1):
    """Seconds that the blocks take, so many times, if each core works on as many of them as the others, as ours do."""
    import os
    from concurrent.futures import ThreadPoolExecutor

    n_cores = os.cpu_count()
    shares = [slice(i * n_blocks // n_cores, (i + 1) * n_blocks // n_cores) for i in range(n_cores)]

    def work():
        with ThreadPoolExecutor(n_cores) as threads:
            list(threads.map(action, shares))

    work()  # memory that a process never touched is slow at first
    return lambda: [times * seconds(work)]


def vectors(n_vectors, n_values):
    """Different vectors of counts, most of which are small where there are few vectors."""
    import numpy as np

    most = max(3, int(1.42 * n_vectors ** (1 / n_values)))
    counts = np.random.default_rng(1).integers(0, most, (2 * n_vectors, n_values))
    return np.unique(counts, axis=0)[1 : n_vectors + 1]


def comparisons(folder, scale):  # noqa: ARG001  (it needs no files)
    of_curves, many = int(N_VECTORS_OF_CURVES * scale), [0.01 * 1.072**i for i in range(N_EPSILONS)]
    for formula in FORMULAS:
        if "whole-number" not in formula:  # with two values it is the same form
            yield _comparison(formula, int(N_VECTORS * scale), 2, [1.0])
    yield _comparison("expected risk", int(N_VECTORS * scale), 2, [0.01])
    for formula in ("local risk", "expected risk, whole-number noise"):
        yield _comparison(formula, int(N_VECTORS * scale / 5), 10, [1.0])
    for formula in ("local risk", "local risk of people", "expected risk", "shrinkage risk"):
        yield _comparison(formula, of_curves, 2, many)


COPY = Limit("one copy of each count, for each sum at each ε", one_copy)
LOOK_UPS = Limit("two look-ups of each count", two_look_ups)
COMPARISONS = Limit("two comparisons of each count", two_comparisons)
TALLY = Limit("a tally of every count", one_tally)
EXPONENTIALS = Limit("two exponentials of each count, at each ε", two_exponentials)
OF_FEW_COUNTS = {
    "local risk": LOOK_UPS,
    "local risk of people": LOOK_UPS,
    "attacker's precision": LOOK_UPS,
    "expected risk": COMPARISONS,
    "expected risk, whole-number noise": TALLY,
    "shrinkage risk": TALLY,
    "global risk": TALLY,
}
OF_ALL_COUNTS = {"expected risk": EXPONENTIALS}  # at a small epsilon, and so on most of a curve


def _limits(formula, epsilons):
    others = OF_ALL_COUNTS if min(epsilons) < SMALL_EPSILON else OF_FEW_COUNTS
    return (COPY, others[formula]) if formula in others else (COPY,)


def _comparison(formula, n_vectors, n_values, epsilons):
    at = f"{len(epsilons)} ε" if len(epsilons) > 1 else f"ε = {epsilons[0]:g}"
    return Comparison(
        work=f"Closed forms: {formula}",
        size=f"{n_vectors:,} vectors of {n_values} counts, {at}",
        same="Ours alone.",
        ours=ours,
        limits=_limits(formula, epsilons),
        arguments={"formula": formula, "n_vectors": n_vectors, "n_values": n_values, "epsilons": epsilons},
    )
