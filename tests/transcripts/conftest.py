"""The people of the transcripts, in several formats."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(7)
    n = 40
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "sex": rng.choice(["f", "m", "?"], n),
            "job": rng.choice(["cook", "nurse", "smith"], n),
            "wage": rng.uniform(0, 100, n).round(2),
            "dose": rng.choice(["1", "1.0"], n),
            "who": rng.integers(0, 20, n),
        }
    )


@pytest.fixture(scope="module")
def sources(people, tmp_path_factory):
    folder = tmp_path_factory.mktemp("people")
    people.to_csv(folder / "t.csv", index=False)
    people.to_csv(folder / "t.csv.gz", index=False)
    people.to_csv(folder / "t.tsv", index=False, sep="\t")
    people.to_json(folder / "t.jsonl", orient="records", lines=True)
    people.to_parquet(folder / "t.parquet")
    return {name: str(folder / name) for name in ("t.csv", "t.csv.gz", "t.tsv", "t.jsonl", "t.parquet")}
