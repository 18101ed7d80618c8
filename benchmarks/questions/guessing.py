"""How often a synthetic table helps to guess a column: of people it was made from, and of people held out.

Peers differ in what they do where several synthetic people are like the target, or none is: they take one of them, or
all in proportion, or the most frequent value. Here everybody's known columns occur in the synthetic table, and decide
the value there: then all of them make the same guess.
"""

from benchmarks.comparison import Comparison, Way
from benchmarks.pins import ANONYMETER, SDMETRICS

ROWS = 6_000
KEYS = ["age", "sex", "region", "education"]
SECRET = "disease"
N_VALUES = {"age": 15, "sex": 2, "region": 5, "education": 4}
COMBINATIONS = 600


def ours(**paths):
    from epsilometer.assessments.synthetic.measures import Roles, people
    from epsilometer.attacks.inference import inference_risk
    from epsilometer.tables.records import read_records

    frames = _frames(paths)
    roles = Roles(tuple(KEYS), SECRET)

    def work():
        training, synthetic, held_out = people([read_records(frame, ()) for frame in frames], roles)
        best = inference_risk(synthetic, training, held_out, seed=0).best
        return best.training.value, best.control.value

    return work


def by_anonymeter(**paths):
    from anonymeter.evaluators import InferenceEvaluator

    training, synthetic, held_out = _frames(paths)

    def guessed(n_attacks):
        tried = InferenceEvaluator(
            training, synthetic, control=held_out, aux_cols=KEYS, secret=SECRET, n_attacks=n_attacks
        )
        found = tried.evaluate(n_jobs=-1)
        return found._n_success / n_attacks, found._n_control / n_attacks  # noqa: SLF001

    guessed(10)  # compiles
    return lambda: guessed(len(training))


def by_sdmetrics(**paths):
    from sdmetrics.single_table import DisclosureProtection

    training, synthetic, held_out = _frames(paths)

    def guessed(people):
        found = DisclosureProtection.compute_breakdown(people, synthetic, KEYS, [SECRET])
        return 1 - found["cap_protection"]

    return lambda: [guessed(training), guessed(held_out)]


def _frames(paths):
    import pandas as pd

    return [pd.read_parquet(paths[name]) for name in ("training", "synthetic", "held_out")]


def comparisons(folder, scale):
    from benchmarks.made_tables import uniform, written

    rows = int(ROWS * scale)
    texts = ", ".join(f"'{name} ' || {name} AS {name}" for name in KEYS)
    decided = "'value ' || (age * 7 + sex * 3 + region + education * 5) % 6"
    erring = f"CASE WHEN random() < 0.6 THEN {decided} ELSE 'value ' || floor(6 * random())::INTEGER END"
    people = f"SELECT {texts}, {erring} AS {SECRET} FROM ({uniform(N_VALUES)})"
    every = " CROSS JOIN ".join(f"range({n}) AS _{name}({name})" for name, n in N_VALUES.items())
    made = f"SELECT {texts}, {decided} AS {SECRET} FROM {every} CROSS JOIN range({{rows}} // {COMBINATIONS})"
    paths = {
        "training": written(people, rows, folder / f"training_{rows}.parquet", 0.1),
        "synthetic": written(made, rows, folder / f"synthetic_{rows}.parquet"),
        "held_out": written(people, rows, folder / f"held_out_{rows}.parquet", 0.3),
    }
    yield Comparison(
        work="Guessing a column with a synthetic table",
        size=f"{rows:,} people and as many held out, 5 columns of text",
        same="Shares guessed right of both groups, everybody attacked, on tables for which all tools guess the same.",
        ours=ours,
        peers=(
            Way("anonymeter", by_anonymeter, "anonymeter", ANONYMETER),
            Way("SDMetrics", by_sdmetrics, "sdmetrics", SDMETRICS),
        ),
        arguments=paths,
    )
