"""Distances of synthetic records to the closest real one, of numbers and words together."""

from benchmarks.comparison import Comparison, Way
from benchmarks.pins import SDMETRICS

ROWS = 3_000
NUMBERS = ["age", "income"]
WORDS = ["sex", "region", "education"]


def overfitting_ours(**paths):
    import epsilometer as em

    training, synthetic, held_out = _frames(paths)

    def work():
        of_training = em.nearest_distances(training, synthetic, metric="gower")
        of_others = em.nearest_distances(held_out, synthetic, metric="gower")
        return [(of_training < of_others - 1e-12).mean()]

    return work


def overfitting_by_sdmetrics(**paths):
    from sdmetrics.single_table import DCROverfittingProtection

    training, synthetic, held_out = _frames(paths)

    def work():
        found = DCROverfittingProtection.compute_breakdown(training, synthetic, held_out, _metadata(), "people")
        return [found["synthetic_data_percentages"]["closer_to_training"]]

    return work


def baseline_ours(**paths):
    import numpy as np
    import pandas as pd

    import epsilometer as em

    training, synthetic, _ = _frames(paths)

    def work():
        rng = np.random.default_rng(0)
        uniform = {name: rng.uniform(training[name].min(), training[name].max(), len(synthetic)) for name in NUMBERS}
        values = {name: rng.choice(training[name].unique(), len(synthetic)) for name in WORDS}
        tables = synthetic, pd.DataFrame(uniform | values)[list(training.columns)]
        of_table, _ = (np.median(em.nearest_distances(training, table, metric="gower")) for table in tables)
        return [of_table]

    return work


def baseline_by_sdmetrics(**paths):
    from sdmetrics.single_table import DCRBaselineProtection

    training, synthetic, _ = _frames(paths)

    def work():
        found = DCRBaselineProtection.compute_breakdown(training, synthetic, _metadata(), "people")
        return [found["median_DCR_to_real_data"]["synthetic_data"]]

    return work


def _metadata():
    columns = {name: {"sdtype": "numerical"} for name in NUMBERS} | {name: {"sdtype": "categorical"} for name in WORDS}
    return {"tables": {"people": {"columns": columns}}}


def _frames(paths):
    import pandas as pd

    return [pd.read_parquet(paths[name]) for name in ("training", "synthetic", "held_out")]


def comparisons(folder, scale):
    from benchmarks.made_tables import written

    rows = int(ROWS * scale)
    # the first two rows are the ends of the ranges in every table, so that no distance is cut off
    query = """
        SELECT CASE i WHEN 0 THEN 18.0 WHEN 1 THEN 88.0 ELSE 18 + 70 * pow(random(), 1.4) END AS age,
               CASE i WHEN 0 THEN 0.0 WHEN 1 THEN 1e5 ELSE 1e5 * pow(random(), 3) END AS income,
               'sex ' || floor(2 * random())::INTEGER AS sex,
               'region ' || floor(9 * pow(random(), 2))::INTEGER AS region,
               'level ' || floor(6 * random())::INTEGER AS education
        FROM range({rows}) AS t(i)
    """
    paths = {
        name: written(query, rows, folder / f"mixed_{name}_{rows}.parquet", seed)
        for name, seed in (("training", 0.1), ("synthetic", 0.2), ("held_out", 0.3))
    }
    several = {
        "Closest real people, of the table and held out": (overfitting_ours, overfitting_by_sdmetrics),
        "Closest real people, of the table and of random rows": (baseline_ours, baseline_by_sdmetrics),
    }
    for work, (by_us, by_them) in several.items():
        yield Comparison(
            work=work,
            size=f"{rows:,} rows each, 2 columns of numbers and 3 of text",
            same="Exact distances of every synthetic record to the closest of the others, by Gower's coefficient.",
            ours=by_us,
            peers=(Way("SDMetrics", by_them, "sdmetrics", SDMETRICS),),
            arguments=paths,
        )
