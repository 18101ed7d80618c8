"""The papers' tables, from the raw files through the command line with bins, filter and missing marks as flags.

Expected figures: counts and risks to five digits that were worked out independently of this package.
"""

import json
from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the raw files are not part of the project")

EPSILONS = (0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10)
CURVE = [flag for epsilon in EPSILONS for flag in ("-e", str(epsilon))]
RATINGS = ("industrial_risk", "management_risk", "credibility", "competitiveness", "operating_risk")


def roles(known, wanted):
    return [*(flag for name in known for flag in ("-q", name)), "-s", wanted]


BANKRUPTCY = ["bankruptcy.csv", *roles((*RATINGS, "financial_flexibility"), "class")]
SUBSET = ["bankruptcy.csv", *roles(RATINGS, "financial_flexibility")]
ADULT = [
    "adult.csv",
    *roles(("age", "relationship", "education", "race", "sex", "hours_per_week"), "income"),
    "--bin", "age:width=5,origin=15,closed=right",
    "--bin", "hours_per_week:width=10,origin=0,closed=right",
    "--missing", "?",
    "--where", "split = 'train' and native_country = 'United-States' "
    "and workclass is not null and occupation is not null",
]  # fmt: skip


def assessed(run, flags):
    outcome = run("assess", DATA / flags[0], *flags[1:], *CURVE, "--json")
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)["attributes"][0]


@pytest.mark.parametrize(
    ("flags", "records", "cells", "homogeneous"),
    [(BANKRUPTCY, 250, 103, 103), (SUBSET, 250, 78, 54), (ADULT, 27_504, 5_009, 4_044)],
    ids=["bankruptcy", "subset", "adult"],
)
def test_counts(run, flags, records, cells, homogeneous):
    raw = assessed(run, flags)["raw"]
    assert (raw["n_records"], raw["n_cells"]) == (records, cells)
    assert raw["diversity"]["homogeneous_cells"] == homogeneous


@pytest.mark.parametrize(
    ("flags", "which", "expected"),
    [
        (ADULT, "cells", [0.29869, 0.30223, 0.32465, 0.40229, 0.48203, 0.60111, 0.75877, 0.80330]),
        (SUBSET, "cells", [0.16536, 0.16800, 0.19106, 0.26335, 0.33462, 0.45273, 0.63289, 0.68731]),
        (ADULT, "pieces", [0.25113, 0.26002, 0.31267, 0.44687, 0.56529, 0.72963, 0.93712, 0.99477]),
        (BANKRUPTCY, "pieces", [0.25061, 0.25600, 0.30500, 0.46333, 0.59734, 0.76383, 0.94775, 0.99569]),
        (BANKRUPTCY, "cells", [0.25061, 0.25600, 0.30500, 0.46333, 0.59734, 0.76383, 0.94775, 0.99569]),
    ],
    ids=["adult local", "subset local", "adult corollary 3", "bankruptcy corollary 3", "bankruptcy local"],
)
def test_risks(run, flags, which, expected):
    risk = assessed(run, flags)[which]
    assert risk["value"] == pytest.approx(expected, abs=5.1e-6)
    assert risk["evidence"] == ("exact" if which == "cells" else "as printed")


def test_adult_pieces_are_the_papers_cells(run):
    assert "5,974 pieces" in " ".join(assessed(run, ADULT)["pieces"]["caveats"])
