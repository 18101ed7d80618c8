"""What a mechanism's guarantee alone promises, next to what is believed without a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.vocabulary.own_record import OwnRecord

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism


def own_record_of(noise: Mechanism, prior: float) -> OwnRecord:
    """Return the bounds on the part that one person's own record plays; ``prior`` is the belief without a release.

    >>> from epsilometer import Laplace
    >>> round(float(own_record_of(Laplace(epsilon=1.0), 0.5).value_posterior), 4)
    0.8808
    """
    return OwnRecord(
        membership_advantage=noise.membership_advantage,
        value_advantage=noise.value_advantage,
        value_posterior=None if noise.delta else noise.value_posterior(prior),
        prior=prior,
    )
