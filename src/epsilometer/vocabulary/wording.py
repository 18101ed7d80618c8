"""How numbers and names are written wherever people read them."""

from __future__ import annotations

import math
import re
from typing import Final

CONFIDENTIAL: Final = "Confidential: computed from the table itself. Share it only with people who may see the table."
# Control characters, the marks that turn text around (a name must not reorder the sentence it stands in),
# and code points that no XML document may hold.
UNREADABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def percent(probability: float) -> str:
    """Write a risk as a percentage with one decimal, rounded up.

    >>> percent(0.12301)
    '12.4 %'
    """
    return f"{math.ceil(probability * 1_000 - 1e-9) / 10:.1f} %"


def percent_at_least(probability: float) -> str:
    """Write what risks are held against as a percentage with one decimal, rounded down.

    >>> percent_at_least(0.28899)
    '28.8 %'
    """
    return f"{math.floor(probability * 1_000 + 1e-9) / 10:.1f} %"


def readable(text: str) -> str:
    r"""Return text with a visible mark for every character that would not show, or would harm what does.

    >>> readable("na\x00me")
    'na�me'
    """
    return UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", text)
