"""Tables and plans that transcripts are taken of."""

from dataclasses import replace

from epsilometer import Plan
from epsilometer.mechanisms import DiscreteGaussian, Geometric
from epsilometer.plans.release_kinds import Counts, CountsOf

PAIRS = 100
FEW = 60
DOMAIN = {
    "sex": ["f", "m"],
    "job": {"values": ["cook", "nurse"], "other": "other"},
    "age": {"low": 0, "high": 99, "missing": True},
    "wage": {"low": 0.5, "high": 90.25},
}
NOISE, GAUSSIAN = Geometric(epsilon=1.0), DiscreteGaussian(epsilon=1.0, delta=1e-6)


def planned(table, **changes):
    plan = Plan(table=table, quasi_identifiers=("sex",), sensitive=("job",), unit="row", domain=DOMAIN)
    return replace(plan, **changes)


COUNTS = {
    "plain": {},
    "gaussian": {"release": Counts(mechanism=GAUSSIAN)},
    "replaced": {"release": Counts(mechanism=Geometric(epsilon=1.0, adjacency="replace"))},
    "threshold": {"release": Counts(mechanism=Geometric(epsilon=1.0, threshold=3.0))},
    "range": {"quasi_identifiers": ("age",)},
    "bins": {"quasi_identifiers": ("age", "wage"), "bins": {"age": 10, "wage": 25}},
    "types": {"types": {"age": "integer", "who": "text"}, "quasi_identifiers": ("age",)},
    "filter": {"where": "sex = 'f' or job in ('cook', 'x')"},
    "filter on numbers": {
        "types": {"age": "integer", "wage": "number"},
        "where": "wage * 2 > 30 and age between 20 and 80",
    },
    "marks": {"missing": ("?", "NA"), "domain": {**DOMAIN, "sex": {"values": ["f", "m"], "missing": True}}},
    "several tables": {
        "quasi_identifiers": ("sex", "age"),
        "bins": {"age": 20},
        "release": Counts(mechanism=NOISE, tables=(CountsOf(columns=("sex", "job")), CountsOf(columns=("age",)))),
    },
    "non-negative and whole": {"release": Counts(mechanism=NOISE, post_processing=("non-negative", "whole"))},
    "totals": {
        "quasi_identifiers": ("sex", "age"),
        "bins": {"age": 20},
        "release": Counts(
            mechanism=NOISE,
            tables=(CountsOf(columns=("sex", "job")), CountsOf(columns=("sex", "age"))),
            post_processing=("totals", "non-negative"),
        ),
    },
    "listed": {"release": Counts(mechanism=NOISE, support="thresholded", support_delta=1e-3)},
}
