"""What a guarantee means for an attacker against any table: the largest advantage of a test of somebody's record."""

from benchmarks.comparison import Comparison, Limit, Way, seconds
from benchmarks.pins import RISKCAL

N_SETTINGS = 100_000
N_LAPLACE = 20
N_RELEASES = 100
SCALE = 10.0
DELTA = 1e-6
SAME = "The largest true-positive rate less the false-positive rate of any attack on anybody's record."


def gaussian_ours(n_settings):
    from epsilometer.formulas.advantage import gaussian_advantage

    sigmas = _sigmas(n_settings)
    return lambda: [gaussian_advantage(sigmas, 1.0).sum()]


def gaussian_by_riskcal(n_settings):
    from riskcal.analysis import get_advantage_from_gdp

    sigmas = _sigmas(n_settings)
    return lambda: [get_advantage_from_gdp(1 / sigmas).sum()]


def laplace_ours(n_settings):
    import epsilometer as em

    epsilons = _epsilons(n_settings)
    return lambda: list(em.Laplace(epsilon=epsilons).membership_advantage)


def laplace_by_riskcal(n_settings):
    from dp_accounting.pld.privacy_loss_distribution import from_laplace_mechanism
    from riskcal.analysis import get_advantage_from_pld

    return lambda: [get_advantage_from_pld(from_laplace_mechanism(1 / epsilon)) for epsilon in _epsilons(n_settings)]


def any_ours(n_settings):
    from epsilometer.formulas.advantage import advantage_from_epsilon

    epsilons = _epsilons(n_settings)
    return lambda: [advantage_from_epsilon(epsilons, DELTA).sum()]


def any_by_riskcal(n_settings):
    from riskcal.analysis import get_advantage_from_adp

    epsilons = _epsilons(n_settings)
    return lambda: [sum(get_advantage_from_adp(epsilon, DELTA) for epsilon in epsilons)]


def composed_ours(n_settings):
    from epsilometer.releases.accounting import composed
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss

    look = PrivacyLoss(what="counts", noise="geometric", epsilon=1 / SCALE, delta=0.0, scale=SCALE, moved_counts=1)

    def work():
        together = composed([look] * n_settings, delta=DELTA)
        return together.membership_advantage, together.tight

    return work


def bare_accounting(n_settings):
    """The law of the privacy loss by the library that we and riskcal both take it from, on a grid as fine as ours."""
    from dp_accounting.pld.privacy_loss_distribution import from_discrete_laplace_mechanism

    def compose():
        law = from_discrete_laplace_mechanism(1 / SCALE, value_discretization_interval=2.0**-15)
        together = law.self_compose(n_settings)
        together.get_delta_for_epsilon(0.0)
        together.get_epsilon_for_delta(DELTA)

    return lambda: [seconds(compose)]


def _sigmas(n):
    import numpy as np

    return np.geomspace(0.1, 100, n)


def _epsilons(n):
    import numpy as np

    return tuple(np.geomspace(0.01, 10, n).tolist())


def comparisons(folder, scale):  # noqa: ARG001  (it needs no files)
    several = (
        ("Advantage at Gaussian noise", f"{N_SETTINGS:,} scales", gaussian_ours, gaussian_by_riskcal, N_SETTINGS),
        ("Advantage at Laplace noise", f"{N_LAPLACE} ε", laplace_ours, laplace_by_riskcal, N_LAPLACE),
        ("Advantage that (ε, δ) allows", f"{N_SETTINGS:,} ε", any_ours, any_by_riskcal, N_SETTINGS),
    )
    for work, size, by_us, by_them, n in several:
        yield Comparison(
            work=work,
            size=size,
            same=SAME,
            ours=by_us,
            peers=(Way("riskcal", by_them, "riskcal", RISKCAL),),
            arguments={"n_settings": n},
            tolerance=1e-3,
        )
    yield Comparison(
        work="Advantage and ε of many releases",
        size=f"{N_RELEASES} releases",
        same="Ours alone.",
        ours=composed_ours,
        limits=(Limit("bare calls of dp-accounting", bare_accounting),),
        arguments={"n_settings": N_RELEASES},
    )
