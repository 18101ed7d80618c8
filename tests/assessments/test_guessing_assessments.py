"""Epsilon from a guessing advantage and back: the paper's numbers, the promise kept, and what is said about it."""

import json
import math
import re
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest

import epsilometer as em
from epsilometer.errors import BadQuestion, OutOfRange, UnknownChoice

ORACLE = json.loads((Path(__file__).parents[1] / "reference" / "oracle.json").read_text(encoding="utf-8"))
ENTRIES = [entry for entry in ORACLE["references"] if entry["id"].startswith("birthday-")]
THREE_GROUPS = [(5, 30), (4, 20), (6, 50)]


def asked(inputs):
    groups = inputs.get("groups") or [(inputs["k"], inputs["N"])]
    return {"advantage": float(inputs["delta"]), "groups": groups, "sensitivity": inputs["R"]}


def epsilons(inputs, *settings):
    return [em.epsilon_for_advantage(**asked(inputs), **setting).value for setting in settings]


PUBLISHED = {"method": "published"}
ANSWERS = {
    "birthday-pi": lambda inputs: [em.uniqueness_probability(inputs["k"], inputs["N"])],
    "birthday-logpi": lambda inputs: [em.uniqueness_probability(inputs["k"], inputs["N"])],
    "birthday-eps": lambda inputs: epsilons(inputs, {}, {"released": "jointly"}, PUBLISHED),
    "birthday-and": lambda inputs: epsilons(
        inputs, {"event": "all", "released": "jointly"}, {"event": "all", **PUBLISHED}
    ),
    "birthday-or": lambda inputs: epsilons(inputs, {"event": "any", **PUBLISHED}),
    "birthday-or-event": lambda inputs: epsilons(inputs, {"event": "any"}),
    "birthday-worst": lambda inputs: [
        em.epsilon_for_advantage(float(inputs["delta"]), priors=[0.3], sensitivity=inputs["R"]).prior_free
    ],
}


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["id"] for entry in ENTRIES])
def test_oracle(entry):
    value = mp.mpf(entry["value"])
    expected = float(mp.exp(value)) if entry["category"] == "birthday-logpi" else float(value)
    for answer in ANSWERS[entry["category"]](entry["inputs"]):
        assert float(answer) == pytest.approx(expected, rel=1e-12, abs=0)


def test_every_field_released_one_by_one_needs_the_sum_of_the_ranges():
    """Two even fields, advantage 0.1: logit(0.35) - logit(0.25) = ln(21/13), over ranges of 1 and 3."""
    room = math.log(21 / 13)
    fields = {"priors": [0.5, 0.5], "event": "all", "sensitivity": [1.0, 3.0]}
    separately, jointly = (
        em.epsilon_for_advantage(0.1, **fields, released=released) for released in ("separately", "jointly")
    )
    assert separately.value == pytest.approx(room / 4, rel=1e-12)
    assert jointly.value == pytest.approx(room / 3, rel=1e-12)
    assert separately.prior_free == pytest.approx(math.log(1.1 / 0.9) / 2, rel=1e-12)
    assert jointly.prior_free == pytest.approx(2 * math.log(1.1 / 0.9) / 3, rel=1e-12)


def test_b3_where_the_printed_formula_has_no_value():
    message = r"^advantage must be in \(0, 0\.05\) for the printed formula, got 0\.1\. .*; the exact method has\.$"
    with pytest.raises(OutOfRange, match=message):
        em.epsilon_for_advantage(0.1, priors=[0.95], method="published")
    with pytest.raises(OutOfRange, match=r"^advantage must be in \(0, 0\) for the printed formula"):
        em.epsilon_for_advantage(0.1, priors=[1.0], method="published")
    for prior, method in ((0.9, "published"), (0.9, "exact"), (0.95, "exact"), (1.0, "exact"), (0.0, "exact")):
        assert em.epsilon_for_advantage(0.1, priors=[prior], method=method).value == math.inf


def test_b4_epsilon_is_u_shaped():
    for method in ("exact", "published"):
        found = [em.epsilon_for_advantage(0.05, groups=[(k, 365)], method=method).value for k in (10, 23, 40, 80)]
        assert found == pytest.approx([0.61289, 0.20042, 0.43596, 6.4223], rel=1e-5)


def test_b4_every_field_can_need_more_noise_than_any_field():
    ten = {"priors": [0.95] * 10}
    assert em.epsilon_for_advantage(0.1, **ten, event="all", method="published").value == pytest.approx(
        0.441085, abs=5e-7
    )
    assert em.epsilon_for_advantage(0.1, **ten, event="any").value == math.inf
    printed = [
        em.epsilon_for_advantage(0.05, groups=THREE_GROUPS, event=event, method="published").value
        for event in ("all", "any")
    ]
    assert printed == pytest.approx([0.208633, 0.253484], abs=5e-7)


def test_b5_the_printed_epsilon_does_not_bound_the_event():
    fields = {"priors": [0.1, 0.1], "event": "any"}
    printed = em.epsilon_for_advantage(0.1, **fields, method="published")
    assert printed.value == pytest.approx(0.810930, abs=5e-7)
    assert em.advantage_at(printed.value, **fields).advantage == pytest.approx(0.17, abs=1e-12)
    assert em.epsilon_for_advantage(0.1, **fields).value == pytest.approx(0.519410, abs=5e-7)
    assert "As printed, the formula does not bound the event for several fields; the exact method does." in (
        printed.caveats
    )


def test_b6_the_largest_range_holds_for_one_release_of_all_fields_only():
    """Released one by one at that epsilon, two even fields gain 0.1315 if independent, and never more than stated."""
    fields = {"priors": [0.5, 0.5], "event": "all"}
    printed = em.epsilon_for_advantage(0.1, **fields, method="published").value
    assert em.advantage_at(printed, **fields, released="jointly").advantage == pytest.approx(0.1, rel=1e-12)
    weight = math.exp(printed)
    independent = (weight / (1 + weight)) ** 2 - 0.25
    assert independent == pytest.approx(0.1315, abs=5e-5)
    assert em.advantage_at(printed, **fields).advantage >= independent


@pytest.mark.parametrize("k", range(1, 6))
def test_no_noise_for_records_that_are_almost_surely_unique_is_a_warning(k):
    """0.2001... = 2 ln(1.05 / 0.95) holds for every attacker; the prior is 0.973 or more."""
    guess = em.epsilon_for_advantage(0.05, groups=[(k, 365)])
    assert guess.no_release >= 0.972
    assert guess.value == math.inf
    assert guess.no_noise
    assert guess.in_words.startswith("Warning: the bound asks for no noise, or next to none.")
    assert guess.in_words.endswith("chance: epsilon = 0.2001 holds whatever the attacker knew before.")
    assert guess.prior_free == pytest.approx(2 * math.log(1.05 / 0.95), rel=1e-12)
    assert any("almost surely unique" in caveat and "0.2001" in caveat for caveat in guess.caveats)
    assert guess.to_dict()["value"] is None


def test_a_belief_next_to_zero_is_not_called_known():
    """365 different birthdays of 365: the prior is 1e-157 and the bound asks for epsilon 358; nothing is known."""
    guess = em.epsilon_for_advantage(0.05, groups=[(365, 365)])
    assert 350 < guess.value < 370
    assert guess.no_noise
    assert guess.in_words == (
        "Warning: the bound asks for no noise, or next to none. It only says that an attacker who guesses the field "
        "right with below 0.0001 % without a release gains at most 0.05; that does not make the records safe. Use the "
        "value that does not rest on that chance: epsilon = 0.2001 holds whatever the attacker knew before."
    )


def test_noise_is_noise_up_to_a_log_odds_ratio_of_20():
    assert not em.advantage_at(19.9, priors=[0.5]).no_noise
    assert em.advantage_at(20.1, priors=[0.5]).no_noise
    assert em.advantage_at(2.1, priors=[0.5], sensitivity=10).no_noise
    assert any("Prefer the prior-free epsilon" in caveat for caveat in em.advantage_at(20.1, priors=[0.5]).caveats)


def test_the_caveat_appears_before_noise_is_gone():
    almost, half = (em.epsilon_for_advantage(0.05, priors=[p]) for p in (0.9, 0.5))
    assert not almost.no_noise
    assert "Prefer the prior-free epsilon, 0.2001." in almost.caveats[0]
    assert half.caveats == ()


def test_words_round_epsilon_down_and_the_advantage_up():
    rng = np.random.default_rng(20_240)
    for prior, advantage in zip(rng.uniform(0.01, 0.6, 300), 10 ** rng.uniform(-8, -0.5, 300), strict=True):
        guess = em.epsilon_for_advantage(float(advantage), priors=[prior])
        found = re.fullmatch(
            r"With epsilon = (\S+) per unit a release gives .* at most (\S+) more; epsilon = (\S+) holds .*",
            guess.in_words,
        )
        said, gain, free = map(float, found.groups())
        assert guess.value * 0.999 < said <= guess.value * (1 + 1e-12)
        assert guess.prior_free * 0.999 < free <= guess.prior_free * (1 + 1e-12)
        assert advantage * (1 - 1e-12) <= gain < advantage * 1.001


def test_an_epsilon_that_was_given_is_answered_with_what_it_allows():
    """From a half: e^0.5 / (1 + e^0.5) - 0.5 = 0.12246 at range 1; from any prior tanh(0.5 / 4) = 0.12436."""
    assert em.advantage_at(0.5, priors=[0.5]).in_words == (
        "At epsilon = 0.5 per unit a release gives an attacker who guesses the field right with 50.0 % without a "
        "release at most 0.1225 more; whatever the attacker knew before, at most 0.1244."
    )


def gain_allowed(event, released, priors, ranges, epsilon):
    """The gain from Bayes' rule, in 50 digits; its limit where there is no noise."""
    p, r = [mp.mpf(float(x)) for x in priors], [mp.mpf(float(x)) for x in ranges]
    before = mp.fprod(p)
    if epsilon == math.inf:
        return (mp.fprod(1 - x for x in p) if event == "any" else 1 - before) if before > 0 else mp.mpf(0)

    def posterior(prior, loss):
        return prior * mp.exp(loss) / (1 - prior + prior * mp.exp(loss))

    if event == "any":
        none = mp.fprod(1 - posterior(x, mp.mpf(epsilon) * y) for x, y in zip(p, r, strict=True))
        return mp.fprod(1 - x for x in p) - none
    return posterior(before, mp.mpf(epsilon) * (sum(r) if released == "separately" else max(r))) - before


@mp.workdps(50)
def test_the_advantage_at_the_returned_epsilon_never_exceeds_the_one_asked_for():
    """1,000 random questions: rare, even and nearly certain fields, tiny and large advantages, all releases."""
    rng = np.random.default_rng(20_033)
    kinds = [("single", "separately"), ("all", "separately"), ("all", "jointly"), ("any", "separately")]
    for _ in range(1_000):
        event, released = kinds[rng.integers(len(kinds))]
        size = 1 if event == "single" else int(rng.integers(1, 6))
        rare = 10 ** rng.uniform(-12, 0, size)
        priors = np.choose(rng.integers(0, 3, size), [rng.uniform(size=size), rare, 1 - rare]).tolist()
        ranges = (10 ** rng.uniform(-2, 2, size)).tolist()
        advantage = float(10 ** rng.uniform(-9, -0.001))
        about = {"priors": priors, "event": event, "released": released, "sensitivity": ranges}
        guess = em.epsilon_for_advantage(advantage, **about)
        assert gain_allowed(event, released, priors, ranges, guess.value) <= advantage
        assert gain_allowed(event, released, priors, ranges, guess.prior_free) <= advantage
        if guess.value < math.inf:
            back = em.advantage_at(guess.value, **about).advantage
            assert gain_allowed(event, released, priors, ranges, guess.value) <= back
            assert back == pytest.approx(advantage, rel=1e-6)


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_nothing_is_gained_where_nothing_can_be(prior):
    guess = em.advantage_at(1.0, priors=[prior])
    assert guess.advantage == guess.prior_free == 0
    assert "at most 0 more" in guess.in_words


def test_a_printed_epsilon_that_rounds_to_nothing_is_written_as_zero():
    for prior in (0.3, 0.5):
        guess = em.epsilon_for_advantage(1e-17, priors=[prior], method="published")
        assert guess.in_words.startswith("With epsilon = 0 per unit a release is said to give ")


def test_what_was_asked_stands_in_the_answer():
    guess = em.epsilon_for_advantage(
        0.05, groups=[(5, 30), (4, 20)], event="any", sensitivity=[2, 3], names=["age", "income"]
    )
    assert (guess.event, guess.method, guess.released, guess.advantage) == ("any", "exact", "separately", 0.05)
    assert [(f.name, f.k, f.n, f.sensitivity) for f in guess.fields] == [("age", 5, 30, 2.0), ("income", 4, 20, 3.0)]
    none_right = math.prod(1 - field.prior for field in guess.fields)
    assert guess.no_release == pytest.approx(1 - none_right, rel=1e-12)
    assert "the chance that at least one field is guessed right" in guess.question
    assert guess.evidence == "exact"
    assert "The fields are guessed independently of each other." in guess.assumptions
    assert any("birthday bound" in caveat for caveat in guess.caveats)
    single = em.epsilon_for_advantage(0.05, priors=[0.2], method="published")
    assert single.evidence == "as printed"
    assert single.fields[0].name == "field 1"
    assert not any("independently" in assumption for assumption in single.assumptions)


@pytest.mark.parametrize(("ask", "number"), [(em.epsilon_for_advantage, 0.1), (em.advantage_at, 1.0)])
@pytest.mark.parametrize("event", ["single", "all", "any"])
def test_every_answer_names_its_source(ask, number, event):
    priors = [0.2] if event == "single" else [0.2, 0.3]
    assert [source.key for source in ask(number, priors=priors, event=event).source] == ["birthday-bound"]


def test_numpy_numbers_are_numbers():
    plain = em.epsilon_for_advantage(0.1, priors=[0.5, 0.2], event="all", sensitivity=2).value
    for ranges in (np.int64(2), np.float32(2), np.array([2, 2])):
        about = {"priors": np.array([0.5, 0.2]), "event": "all", "sensitivity": ranges}
        assert em.epsilon_for_advantage(np.float64(0.1), **about).value == plain
    groups = np.array([(5, 30), (4, 20)])
    assert em.advantage_at(1.0, groups=groups, event="any").fields[1].n == 20


GROUP = "group must be in (k, n) with whole k >= 0 and n >= 1, up to 1e+15, got {}. Such as (23, 365)."
RISE = "advantage must be in (0, 1), got {}. It is by how much a chance may rise."
RANGE = "sensitivity must be in (0, inf), got {}. It is the range of a field."
NOTHING = "There is nothing to guess: give at least one (k, n) pair or prior."
TWO = {"priors": [0.1, 0.1], "event": "all"}
BAD = {
    "advantage zero": ({"advantage": 0}, OutOfRange, RISE.format("0")),
    "advantage one": ({"advantage": 1.0}, OutOfRange, RISE.format("1.0")),
    "advantage negative": ({"advantage": -0.1}, OutOfRange, RISE.format("-0.1")),
    "advantage not a number": ({"advantage": math.nan}, OutOfRange, RISE.format("nan")),
    "advantage is text": ({"advantage": "0.1"}, OutOfRange, RISE.format("'0.1'")),
    "both": (
        {"groups": [(2, 3)], "priors": [0.1]},
        BadQuestion,
        "Give groups, as (k, n) pairs, or the priors themselves; both were given.",
    ),
    "neither": (
        {"groups": None},
        BadQuestion,
        "Give groups, as (k, n) pairs, or the priors themselves; neither was given.",
    ),
    "no groups": ({"groups": []}, BadQuestion, NOTHING),
    "no priors": ({"groups": None, "priors": []}, BadQuestion, NOTHING),
    "group of one": ({"groups": [(23,)]}, OutOfRange, GROUP.format("(23,)")),
    "group of three": ({"groups": [(1, 2, 3)]}, OutOfRange, GROUP.format("(1, 2, 3)")),
    "group is a number": ({"groups": [23]}, OutOfRange, GROUP.format("23")),
    "group is text": ({"groups": [("23", "365")]}, OutOfRange, GROUP.format("('23', '365')")),
    "half a person": ({"groups": [(2.5, 365)]}, OutOfRange, GROUP.format("(2.5, 365)")),
    "k negative": ({"groups": [(-1, 365)]}, OutOfRange, GROUP.format("(-1, 365)")),
    "n zero": ({"groups": [(0, 0)]}, OutOfRange, GROUP.format("(0, 0)")),
    "k not a number": ({"groups": [(math.nan, 365)]}, OutOfRange, GROUP.format("(nan, 365)")),
    "n infinite": ({"groups": [(1, math.inf)]}, OutOfRange, GROUP.format("(1, inf)")),
    "n beyond doubles": ({"groups": [(1, 10**16)]}, OutOfRange, GROUP.format(f"(1, {10**16})")),
    "prior above one": (
        {"groups": None, "priors": [1.5]},
        OutOfRange,
        "prior must be in [0, 1], got 1.5. It is a probability.",
    ),
    "prior not a number": (
        {"groups": None, "priors": [math.nan]},
        OutOfRange,
        "prior must be in [0, 1], got nan. It is a probability.",
    ),
    "unknown event": (
        {"event": "both"},
        UnknownChoice,
        "event must be one of single, all, any; got 'both'.",
    ),
    "single of several": (
        {"groups": [(2, 3), (3, 4)]},
        UnknownChoice,
        "event must be one of all, any; got 'single'. There are 2 fields: does the attacker want all of them, or is "
        "any one enough?",
    ),
    "unknown method": ({"method": "exakt"}, UnknownChoice, "method must be one of exact, published; got 'exakt'."),
    "unknown release": (
        {"released": "together"},
        UnknownChoice,
        "released must be one of separately, jointly; got 'together'.",
    ),
    "any field of one release": (
        {"event": "any", "released": "jointly"},
        UnknownChoice,
        "released must be one of separately; got 'jointly'. For any field, each is released by itself.",
    ),
    "sensitivity zero": ({"sensitivity": 0}, OutOfRange, RANGE.format("0")),
    "sensitivity negative": ({"sensitivity": [-1.0]}, OutOfRange, RANGE.format("-1.0")),
    "sensitivity infinite": ({"sensitivity": math.inf}, OutOfRange, RANGE.format("inf")),
    "sensitivity not a number": ({"sensitivity": None}, OutOfRange, RANGE.format("None")),
    "too many sensitivities": (
        {"sensitivity": [1.0, 2.0]},
        BadQuestion,
        "Give one sensitivity for all fields or one for each of 1; got 2.",
    ),
    "too few names": (
        {"groups": None, **TWO, "names": ["age"]},
        OutOfRange,
        "names must be in 2, one for each field, got ['age'].",
    ),
}


@pytest.mark.parametrize(("wrong", "kind", "message"), BAD.values(), ids=BAD.keys())
def test_questions_that_cannot_be(wrong, kind, message):
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        em.epsilon_for_advantage(**{"advantage": 0.1, "groups": [(23, 365)], **wrong})


@pytest.mark.parametrize("epsilon", [0, -1.0, math.nan, math.inf, "1"])
def test_epsilons_that_cannot_be(epsilon):
    message = f"epsilon must be in (0, inf), got {epsilon!r}. A smaller epsilon means more noise."
    with pytest.raises(OutOfRange, match=f"^{re.escape(message)}$"):
        em.advantage_at(epsilon, priors=[0.5])
