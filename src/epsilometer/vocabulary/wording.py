"""How numbers and names are written wherever people read them."""

from __future__ import annotations

import math
import re
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

CONFIDENTIAL: Final = "Confidential: computed from the table itself. Share it only with people who may see the table."
SMALLEST_SHOWN: Final = 0.0001  # percent
LEAST: Final = sys.float_info.min  # noise without bound leaves no risk of zero, only one below every double
UNEQUAL: Final = 1e-12  # a difference of probabilities that is more than rounding
HAIR: Final = 1e-12  # by which a double may miss the decimal number that it stands for, and is not rounded away from it
# Control characters, the marks that turn text around (a name must not reorder the sentence it stands in),
# and code points that no XML document may hold.
UNREADABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def percent(probability: float) -> str:
    """Write a risk as a percentage, rounded up: with one decimal, below one percent with two digits.

    >>> percent(0.12301), percent(0.0000981), percent(1e-9)
    ('12.4 %', '0.0099 %', 'below 0.0001 %')
    """
    return f"{'below ' if is_hardly_shown(probability) else ''}{hundredths_up(probability)} %"


def percent_under_noise(probability: float) -> str:
    """Write a risk of a release with noise, which is never zero, though a double may be.

    >>> percent_under_noise(0.12301), percent_under_noise(0.0)
    ('12.4 %', 'below 0.0001 %')
    """
    return percent(max(probability, LEAST))


def percent_at_least(probability: float) -> str:
    """Write what risks are held against as a percentage, rounded down: with as many digits as a risk.

    >>> percent_at_least(0.28899), percent_at_least(0.000349), percent_at_least(1e-9)
    ('28.8 %', '0.034 %', 'below 0.0001 %')
    """
    return f"{'below ' if is_hardly_shown(probability) else ''}{hundredths_down(probability)} %"


def has_grown(probability: float, before: float) -> bool:
    """Tell whether a risk is larger than what it is held against, by more than rounding.

    >>> has_grown(0.3 + 1e-16, 0.3), has_grown(0.3001, 0.3)
    (False, True)
    """
    return probability > before + UNEQUAL


def hundredths_between(low: float, high: float) -> tuple[str, str]:
    """Write the two ends of an interval as numbers of percentages: rounded outwards, with as many decimals each.

    >>> hundredths_between(0.11, 0.1213), hundredths_between(0.00077, 0.0012), hundredths_between(0.0, 0.0)
    (('11.0', '12.2'), ('0.07', '0.12'), ('0.0', '0.0'))
    """
    upper = hundredths_up(high)
    decimals = len(upper.partition(".")[2])
    return f"{math.floor(low * 100 * 10**decimals + 1e-7) / 10**decimals:.{decimals}f}", upper


def is_hardly_shown(probability: float) -> bool:
    """Tell whether a share is written as being below the smallest percentage that is shown."""
    return 0 < probability * 100 < SMALLEST_SHOWN


def hundredths_up(probability: float) -> str:
    """Write the number of a percentage, rounded up.

    >>> hundredths_up(0.12301), hundredths_up(0.0000981), hundredths_up(1e-9)
    ('12.4', '0.0099', '0.0001')
    """
    if is_hardly_shown(probability):
        return f"{SMALLEST_SHOWN:g}"
    hundredths, digits = probability * 100, _decimals(probability)
    return f"{math.ceil(hundredths * 10**digits - 1e-7) / 10**digits:.{digits}f}"


def hundredths_down(probability: float) -> str:
    """Write the number of a percentage, rounded down.

    >>> hundredths_down(0.28899), hundredths_down(0.000349), hundredths_down(1e-9)
    ('28.8', '0.034', '0.0001')
    """
    if is_hardly_shown(probability):
        return f"{SMALLEST_SHOWN:g}"
    hundredths, digits = probability * 100, _decimals(probability)
    return f"{math.floor(hundredths * 10**digits + 1e-7) / 10**digits:.{digits}f}"


def _decimals(probability: float) -> int:
    """Return how many decimals a percentage is written with: one, and below one percent such that two digits show."""
    hundredths = probability * 100
    return 1 - math.floor(math.log10(hundredths)) if 0 < hundredths < 1 else 1


def joined(names: Iterable[str], conjunction: str = "and") -> str:
    """Join names as a person would.

    >>> joined(["age", "sex", "region"])
    'age, sex and region'
    """
    *first, last = [*names] or [""]
    return f"{', '.join(first)} {conjunction} {last}" if first else last


def shown_up(number: float) -> str:
    """Write a number that must not be understated: four digits, rounded up.

    >>> shown_up(0.123401), shown_up(0.0), shown_up(math.inf)
    ('0.1235', '0', 'inf')
    """
    return f"{rounded_up(number, 4):g}" if 0 < number < math.inf else f"{number:g}"


def shown_down(number: float) -> str:
    """Write a number that must not be overstated: four digits, rounded down.

    >>> shown_down(0.123499)
    '0.1234'
    """
    return f"{rounded_down(number, 4):g}" if 0 < number < math.inf else f"{number:g}"


def readable(text: str) -> str:
    r"""Return text with a visible mark for every character that would not show, or would harm what does.

    >>> readable("na\x00me")
    'na�me'
    """
    return UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def rounded_up(number: float, digits: int) -> float:
    """Round a number that is not negative up to so many significant digits.

    >>> rounded_up(0.80213, 3), rounded_up(29.000001, 4), rounded_up(0.01, 3), rounded_up(0.0, 3)
    (0.803, 29.01, 0.01, 0.0)
    """
    return _rounded(number * (1 - HAIR), digits, ROUND_CEILING)


def rounded_down(number: float, digits: int) -> float:
    """Round a number that is not negative down to so many significant digits.

    >>> rounded_down(4.8559, 3), rounded_down(100.0, 4)
    (4.85, 100.0)
    """
    return _rounded(number * (1 + HAIR), digits, ROUND_FLOOR)


def _rounded(number: float, digits: int, rounding: str) -> float:
    return float(Context(prec=digits, rounding=rounding).create_decimal(number))
