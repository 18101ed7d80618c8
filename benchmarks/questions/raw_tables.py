"""The classic measures of an unprotected table: k-anonymity, l-diversity, t-closeness."""

from benchmarks.comparison import Comparison, Way
from benchmarks.pins import PYCANON

ROWS = 20_000
KEYS = ["age", "sex", "region", "education"]
SECRET = "disease"
N_VALUES = {"age": 20, "sex": 2, "region": 5, "education": 4, "disease": 6}


def ours(path):
    """From a frame in memory."""
    import pandas as pd

    return ours_of_a_file(pd.read_parquet(path))


def ours_of_a_file(rows):
    """From a file, which needs no pandas; or from whatever else is a table."""
    import epsilometer as em

    def work():
        found = em.raw_risk(em.frequency_table(rows, quasi_identifiers=KEYS, sensitive=SECRET))
        return found.anonymity.k, found.diversity.distinct_l, found.closeness.equal_distance

    return work


def by_pycanon(path):
    import pandas as pd
    from pycanon import anonymity

    rows = pd.read_parquet(path)

    def work():
        measures = (anonymity.k_anonymity(rows, KEYS), anonymity.l_diversity(rows, KEYS, [SECRET]))
        return *measures, anonymity.t_closeness(rows, KEYS, [SECRET])

    return work


def comparisons(folder, scale):
    from benchmarks.made_tables import uniform, written

    rows = int(ROWS * scale)
    texts = ", ".join(f"'{name} ' || {name} AS {name}" for name in N_VALUES)
    query = f"SELECT {texts} FROM ({uniform(N_VALUES)})"
    yield Comparison(
        work="k, l and t of a table in memory",
        size=f"{rows:,} rows, 5 columns of text",
        same="A pandas frame goes in. Ours computes some twenty other measures on the way.",
        ours=ours,
        peers=(Way("pycanon", by_pycanon, "pycanon", PYCANON),),
        arguments={"path": written(query, rows, folder / f"raw_{rows}.parquet")},
    )
