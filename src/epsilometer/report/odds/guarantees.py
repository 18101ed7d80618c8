"""What a guarantee promises for any table, in words: an even question, and how often its answer can be told."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from epsilometer.publication.any_table import MEMBERSHIP, VALUE
from epsilometer.report.odds.crowd import Crowd, first
from epsilometer.report.odds.saying import Said
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.evidence import UpperBound
from epsilometer.vocabulary.privacy_loss import ROW
from epsilometer.vocabulary.wording import shown_down, shown_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.vocabulary.composition import Composition
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.own_record import OwnRecord
    from epsilometer.vocabulary.passport import Passport


class Published(Protocol):
    """A release that is there for everybody to see, and what it costs with all others of the data set."""

    @property
    def passport(self) -> Passport: ...
    @property
    def composition(self) -> Composition: ...
    @property
    def remaining(self) -> float | None: ...


def told_right(advantage: float) -> float:
    """Return how often the answer to a question is right that a coin answers right half of the time.

    An advantage is the rate of true alarms less that of false ones: half of it is added to one half.

    >>> told_right(0.5)
    0.75
    """
    return (1 + advantage) / 2


def own_record(result: OwnRecord, words: Language) -> Said:
    """Say what the part that a person's own record plays can tell."""
    crowd = Crowd.of(1, words)
    finding = [
        words.text(f"odds.own_record.{name}", n=crowd.at_most(told_right(first(advantage))), base=crowd.size)
        for name, advantage in (("value", result.value_advantage), ("membership", result.membership_advantage))
    ]
    after = None if result.value_posterior is None else words.percent(first(result.value_posterior))
    if after is not None and after != words.percent(1.0):  # that a belief cannot grow beyond certainty says nothing
        before = words.percent_at_least(result.prior)
        finding.append(words.text("odds.own_record.belief", before=before, after=after))
    return _for_any_table(crowd, finding, "odds.own_record.attacker")


def composition(result: Composition, words: Language) -> Said:
    """Say what all looks at the data guarantee together."""
    crowd = Crowd.of(1, words)
    if not result.n_looks:
        return _for_any_table(crowd, [words.text("odds.composition.nothing")], "odds.composition.attacker")
    bounded = math.isfinite(result.epsilon)
    finding = [
        words.text(
            "odds.composition.looks" if bounded else "odds.composition.unbounded",
            n=result.n_looks,
            epsilon=words.number(shown_up(result.epsilon)),
            delta=words.number(result.delta),
        )
    ]
    if result.unguaranteed:
        finding.append(words.text("odds.composition.unprotected", looks=words.joined(result.unguaranteed)))
    replaced = result.adjacency == Adjacency.REPLACE.value
    right = crowd.at_most(told_right(result.membership_advantage))
    key = f"odds.composition.{'replaced' if replaced else 'member'}{'_row' if result.unit == ROW else ''}"
    finding.append(words.text(key, n=right, base=crowd.size))
    if result.apart:
        finding.append(words.text("odds.composition.apart", rows=composition(result.apart, words).finding))
    return _for_any_table(crowd, finding, "odds.composition.attacker")


def passport(result: Passport, words: Language) -> Said:
    """Say what was published, and what it promises for any table."""
    crowd, guarantee = Crowd.of(1, words), result.guarantee
    chance = words.percent(guarantee.delta)
    finding = [words.text(f"odds.passport.{result.kind}", dataset=result.dataset, chance=chance)]
    if result.unsafe_seed is not None:
        finding.insert(0, words.text("odds.passport.unsafe"))
    if result.kind != "sample":
        finding.append(
            words.text(
                "odds.passport.guarantee_delta" if guarantee.delta else "odds.passport.guarantee",
                epsilon=words.number(shown_up(guarantee.epsilon)),
                delta=words.number(shown_up(guarantee.delta)),
            )
        )
    advantages = {stated.name: stated.value for stated in result.risks}
    for name, key in ((VALUE, "odds.passport.value"), (MEMBERSHIP, "odds.passport.member")):
        advantage = advantages[name]
        if advantage is None:
            finding.append(words.text("odds.passport.not_hidden"))
        else:
            finding.append(words.text(key, n=crowd.at_most(told_right(advantage)), base=crowd.size))
    return _for_any_table(crowd, finding, "odds.passport.attacker")


def released(result: Published, words: Language) -> Said:
    """Say what was published and what it promises for any table, and what is spent on it and left."""
    promised = passport(result.passport, words)
    return replace(promised, finding=" ".join((promised.finding, *_account(result, words))))


def _account(result: Published, words: Language) -> Iterator[str]:
    """Say what all releases of the data set come to, if there are others, and what is left of its budget."""
    if result.composition.n_looks > len(result.passport.looks):
        yield composition(result.composition, words).finding
    if result.remaining is None:
        yield words.text("odds.release.no_budget")
    else:
        yield words.text("odds.release.left", left=words.number(shown_down(result.remaining)))


def _for_any_table(crowd: Crowd, finding: list[str], attacker: str) -> Said:
    words = crowd.words
    return Said(
        " ".join(finding),
        words.text("odds.coin", n=crowd.down(0.5), base=crowd.size),
        words.text(attacker),
        crowd.known(UpperBound(1.0)),
    )
