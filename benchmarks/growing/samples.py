"""Questions that need no table: samples of a population, choices before the data are seen, guesses."""

from itertools import count

import epsilometer as em
from benchmarks.growing.growth import Growth, decades


def questions(_folder):
    def asked(work, over, sizes, ask):
        return Growth(work=work, over=over, sizes=sizes, prepare=lambda size: lambda: ask(size))

    another = count(1)  # answers are remembered, so that no two questions are the same
    people, values = decades(1e3, 1e6), decades(3, 3000)
    noise = em.Laplace(epsilon=1.0)
    for prior in ("frequencies", "datasets", 0.5):
        yield asked(
            f"risk of a sample, {prior}",
            "rows",
            people,
            lambda n, p=prior: em.sampling_risk(population=n, sample=n // 10 + next(another), prior=p, n_values=5),
        )
        yield asked(
            f"loss of a sample, {prior}",
            "rows",
            people,
            lambda n, p=prior: em.sampling_utility_loss(
                population=n, sample=n // 10 + next(another), prior=p, n_values=5
            ),
        )
        yield asked(
            f"risk of a sample, {prior}",
            "values",
            values,
            lambda k, p=prior: em.sampling_risk(population=10_000, sample=500 + next(another), prior=p, n_values=k),
        )
        yield asked(
            f"loss of a sample, {prior}",
            "values",
            values,
            lambda k, p=prior: em.sampling_utility_loss(
                population=10_000, sample=500 + next(another), prior=p, n_values=k
            ),
        )
    for work, ask in (("risk", em.sampling_risk), ("loss", em.sampling_utility_loss)):
        yield asked(
            f"{work} of a noisy sample",
            "rows",
            people,
            lambda n, a=ask: a(population=n, sample=n // 10 + next(another), n_values=3, mechanism=noise),
        )
        yield asked(
            f"{work} of a noisy sample",
            "values",
            decades(3, 3000),
            lambda k, a=ask: a(population=10_000, sample=500 + next(another), n_values=k, mechanism=noise),
        )
    yield asked(
        "size of a sample",
        "rows",
        people,
        lambda n: em.choose_sample(population=n + next(another), max_risk=0.6, max_loss=0.1, n_values=3),
    )
    yield asked(
        "epsilon without looking",
        "values",
        decades(3, 3000),
        lambda k: em.choose_without_looking(n_values=k, cell_size=20, max_risk=0.2, max_loss=0.5),
    )
    yield asked(
        "epsilon without looking",
        "rows",
        decades(10, 1e4),
        lambda n: em.choose_without_looking(n_values=3, cell_size=n, max_risk=0.2, max_loss=0.5),
    )
    for event in ("all", "any"):
        yield asked(
            f"epsilon of a guess, {event}",
            "columns",
            decades(3, 3000),
            lambda n, e=event: em.epsilon_for_advantage(0.1, groups=[(23, 365)] * n, event=e),
        )
