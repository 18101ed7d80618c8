"""What is read off the rows of a table: counting, assessing, choosing, attackers, columns, usefulness, reports."""

import duckdb
import pyarrow.parquet as pq

import epsilometer as em
from benchmarks.growing.growth import Growth, decades
from epsilometer.assessments.curves import risk_and_loss
from epsilometer.assessments.exploring.suggestions import suggest_roles
from epsilometer.assessments.joint import NoisyTable, joint_risk
from epsilometer.report.building.counts import counts_report
from epsilometer.report.rendering.html import as_html
from epsilometer.tables.roles import Roles

ROWS = decades(1e4, 1e7)
FEWER_ROWS = decades(1e3, 1e6)
PAIRS, SUBSETS, NEIGHBOURS = "it is about pairs of columns", "it is about subsets of columns", "a neighbour problem"
LAPLACE = em.Laplace(epsilon=1.0)


def people(folder, rows, *, columns=3, cells=200, values=5, form="parquet"):
    """Write a table once and return its path: ``columns`` quasi-identifiers that make so many cells, and ``s``."""
    path = folder / f"{rows}-{columns}-{cells}-{values}.{form}"
    if not path.exists():
        of_each = max(2, round(cells ** (1 / columns)))
        known = ", ".join(f"floor(random() * {of_each})::INTEGER AS q{i}" for i in range(columns))
        with duckdb.connect() as connection:
            connection.execute("SET threads = 1")  # so that a seed means something
            connection.execute("SELECT setseed(0.5)")
            connection.execute(
                f"COPY (SELECT {known}, 'v' || floor({values} * pow(random(), 1.5))::INTEGER AS s FROM range({rows})) "
                f"TO '{path}'"
            )
    return str(path)


def known(columns=3):
    return tuple(f"q{i}" for i in range(columns))


def plan(path, columns=3, **more):
    return em.Plan(table=path, quasi_identifiers=known(columns), sensitive=("s",), **more)


def questions(folder):
    yield from _counting(folder)
    yield from _assessing(folder)
    yield from _columns(folder)
    yield from _two_tables(folder)
    yield from _reports(folder)


def _of(folder, work, over, sizes, ask, *, more="", **fixed):
    """A question to a table of which one size grows."""

    def prepare(size):
        path = people(folder, **{"rows": 10**5} | fixed | {over: size})
        n_columns = size if over == "columns" else fixed.get("columns", 3)
        return lambda: ask(path, n_columns)

    return Growth(work=work, over=over, sizes=sizes, prepare=prepare, more=more)


def _counting(folder):
    def count(path, columns):
        return em.frequency_table(path, quasi_identifiers=known(columns), sensitive="s")

    yield _of(folder, "counting, Parquet", "rows", ROWS, count)
    yield _of(folder, "counting, CSV", "rows", decades(3e3, 3e6), count, form="csv")
    yield _of(folder, "counting, Parquet", "cells", decades(1e3, 1e6), count, rows=10**6)
    yield _of(folder, "counting, Parquet", "values", decades(4, 4000), count)
    yield _of(folder, "counting, Parquet", "columns", decades(2, 2000), count, rows=10**4)


def _assessing(folder):
    def attackers(path, columns):
        return em.find_attackers(plan(path, columns), max_risk=0.5)

    def choice(path, columns):
        return em.choose(plan(path, columns, max_risk=0.2, max_loss=0.2))

    def joint(path, columns):
        some = NoisyTable(Roles(known(columns)[:2], ("s",)), LAPLACE)
        return joint_risk(path, [some, NoisyTable(Roles(known(columns)[1:], ("s",)), LAPLACE)])

    asked = {"assessing a plan": lambda path, columns: em.assess(plan(path, columns), riskiest=5)}
    asked |= {"choosing epsilon": choice, "several releases together": joint, "finding attackers": attackers}
    for work, ask in asked.items():
        yield _of(folder, work, "rows", FEWER_ROWS, ask)
        yield _of(folder, work, "cells", decades(100, 1e5), ask)
        yield _of(folder, work, "values", decades(2, 2000), ask)
    yield _of(folder, "finding attackers", "columns", (3, 4, 6, 8, 10), attackers, more=SUBSETS)


def _columns(folder):
    def guessed(path, _):
        return em.guessed_columns(path, ["q0"], by=["q1", "s"])

    yield _of(folder, "suggesting roles", "rows", FEWER_ROWS, lambda path, _: suggest_roles(path))
    yield _of(folder, "suggesting roles", "columns", decades(3, 3000), lambda path, _: suggest_roles(path), rows=10**4)
    yield _of(folder, "epsilon of a guess, by column", "rows", FEWER_ROWS, guessed)


def _two_tables(folder):
    def with_itself(measure, **about):
        def ask(path, _):
            rows = pq.read_table(path)
            return measure(rows, rows.slice(1), **about)

        return ask

    marginals, moments = with_itself(em.marginal_distance), with_itself(em.moment_errors)
    yield _of(folder, "distances of marginals", "rows", decades(3e3, 3e6), marginals)
    yield _of(folder, "distances of marginals", "columns", (4, 8, 16, 32), marginals, more=PAIRS, rows=10**4)
    yield _of(folder, "errors of moments", "rows", decades(3e3, 3e6), moments)
    yield _of(folder, "errors of moments", "columns", (4, 8, 16, 32), moments, more=PAIRS, rows=10**4)
    nearest = with_itself(em.nearest_distances, columns=("q0", "q1", "q2"))
    yield _of(folder, "nearest records", "rows", decades(1e3, 1e5), nearest, more=NEIGHBOURS, cells=10**6)


def _reports(folder):
    def report(path, columns):
        about = plan(path, columns)
        curves = risk_and_loss(em.frequency_table(path, quasi_identifiers=known(columns), sensitive="s"), LAPLACE)
        return as_html(counts_report(em.assess(about, riskiest=5), [curves]))

    yield _of(folder, "report on noisy counts", "rows", decades(1e3, 1e6), report)
    yield _of(folder, "report on noisy counts", "cells", decades(100, 1e5), report)
    yield _of(folder, "report on noisy counts", "values", decades(2, 2000), report)
