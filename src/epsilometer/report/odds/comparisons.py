"""Kinds of release side by side, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.report.odds.crowd import Crowd
from epsilometer.report.odds.saying import Said

if TYPE_CHECKING:
    from epsilometer.vocabulary.frontier import Frontier, FrontierCurve, FrontierPoint
    from epsilometer.vocabulary.language import Language

    Pair = tuple[FrontierCurve, FrontierPoint]


def frontier(result: Frontier, words: Language) -> Said:
    """Say which release to take, or why none will do, or without targets what is worth looking at."""
    pairs = [(curve, point) for curve in result.curves for point in curve.points if curve.kind != "raw"]
    spoken_of = _safest(pairs) if result.recommended is None else result.at(result.recommended)
    crowd = Crowd.of(spoken_of[1].risk_at_most, words, result.n_people)
    if result.recommended is not None:
        finding = _recommended(spoken_of, crowd)
    elif result.has_targets:
        finding = _impossible(spoken_of, _most_accurate(pairs), crowd)
    else:
        finding = _worth_looking_at(result, spoken_of, crowd)
    return Said(
        finding,
        words.text(
            "odds.frontier.baseline",
            known=words.joined(result.quasi_identifiers),
            sensitive=result.sensitive,
            n=crowd.down(result.no_release),
            base=crowd.size,
            raw=crowd.about(result.raw),
        ),
        words.text("odds.frontier.attacker"),
        f"{crowd.known(spoken_of[1].risk)} {words.text('odds.frontier.compared')}",
    )


def _recommended(pair: Pair, crowd: Crowd) -> str:
    words, point = crowd.words, pair[1]
    return words.text(
        "odds.frontier.recommended",
        release=release_in_words(pair, words),
        n=crowd.at_most(point.risk_at_most),
        base=crowd.size,
        loss=words.points(point.loss_at_most),
    )


def _impossible(safest: Pair, accurate: Pair, crowd: Crowd) -> str:
    words = crowd.words
    return words.text(
        "odds.frontier.impossible",
        n=crowd.at_most(safest[1].risk_at_most),
        base=crowd.size,
        safest=release_in_words(safest, words),
        loss=words.points(accurate[1].loss_at_most),
        accurate=release_in_words(accurate, words),
    )


def _worth_looking_at(result: Frontier, safest: Pair, crowd: Crowd) -> str:
    words = crowd.words
    names = list(dict.fromkeys(kind_in_words(result.curves[place.curve], words) for place in result.pareto))
    n = crowd.at_most(safest[1].risk_at_most)
    if len(names) == 1:
        return words.text("odds.frontier.best", release=names[0], n=n, base=crowd.size)
    return words.text("odds.frontier.several", releases="; ".join(names), n=n, base=crowd.size)


def _safest(pairs: list[Pair]) -> Pair:
    return min(pairs, key=lambda pair: pair[1].risk_at_most)


def _most_accurate(pairs: list[Pair]) -> Pair:
    return min(pairs, key=lambda pair: pair[1].loss_at_most)


def kind_in_words(curve: FrontierCurve, words: Language) -> str:
    """Name a kind of release."""
    return words.text(f"odds.frontier.{curve.kind}", name=_detail(curve, words))


def release_in_words(pair: Pair, words: Language) -> str:
    """Name one release that can be made: a kind at a value of its parameter."""
    curve, point = pair
    parameter = point.parameter or 0.0
    rows = curve.parameter == "rows"
    written = words.number(int(parameter)) if rows else words.number(parameter, ".3g")
    return words.text(f"odds.frontier.{curve.kind}_at", name=_detail(curve, words), parameter=written)


def _detail(curve: FrontierCurve, words: Language) -> str:
    """Name the noise of counts, or the method of a synthetic table."""
    name = curve.name.partition(", ")[2]
    return words.text(f"odds.noise.{name.removesuffix(' noise')}") if curve.kind == "counts" else name
