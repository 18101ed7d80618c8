"""Make passports.json: a passport of each kind of release, with numbers from definitions and mpmath alone."""

import hashlib
import json
from pathlib import Path

from mpmath import exp, inf, mp, mpf, nsum, sinh, sqrt, tanh

MEMBERSHIP = "how much better than a coin anyone can tell whether one person is in the table"
VALUE = "how much better than a coin anyone can tell which of two values one person has"
BELIEF = "the most that a belief of one half in a yes/no fact about one person can grow to"
ROW = (
    "Each row, taken for one person, is protected: nobody can be sure whether that person is in the table at all.",
    "add-remove",
)
OTHER = (
    "Each row, taken for one person, is protected: nobody can be sure which values that person has; "
    "how many people there are is not hidden.",
    "replace",
)


def stated(name, value, evidence, meaning):
    return {"name": name, "value": None if value is None else float(value), "evidence": evidence, "meaning": meaning}


def risks(membership, value, belief):
    return [
        stated("membership advantage", membership, "upper bound",
               "no bound: the guarantee does not hide who is in the table" if membership is None else MEMBERSHIP),
        stated("value advantage", value, "upper bound", VALUE),
        stated("belief in a yes/no fact", belief, "upper bound",
               "no bound: the guarantee fails with probability δ" if belief is None else BELIEF),
    ]  # fmt: skip


def logistic(x):
    return 1 / (1 + exp(-mpf(x)))


def counting_errors(what, probability):
    """The mean of |e| and the smallest k with Pr(|e| > k) <= 0.05, summed from the definition."""
    mean = 2 * nsum(lambda k: k * probability(k), [1, inf])
    k, inside = 0, probability(0)
    while 1 - inside > mpf("0.05"):
        k += 1
        inside += 2 * probability(k)
    return [
        stated(f"mean error of a count: {what}", mean, "exact",
               "how far a noisy count is from the true one on average"),
        stated(f"error of 95 % of counts: {what}", k, "exact",
               "95 % of the noisy counts are off by this or less"),
    ]  # fmt: skip


def geometric(scale):
    q = exp(-1 / mpf(scale))
    return lambda k: (1 - q) / (1 + q) * q ** abs(k)


def discrete_gaussian(sigma):
    weight = lambda k: exp(-(mpf(k) ** 2) / (2 * mpf(sigma) ** 2))  # noqa: E731
    total = 1 + 2 * nsum(weight, [1, inf])
    return lambda k: weight(k) / total


def gaussian_distances(sigma, epsilon):
    """Advantage for one count and for two, and the smallest delta when two counts move oppositely."""
    far = int(12 * sigma) + 2
    chance = discrete_gaussian(sigma)
    p = {k: chance(k) for k in range(-far - 1, far + 2)}
    grid = range(-far, far + 1)
    value = sum(max(p[x] * p[y] - p[x - 1] * p[y + 1], 0) for x in grid for y in grid)
    delta = sum(max(p[x] * p[y] - exp(epsilon) * p[x - 1] * p[y + 1], 0) for x in grid for y in grid)
    return p[0], value, delta


def look(what, noise, epsilon, delta=0.0, *, scale=None, moved=None):
    return {"what": what, "noise": noise, "epsilon": epsilon, "delta": delta, "scale": scale, "moved_counts": moved}


def used(what, name, scale=None, threshold=None, moved=None):
    return {"what": what, "name": name, "scale": scale, "threshold": threshold, "moved_counts": moved}


def passport(kind, *, protection, guarantee, looks, mechanisms, risks, utility, files, support=None, steps=()):
    return {
        "files": files,
        "passport": {
            "schema": "epsilometer/passport/1",
            "dataset": "stays",
            "kind": kind,
            "released_at": "2026-01-31T12:00:00Z",
            "ledger_entry": "0123456789abcdef0123456789abcdef",
            "plan": {
                "quasi_identifiers": ["sex"],
                "sensitive": ["job"],
                "release": {"kind": kind},
                "domain": {"sex": ["f", "m"], "job": ["cook", "nurse"]},
            },
            "protection": {"in_words": protection[0], "adjacency": protection[1], "contributions": 1},
            "guarantee": {"epsilon": guarantee[0], "delta": guarantee[1], "accounting": "added up"},
            "looks": [{**each, "adjacency": protection[1], "unit": "row", "rows_per_person": None} for each in looks],
            "mechanisms": mechanisms,
            "support": support,
            "post_processing": list(steps),
            "risks": risks,
            "utility": utility,
            "outputs": [
                {
                    "file": name,
                    "sha256": hashlib.sha256(text.encode()).hexdigest(),
                    "bytes": len(text.encode()),
                    "rows": text.count("\n") - 1,
                    "columns": text.partition("\n")[0].replace('"', "").split(","),
                }
                for name, text in files.items()
            ],
            "input_commitment": hashlib.sha256(kind.encode()).hexdigest(),
            "unsafe_seed": None,
            "versions": {"epsilometer": "0.1.0", "opendp": "0.16.0", "python": "3.12.0"},
        },
    }


def passports():
    both = {"counts.csv": '"sex","job","count"\n"f","cook",3\n"f","nurse",-1\n"m","cook",0\n"m","nurse",2\n'}
    half, declared = tanh(mpf(1) / 2), {"kind": "declared", "delta": 0.0}
    made = {
        "counts": passport(
            "counts", protection=ROW, guarantee=(1.0, 0.0), files=both, support=declared, steps=["non-negative"],
            looks=[look("counts of sex, job", "geometric", 1.0, scale=1.0, moved=1)],
            mechanisms=[used("counts of sex, job", "geometric", 1.0, None, 1)],
            risks=risks(half, half, logistic(2)),
            utility=counting_errors("counts of sex, job", geometric(1)),
        ),
        "two tables": passport(
            "counts", protection=ROW, guarantee=(1.0, 0.0), support=declared,
            files={"sex.csv": "sex,count\nf,3\nm,2\n", "job.csv": "job,count\ncook,4\nnurse,1\n"},
            looks=[look("counts of sex", "geometric", 0.75, scale=4 / 3, moved=1),
                   look("counts of job", "geometric", 0.25, scale=4.0, moved=1)],
            mechanisms=[used("counts of sex", "geometric", 4 / 3, None, 1),
                        used("counts of job", "geometric", 4.0, None, 1)],
            risks=risks(half, tanh(mpf(1)), logistic(2)),
            utility=counting_errors("counts of sex", geometric(4 / 3)) + counting_errors("counts of job", geometric(4)),
        ),
        "thresholded": passport(
            "counts", protection=ROW, guarantee=(1.0, 1e-6), files={"counts.csv": "sex,job,count\nf,cook,40\n"},
            support={"kind": "thresholded", "delta": 1e-6},
            looks=[look("counts of sex, job", "geometric", 1.0, scale=1.0, moved=1),
                   look("which counts are listed", "any", 0.0, 1e-6)],
            mechanisms=[used("counts of sex, job", "geometric", 1.0, 15.0, 1)],
            risks=risks(half + mpf("1e-6") * (1 - half),
                        tanh(mpf(1)) + mpf("1e-6") * (1 + exp(1)) * (1 - tanh(mpf(1))), None),
            utility=counting_errors("counts of sex, job", geometric(1)),
        ),
        "sample": passport(
            "sample", protection=("Nobody who was drawn is protected: their rows are published as they are. "
                                  "Nothing is told of all others.", "replace"),
            guarantee=(0.0, 0.05), files={"sample.csv": "sex,job\nf,cook\nm,nurse\nm,cook\nf,nurse\n"},
            looks=[look("a sample", "any", 0.0, 0.05)], mechanisms=[used("a sample", "simple random sample")],
            risks=risks(0.05, 0.05, None),
            utility=[stated("standard error of a share: 4 rows", 1 / (2 * sqrt(4)), "upper bound",
                            "how far a share of the sample is from the true one, typically and at most")],
        ),
        "synthetic": passport(
            "synthetic", protection=ROW, guarantee=(1.0, 1e-6), files={"made.csv": "sex,job\nf,cook\nm,cook\n"},
            looks=[look("a synthetic table by mst", "any", 1.0, 1e-6)],
            mechanisms=[used("a synthetic table by mst", "mst")],
            risks=risks(half + mpf("1e-6") * (1 - half),
                        tanh(mpf(1)) + mpf("1e-6") * (1 + exp(1)) * (1 - tanh(mpf(1))), None),
            utility=[],
        ),
        "local": passport(
            "local", protection=("What each person said is protected: they changed it by chance before anybody saw it. "
                                 "Who took part is not hidden.", "replace"),
            guarantee=(1.0, 0.0), files={"reports.csv": "report\ncook\nnurse\ncook\n"},
            looks=[look("reports on job", "any", 1.0)], mechanisms=[used("reports on job", "randomized-response")],
            risks=risks(None, half, logistic(1)), utility=[],
        ),
    }  # fmt: skip
    sigma = 5.3
    membership, value, delta = gaussian_distances(sigma, 1)
    spent = float(delta) * (1 + 1e-6)
    made["gaussian"] = passport(
        "counts", protection=OTHER, guarantee=(1.0, spent), files=both, support=declared,
        looks=[look("counts of sex, job", "discrete-gaussian", 1.0, spent, scale=sigma, moved=2)],
        mechanisms=[used("counts of sex, job", "discrete-gaussian", sigma, None, 2)],
        risks=risks(membership, value, None),
        utility=counting_errors("counts of sex, job", discrete_gaussian(sigma)),
    )  # fmt: skip
    assert abs(1 / sinh(mpf(1)) - made["counts"]["passport"]["utility"][0]["value"]) < 1e-15
    return made


if __name__ == "__main__":
    mp.dps = 30
    text = json.dumps(passports(), indent=2, ensure_ascii=False)
    Path(__file__).with_suffix(".json").write_text(text + "\n", encoding="utf-8")
