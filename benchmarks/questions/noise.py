"""Random numbers: the noise of a release next to the bare call of OpenDP, simulations next to numpy's generator."""

from benchmarks.comparison import Comparison, Limit, seconds

N_COUNTS = 200_000
SCALE = 2.0


def release_noise(n_counts):
    import numpy as np

    from epsilometer.synthesizers.noise import ReleaseNoise

    counts = np.zeros(n_counts, dtype=np.int64)
    ReleaseNoise().whole(counts[:1], SCALE)  # loads OpenDP
    return lambda: [len(ReleaseNoise().whole(counts, SCALE))]


def bare_opendp(n_counts):
    """One call with all the counts as the Python list that it takes."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64", nan=False)), dp.l1_distance(T="i64")
    measure = dp.m.make_laplace(*space, scale=SCALE)
    counts = [0] * n_counts
    return lambda: [seconds(lambda: measure(counts))]


def simulated_noise(n_counts):
    import numpy as np

    import epsilometer as em

    noise, rng = em.Laplace(epsilon=1 / SCALE), np.random.default_rng(0)
    return lambda: [len(noise.sample(rng, (n_counts,)))]


def bare_numpy(n_counts):
    import numpy as np

    rng = np.random.default_rng(0)
    return lambda: [seconds(lambda: rng.laplace(scale=SCALE, size=n_counts))]


def comparisons(folder, scale):  # noqa: ARG001  (it needs no files)
    counts = int(N_COUNTS * scale)
    several = {
        "Noise of a release": (release_noise, Limit("OpenDP's bare call", bare_opendp)),
        "Noise of a simulation": (simulated_noise, Limit("numpy's bare call", bare_numpy)),
    }
    for work, (by_us, limit) in several.items():
        yield Comparison(
            work=work,
            size=f"{counts:,} counts",
            same="Ours alone.",
            ours=by_us,
            limits=(limit,),
            arguments={"n_counts": counts},
        )
