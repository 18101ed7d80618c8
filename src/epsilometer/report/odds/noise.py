"""Noise by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from epsilometer.report.odds.crowd import first

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.vocabulary.language import Language


def noise(mechanism: Mapping[str, Any], words: Language) -> str:
    """Name the noise and its privacy parameter; of several, the first."""
    delta = mechanism["delta"]
    return words.text(
        "odds.noise.at_delta" if delta else "odds.noise.at",
        noise=words.text(f"odds.noise.{mechanism['name']}"),
        epsilon=words.number(first(mechanism["epsilon"])),
        delta=words.number(delta),
    )
