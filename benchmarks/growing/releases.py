"""What is published: noisy counts, samples, randomised answers, synthetic tables."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import epsilometer as em
from benchmarks.growing.growth import Growth, decades
from benchmarks.growing.tables import PAIRS, known, people
from epsilometer.randomizers import LocalLaplace, RandomizedResponse, UnaryEncoding
from epsilometer.randomizers.drawing import draw, shuffle

MARKING = {"randomised response": RandomizedResponse, "unary encoding": UnaryEncoding}
METHODS = ("mst", "privbayes", "jtree", "priview", "dpcopula", "contingency", "wavelet", "dpcube")
IN_PARTS = dict.fromkeys(("privbayes", "jtree", "priview", "dpcopula"), (4, 6, 8, 12))  # not from one whole table


def questions(folder):
    yield from _counts(folder)
    yield from _people(folder)
    yield from _synthetic(folder)


def _released(folder, work, over, sizes, kind, **fixed):
    def prepare(size):
        about = {"rows": 10**4, "cells": 200, "values": 5, "columns": 3} | fixed | {over: size}
        path = people(folder, **about)
        plan = em.Plan(
            table=path,
            quasi_identifiers=known(about["columns"]),
            sensitive=("s",),
            domain=_domain(**about),
            release=kind(about),
        )
        ledger = folder / f"ledger-{work}-{over}-{size}.sqlite".replace(" ", "-")
        return lambda: em.release(plan, out=folder / "out.csv", ledger=ledger, overwrite=True)

    return Growth(work=work, over=over, sizes=sizes, prepare=prepare)


def _domain(*, columns, cells, values, **_):
    of_each = max(2, round(cells ** (1 / columns)))
    return {name: list(range(of_each)) for name in known(columns)} | {"s": [f"v{i}" for i in range(values)]}


def _counts(folder):
    def declared(_):
        return em.Counts(mechanism=em.Geometric(epsilon=1.0))

    def processed(_):
        return em.Counts(mechanism=em.Geometric(epsilon=1.0), post_processing=("non-negative", "whole"))

    def thresholded(_):
        return em.Counts(support="thresholded", support_delta=1e-6)

    for work, kind in (
        ("release of counts, declared", declared),
        ("release of counts, made consistent", processed),
        ("release of counts, thresholded", thresholded),
    ):
        yield _released(folder, work, "rows", decades(1e3, 1e6), kind)
        yield _released(folder, work, "cells", decades(30, 3e4), kind)
        yield _released(folder, work, "values", decades(3, 1000), kind)


def _people(folder):
    yield _released(
        folder, "release of a sample", "rows", decades(1e3, 1e6), lambda about: em.Sample(size=about["rows"] // 10)
    )
    rows = decades(3e3, 3e6)
    for name, kind in MARKING.items():

        def reports(size, kind=kind):
            values, randomizer = np.arange(size) % 5, kind(epsilon=1.0, n_values=5)
            return lambda: shuffle(draw(randomizer, values))

        yield Growth(work=f"randomised reports, {name}", over="rows", sizes=rows, prepare=reports)

    def numbers(size):
        table, randomizer = pa.table({"x": np.arange(size) % 100}), LocalLaplace(epsilon=1.0, low=0.0, high=99.0)
        return lambda: em.local_release(table, "x", randomizer)

    yield Growth(work="local release, numbers with noise", over="rows", sizes=rows, prepare=numbers)
    for name, kind in MARKING.items():

        def risk(size, kind=kind):
            shares = np.full(size, 1 / size)
            return lambda: em.local_risk(kind(epsilon=1.0, n_values=size), shares, n_people=10_000)

        yield Growth(work=f"local risk, {name}", over="values", sizes=decades(3, 3000), prepare=risk)


def _synthetic(folder):
    for method in METHODS:
        yield _made(folder, method, "rows", decades(1e3, 1e6, 1))
    for method, columns in IN_PARTS.items():
        yield _made(folder, method, "columns", columns, more=PAIRS)


def _made(folder, method, over, sizes, more=""):
    def prepare(size):
        about = {"rows": 3000, "columns": 3, "values": 4} | {over: size}
        about |= {"cells": 4 ** about["columns"]}
        table = pq.read_table(people(folder, **about))
        return lambda: em.synthesize(table, method=method, epsilon=1.0, domain=_domain(**about))

    return Growth(work=f"synthetic table, {method}", over=over, sizes=sizes, prepare=prepare, more=more)
