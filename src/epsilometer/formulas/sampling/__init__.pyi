from . import exact_fractions, known_shares, loss_fractions, published
from .bracket import Bracket
from .largest_sample_count import expected_largest_count
from .median_loss import median_loss, prior_loss
from .noisy_count import noisy_inside, noisy_outside
from .noisy_counts import noisy_any_population, noisy_counts_inside, noisy_counts_outside
from .noisy_loss import noisy_loss, noisy_shares_loss
from .own_shares_loss import own_shares_loss
from .shares_loss import prior_shares_loss, shares_loss
from .vulnerability import (
    inside,
    inside_given,
    inside_of,
    outside,
    outside_given,
    outside_of,
    unknown,
    unknown_given,
    unknown_of,
)
from .winner_count import expected_winner_count

__all__ = [
    "Bracket",
    "exact_fractions",
    "expected_largest_count",
    "expected_winner_count",
    "inside",
    "inside_given",
    "inside_of",
    "known_shares",
    "loss_fractions",
    "median_loss",
    "noisy_any_population",
    "noisy_counts_inside",
    "noisy_counts_outside",
    "noisy_inside",
    "noisy_loss",
    "noisy_outside",
    "noisy_shares_loss",
    "outside",
    "outside_given",
    "outside_of",
    "own_shares_loss",
    "prior_loss",
    "prior_shares_loss",
    "published",
    "shares_loss",
    "unknown",
    "unknown_given",
    "unknown_of",
]
