"""How near formulas of a large profile come to the speed at which all cores together copy its counts in memory."""

from benchmarks.comparison import Comparison, Limit, seconds

N_VECTORS = 4_000_000  # twice as large as the processor's cache and more
N_VECTORS_OF_CURVES = 100_000
N_EPSILONS = 100
BLOCK = 2**15  # numbers


FORMULAS = {
    "local risk": lambda em, freq, noise: em.homogeneity_risk(freq, noise),
    "local risk of people": lambda em, freq, noise: em.homogeneity_risk(freq, noise, average="records"),
    "expected risk": lambda em, freq, noise: em.homogeneity_risk(freq, noise, "expected"),
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
    places = np.random.default_rng(1).integers(0, len(table), (n_values * n_vectors // BLOCK, BLOCK))

    def looked_up(some):
        for at in places[some]:
            np.take(table, at)
            np.take(table, at)

    return on_all_cores(looked_up, len(places))


def fourteen_exponentials(n_vectors, **_):
    """What arithmetic costs at one epsilon, ten of them at each of several; in parts that fit a cache."""
    return exponentials(14 * n_vectors)


def ten_exponentials(n_vectors, epsilons, **_):
    """What arithmetic costs: of every vector, at every epsilon, in parts that fit a cache."""
    return exponentials(10 * len(epsilons) * n_vectors)


def exponentials(how_many):
    import numpy as np

    numbers = np.random.default_rng(0).random(BLOCK)

    def worked_out(some):
        for _ in range(some.start, some.stop):
            np.exp(numbers)

    return on_all_cores(worked_out, how_many // BLOCK)


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
        yield _comparison(formula, int(N_VECTORS * scale), 2, [1.0])
    yield _comparison("local risk", int(N_VECTORS * scale / 5), 10, [1.0])
    for formula in ("local risk", "local risk of people", "expected risk", "shrinkage risk"):
        yield _comparison(formula, of_curves, 2, many)


COPY = Limit("one copy of each count, for each sum at each ε", one_copy)
OTHER_LIMITS = {
    ("local risk", 1): (Limit("two look-ups of each count", two_look_ups),),
    ("expected risk", 1): (Limit("fourteen exponentials of each vector", fourteen_exponentials),),
    ("expected risk", N_EPSILONS): (Limit("ten exponentials of each vector, at each ε", ten_exponentials),),
}


def _comparison(formula, n_vectors, n_values, epsilons):
    return Comparison(
        work=f"Closed forms: {formula}",
        size=f"{n_vectors:,} vectors of {n_values} counts, {len(epsilons)} ε",
        same="Ours alone.",
        ours=ours,
        limits=(COPY, *OTHER_LIMITS.get((formula, len(epsilons)), ())),
        arguments={"formula": formula, "n_vectors": n_vectors, "n_values": n_values, "epsilons": epsilons},
    )
