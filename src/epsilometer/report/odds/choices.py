"""Choices of noise, of a sample's size and of a synthetic table's epsilon, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.report.odds.bins import coarser_bins
from epsilometer.report.odds.counts import luck
from epsilometer.report.odds.crowd import Crowd, confidence
from epsilometer.report.odds.guarantees import told_right
from epsilometer.report.odds.saying import Said
from epsilometer.report.odds.stretches import stretches_in_words
from epsilometer.vocabulary.choice import SampleConsequences
from epsilometer.vocabulary.stretch import not_looked_at

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.choice import Choice, TradeOff
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.relaxation import Relaxation
    from epsilometer.vocabulary.synthetic_choice import MeasuredCurve, SyntheticChoice

INFERENCE: Final = "inference"
DISTANCE: Final = "nearest-distance"


def choice(result: Choice, words: Language) -> Said:
    """Say which parameter meets both targets, or that none does and what would help."""
    measure, found = result.measure, result.consequences
    risk = _frequency(measure, result.max_risk if found is None else found.risk)
    crowd = Crowd.of(risk, words)
    finding = [*(_impossible(result, measure, crowd) if found is None else _recommended(result, measure, crowd))]
    finding.append(words.text("odds.choice.looked" if result.looked_at_the_data else "odds.choice.not_looked"))
    return Said(
        " ".join(finding),
        _baseline(result, measure, crowd),
        words.text(f"odds.choice.attacker.{measure}"),
        words.text("odds.choice.known_size" if measure == "named" else "odds.choice.known"),
    )


def _frequency(measure: str, risk: float) -> float:
    """Return a risk as a frequency: an advantage over a coin is how often a coin's question is answered right."""
    return told_right(risk) if measure == "own-record" else risk


def _recommended(result: Choice, measure: str, crowd: Crowd) -> list[str]:
    words, found, noise = crowd.words, result.consequences, result.mechanism
    assert found is not None  # noqa: S101  (something is recommended)
    with_delta = "_delta" if result.parameter == "epsilon" and noise["delta"] else ""
    publish = words.text(
        f"odds.choice.{result.parameter}{with_delta}",
        point=_point(result.recommended, words),
        delta=words.number(noise.get("delta", 0.0)),
        epsilon=words.number(noise.get("epsilon", 0.0)),
        rows=words.number(noise.get("rows", 0)),
    )
    consequence = words.text(
        f"odds.choice.{measure}",
        n=crowd.at_most(_frequency(measure, found.risk)),
        base=crowd.size,
        raw=crowd.about(found.raw) if isinstance(found, SampleConsequences) else "",
    )
    # a sample has one row at least and all at most: no size lies beyond those that were looked at
    beyond = "" if result.parameter == "size" else not_looked_at(result.stretches, words)
    return [
        publish,
        words.text("odds.choice.stretches", stretches=stretches_in_words(result.stretches, words)),
        *([beyond] if beyond else []),
        consequence,
        words.text("odds.choice.loss", loss=words.points(found.loss)),
    ]


def _impossible(result: Choice, measure: str, crowd: Crowd) -> list[str]:
    words = crowd.words
    smallest = max(float(np.min(_risk_at_most(curve))) for curve in result.curves)
    least = max(float(np.min(curve.loss.interval.high)) for curve in result.curves)
    cheapest = result.relaxations[0] if result.relaxations else None
    return [
        words.text(
            "odds.choice.impossible",
            n=crowd.down(_frequency(measure, result.max_risk)),
            base=crowd.size,
            loss=words.points(result.max_loss),
        ),
        words.text(
            "odds.choice.seen",
            risk=crowd.about(_frequency(measure, smallest)),
            base=crowd.size,
            loss=words.points(least),
        ),
        words.text("odds.choice.no_change") if cheapest is None else _change(cheapest, result, crowd),
    ]


def _risk_at_most(curve: TradeOff) -> float | FloatArray:
    return curve.risk if curve.risk_interval is None else curve.risk_interval.high


def _change(cheapest: Relaxation, result: Choice, crowd: Crowd) -> str:
    words, (setting,) = crowd.words, cheapest.setting.values()
    written = str(setting)
    if cheapest.kind == "risk":
        written = words.number(crowd.up(_frequency(result.measure, float(setting))))
    elif cheapest.kind == "loss":
        written = words.points(float(setting))
    elif cheapest.kind == "threshold":
        written = words.number(float(setting))
    elif cheapest.kind == "bins":
        written = coarser_bins(str(setting), words)
    change = words.text(f"odds.choice.change.{cheapest.kind}", setting=written, base=crowd.size)
    return words.text(
        "odds.choice.cheapest",
        change=change,
        parameter=words.text(f"odds.parameter.{result.parameter}"),
        stretches=stretches_in_words(cheapest.stretches, words),
    )


def _point(point: float | None, words: Language) -> str:
    assert point is not None  # noqa: S101  (something is recommended)
    return words.number(int(point)) if point == int(point) else words.number(point)


def _baseline(result: Choice, measure: str, crowd: Crowd) -> str:
    """Say what a guess achieves without a release: of each attribute of a table, or as far as it was declared."""
    words, base = crowd.words, crowd.size
    before = [(curve.about, crowd.down(curve.no_release)) for curve in result.curves]
    (_, n), *others = before
    if measure == "own-record":
        return words.text("odds.coin", n=n, base=base)
    if not result.looked_at_the_data:
        return words.text(f"odds.choice.baseline.{measure}", n=n, base=base)
    if not others:
        return words.text("odds.luck", n=n, base=base)
    return " ".join(words.text("odds.assessment.baseline", sensitive=about, n=n, base=base) for about, n in before)


def synthetic_choice(result: SyntheticChoice, words: Language) -> Said:
    """Say which epsilon keeps a synthetic table within its targets."""
    point = result.recommended
    risk = 1.0 if point is None or result.measure == DISTANCE else float(around(result.risk, point).max())
    crowd = Crowd.of(risk, words)
    if point is None:
        finding = words.text("odds.synthetic_choice.impossible", method=result.method)
    else:
        finding = " ".join(_synthetic(result, point, risk, crowd))
    key = "odds.synthetic_choice.known" if result.n_runs > 1 else "odds.synthetic_choice.known_single"
    guessed = result.measure == INFERENCE
    return Said(
        finding,
        _synthetic_baseline(result, crowd),
        words.text(f"odds.synthetic_choice.attacker_{'inference' if guessed else 'records'}"),
        words.text(key, runs=result.n_runs, confidence=confidence(result.risk.confidence, words)),
    )


def _synthetic(result: SyntheticChoice, point: float, risk: float, crowd: Crowd) -> list[str]:
    words = crowd.words
    publish = words.text(
        "odds.synthetic_choice.publish",
        epsilon=words.number(point),
        method=result.method,
        stretches=stretches_in_words(result.stretches, words),
    )
    there = words.text(
        f"odds.synthetic_choice.{result.measure}",
        n=crowd.at_most(risk),
        base=crowd.size,
        raw=crowd.about(result.raw),
        distance=words.number(float(around(result.risk, point, worse="low").min()), ".3g"),
    )
    loss = words.text("odds.synthetic_choice.loss", loss=words.points(float(around(result.loss, point).max())))
    return [publish, there, loss]


def around(curve: MeasuredCurve, epsilon: float, worse: str = "high") -> FloatArray:
    """Return the worse end of the band at the points of the grid on either side of an epsilon."""
    right = int(np.clip(np.searchsorted(curve.grid, epsilon), 1, len(curve.grid) - 1))
    return np.asarray(getattr(curve, worse)[right - 1 : right + 1])


def _synthetic_baseline(result: SyntheticChoice, crowd: Crowd) -> str:
    if result.no_release is not None:
        return luck(crowd, result.no_release)
    key = "baseline_distance" if result.measure == DISTANCE else "baseline_records"
    return crowd.words.text(f"odds.synthetic_choice.{key}", base=crowd.size)
