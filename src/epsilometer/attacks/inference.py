"""How often a synthetic table helps to guess a column right, of people it was made from and of others.

What is guessed right about people who were held out is what the table says about everyone. Only what goes beyond it
comes from having been in the training data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.attacks.guessers import ATTACKERS, People
from epsilometer.errors import UnknownChoice
from epsilometer.vocabulary.share_intervals import difference, wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.evidence import Estimate


@dataclass(frozen=True, slots=True)
class Guessed:
    """How often an attacker is right.

    Attributes:
        attacker: which one.
        training: about people of the training data.
        control: about people who were held out.
        excess: by how much the first exceeds the second.
    """

    attacker: str
    training: Estimate
    control: Estimate
    excess: Estimate

    @property
    def exceeds_control(self) -> bool:
        """Whether the whole interval of the excess is above zero."""
        return bool(self.excess.interval.low > 0)


@dataclass(frozen=True, slots=True)
class InferenceRisk:
    """How often a column is guessed right with the help of a synthetic table.

    Attributes:
        no_release: how often without it: the share of the most frequent value among the training people.
        guessed: what each attacker achieves.
        n_targets: number of training people guessed about, and of held-out people.
        seed: what they were drawn with.
    """

    no_release: float
    guessed: tuple[Guessed, ...]
    n_targets: int
    seed: int

    @property
    def best(self) -> Guessed:
        """What the attacker achieves who is right most often about training people.

        Chosen by these very numbers, so that it may be the luckiest: an error towards more risk. With several
        attackers, it also exceeds the control by chance more often than the confidence of its interval says.
        """
        return max(self.guessed, key=lambda guessed: guessed.training.value)


def inference_risk(
    synthetic: People,
    training: People,
    held_out: People,
    *,
    seed: int,
    attackers: Sequence[str] = ("look-up",),
    confidence: float = 0.95,
) -> InferenceRisk:
    """How often is a secret guessed right, of training people and of as many others? An estimate.

    Of the larger group, as many targets are drawn as there are people in the smaller one. An attacker who would
    toss a coin counts with the chance to be right: the sum of such chances varies less than a number of successes.

    >>> alike = np.zeros((40, 1), dtype=int)
    >>> copied = People(np.arange(40)[:, None], np.arange(40) % 2)
    >>> risk = inference_risk(copied, copied, People(alike + 50, np.arange(40) % 2), seed=1)
    >>> risk.no_release, risk.best.training.value, risk.best.control.value, risk.best.exceeds_control
    (0.5, 1.0, 0.5, True)
    """
    for name in attackers:
        if name not in ATTACKERS:
            raise UnknownChoice("attacker", name, ATTACKERS)
    n = min(len(training), len(held_out))
    rng = np.random.default_rng(seed)
    one, other = (people.part(rng.choice(len(people), n, replace=False)) for people in (training, held_out))
    targets = People(np.concatenate([one.known, other.known]), np.concatenate([one.secret, other.secret]))

    def guessed(name: str) -> Guessed:
        chances = ATTACKERS[name](synthetic, targets)
        of_training, of_control = (wilson(float(part.sum()), n, confidence) for part in np.split(chances, 2))
        return Guessed(name, of_training, of_control, difference(of_training, of_control))

    no_release = np.bincount(training.secret).max() / len(training)
    return InferenceRisk(float(no_release), tuple(guessed(name) for name in attackers), n, seed)
