"""The result of choosing epsilon for a risk target and an accuracy target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.plain import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.vocabulary.curves import Curves
    from epsilometer.vocabulary.stretch import Stretch


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice:
    """Which epsilon meets both targets for every sensitive attribute, and what stands in the way where none does.

    Attributes:
        max_risk: largest share of people that may be disclosed.
        max_loss: largest mean total variation distance of the marginals that may be lost.
        stretches: every stretch of epsilon that meets both; empty if none does.
        risk_stretches: every stretch that meets the risk target.
        loss_stretches: every stretch that meets the accuracy target, on the safe side of its interval.
        recommended: the smallest epsilon of the first stretch, rounded up to three digits; ``None`` if none.
        binding: what sets the ends of the first stretch, or what rules everything out.
        in_words: the answer in words.
        mechanism: the noise.
        curves: risk and loss against epsilon, one for each sensitive attribute.
        caveats: what to keep in mind.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "choice"

    max_risk: float
    max_loss: float
    stretches: tuple[Stretch, ...]
    risk_stretches: tuple[Stretch, ...]
    loss_stretches: tuple[Stretch, ...]
    recommended: float | None
    binding: str
    in_words: str
    mechanism: Mapping[str, Any]
    curves: tuple[Curves, ...]
    caveats: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": True,
            "answer": self.in_words,
            "max_risk": self.max_risk,
            "max_loss": self.max_loss,
            "stretches": [stretch.to_dict() for stretch in self.stretches],
            "risk_stretches": [stretch.to_dict() for stretch in self.risk_stretches],
            "loss_stretches": [stretch.to_dict() for stretch in self.loss_stretches],
            "recommended": self.recommended,
            "binding": self.binding,
            "mechanism": plain(self.mechanism),
            "curves": [
                {
                    "sensitive": curves.sensitive,
                    "people": curves.people.to_dict(),
                    "cells": curves.cells.to_dict(),
                    "loss": curves.loss.to_dict(),
                    "knee": {"evidence": curves.knee.kind, "value": curves.knee.value},
                }
                for curves in self.curves
            ],
            "caveats": list(self.caveats),
        }
