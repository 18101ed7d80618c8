"""Noise by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from epsilometer.report.odds.crowd import first

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.vocabulary.language import Language


def noise(mechanism: Mapping[str, Any], words: Language) -> str:
    """Name the noise and its privacy parameter; of several, the first."""
    return _noise_at(mechanism, words.number(first(mechanism["epsilon"])), words)


def noises(mechanism: Mapping[str, Any], words: Language) -> str:
    """Name the noise and from where to where its privacy parameter goes."""
    low, high = (words.number(float(end(mechanism["epsilon"]))) for end in (np.min, np.max))
    return _noise_at(mechanism, low if low == high else words.text("odds.noise.range", low=low, high=high), words)


def _noise_at(mechanism: Mapping[str, Any], epsilon: str, words: Language) -> str:
    delta = mechanism["delta"]
    return words.text(
        "odds.noise.at_delta" if delta else "odds.noise.at",
        noise=words.text(f"odds.noise.{mechanism['name']}"),
        epsilon=epsilon,
        delta=words.number(delta),
    )
