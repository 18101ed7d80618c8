"""Make pycanon_vectors.json: what pycanon 1.3.6 says of tables given as profiles.

pycanon pins an old numpy, so it runs in an environment of its own, from the root of the repository::

    uv venv -p 3.11 build/pycanon && uv pip install -p build/pycanon pycanon==1.3.6
    build/pycanon/bin/python tests/reference/pycanon_vectors.py

The two real tables are read from ../shared/data and kept as profiles only.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
DATA = HERE.parents[2] / "shared" / "data"

SMALL_TABLES = {
    "one cell": [[3, 2]],
    "two even cells": [[2, 2], [2, 2]],
    "one value dominates": [[9, 1], [2, 2]],
    "mirrored cells": [[3, 2], [2, 3]],
    "homogeneous": [[4, 0], [0, 4], [0, 4], [0, 4]],
    "singletons": [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]],
    "some homogeneous": [[5, 0, 0], [2, 1, 0], [1, 1, 4]],
    "gains within the logarithm": [[30, 5, 5], [24, 8, 8], [27, 7, 6]],
    "skewed": [[97, 1, 1, 1], [40, 30, 20, 10], [5, 5, 5, 85]],
    "salaries": [[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0, 1], [0, 0, 0, 0, 1, 0, 1, 1, 0]],
}
BANKRUPTCY = [
    "industrial_risk",
    "management_risk",
    "financial_flexibility",
    "credibility",
    "competitiveness",
    "operating_risk",
]
ADULT = ["age", "education", "relationship", "race", "sex", "hours_per_week"]


def random_tables(seed: int = 20240229) -> dict[str, list[list[int]]]:
    """Five tables per number of values, with every value somewhere; in two of them, in every cell."""
    rng = np.random.default_rng(seed)
    tables = {}
    for n_values in range(2, 6):
        for i in range(5):
            shares = rng.dirichlet(np.full(n_values, 1.0), size=12)
            counts = rng.poisson(shares * rng.integers(2, 30, size=(12, 1)))
            counts[:n_values] += np.eye(n_values, dtype=int)
            counts += i // 3
            tables[f"random, {n_values} values, {i + 1}"] = counts[counts.sum(axis=1) > 0].tolist()
    return tables


def rows_from_counts(counts: list[list[int]]) -> pd.DataFrame:
    cells, values = np.nonzero(counts)
    rows = pd.DataFrame({"cell": cells, "value": values})
    return rows.loc[rows.index.repeat(np.asarray(counts)[cells, values])].reset_index(drop=True)


def bankruptcy_rows() -> pd.DataFrame:
    data = pd.read_csv(DATA / "bankruptcy.csv")
    return pd.DataFrame({"cell": data.groupby(BANKRUPTCY).ngroup(), "value": data["class"].map({"B": 0, "NB": 1})})


def adult_rows() -> pd.DataFrame:
    """Six quasi-identifiers, binned as in Paper 001; complete training rows born in the United States."""
    data = pd.read_csv(DATA / "adult.csv", na_values="?").query("split == 'train'").dropna()
    data = data[data["native_country"] == "United-States"]
    data["age"] = pd.cut(data["age"], range(15, 91, 5)).cat.codes
    data["hours_per_week"] = pd.cut(data["hours_per_week"], range(0, 101, 10)).cat.codes
    rows = pd.DataFrame({"cell": data.groupby(ADULT).ngroup(), "value": (data["income"] == ">50K").astype(int)})
    return rows.reset_index(drop=True)


def profile(rows: pd.DataFrame) -> dict[str, list]:
    counts = pd.crosstab(rows["cell"], rows["value"]).to_numpy()
    vectors, n_cells = np.unique(counts, axis=0, return_counts=True)
    return {"counts": vectors.tolist(), "n_cells": n_cells.tolist()}


def pycanon_measures(rows: pd.DataFrame) -> dict[str, float | None]:
    from pycanon import anonymity
    from pycanon.metrics import _reidentification_metrics as reidentification

    text = rows.assign(value="v" + rows["value"].astype(str))  # text columns get the equal distance
    cell, value = ["cell"], ["value"]
    alpha, k = anonymity.alpha_k_anonymity(text, cell, value)
    c, l_of_c = anonymity.recursive_c_l_diversity(text, cell, value)
    measures = {
        "k": k,
        "alpha": alpha,
        "distinct_l": anonymity.l_diversity(text, cell, value),
        "entropy_l": anonymity.entropy_l_diversity(text, cell, value),
        "recursive_c": c,
        "recursive_l": l_of_c,
        "t_equal": anonymity.t_closeness(text, cell, value),
        "t_ordered": anonymity.t_closeness(rows, cell, value),
        "basic_beta": anonymity.basic_beta_likeness(text, cell, value),
        "enhanced_beta": anonymity.enhanced_beta_likeness(text, cell, value),
        "delta_disclosure": anonymity.delta_disclosure(text, cell, value),
        "largest_reidentification_risk": reidentification.max_rir(text, cell),
        "average_reidentification_risk": reidentification.average_rir(text, cell),
    }
    return {name: None if math.isnan(number) else float(number) for name, number in measures.items()}


def main() -> None:
    tables = {name: rows_from_counts(counts) for name, counts in (SMALL_TABLES | random_tables()).items()}
    tables |= {"bankruptcy, 6 quasi-identifiers": bankruptcy_rows(), "adult, 6 quasi-identifiers": adult_rows()}
    vectors = [{"table": name, **profile(rows), "pycanon": pycanon_measures(rows)} for name, rows in tables.items()]
    lines = ",\n".join(json.dumps(vector) for vector in vectors)
    (HERE / "pycanon_vectors.json").write_text(f'{{"tool": "pycanon 1.3.6", "vectors": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
