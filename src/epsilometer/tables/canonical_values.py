"""The canonical text of a value: the same for the same value, however a file or an engine stores it.

It is a prefix code, so that the texts of a row's values can be put together without a separator:

- ``-``: missing, not-a-number, or text that is empty or blank;
- ``n34;``: a whole number; also true (``n1;``) and false (``n0;``), which some engines store as numbers;
- ``f1500000;``: any other number, rounded to whole millionths;
- ``n+;`` and ``n-;``: infinity, and numbers of 64-bit floats and exponents that are too large for a 64-bit integer;
- ``t5:north``: any other text, with its number of characters; blanks around it are cut, A to Z become a to z.

A date is the text ``2024-02-29``, a time ``23:59:59``, and both ``2024-02-29 23:59:59``; at midnight the date alone.
The functions here do it in Python, for engines that cannot; ``canonical_rows`` writes the same rules in SQL.
"""

from __future__ import annotations

import math
import re
from string import ascii_lowercase, ascii_uppercase
from typing import Final

MISSING: Final = "-"
BLANKS: Final = " \t\r\n"
MILLION: Final = 1_000_000
SMALL: Final = 1e11  # below this a whole number of millions of millionths is exact in a 64-bit float
LARGE: Final = 9e18  # below this a whole number fits 64 bits
WORDS: Final = {
    **dict.fromkeys(("", "nan", "+nan", "-nan"), MISSING),
    **dict.fromkeys(("inf", "+inf", "infinity", "+infinity"), "n+;"),
    **dict.fromkeys(("-inf", "-infinity"), "n-;"),
    "true": "n1;",
    "false": "n0;",
}

# These expressions mean the same in Python, DuckDB, PostgreSQL and Java. Their lengths keep casts from overflowing.
_DECIMAL = "[+-]?([0-9]{1,18}([.][0-9]{0,38})?|[.][0-9]{1,38})"
WHOLE_NUMBER: Final = "0|-?[1-9][0-9]*"
NUMBER: Final = f"{_DECIMAL}(e[+-]?[0-9]{{1,2}})?"
EXTREME_NUMBER: Final = f"{_DECIMAL}e[+-]?[0-9]{{3}}"
TIME: Final = "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?"
MOMENT: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}[ t][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?(z|[+-]00(:?00)?)?)?"

_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_is_whole = re.compile(WHOLE_NUMBER).fullmatch
_is_number = re.compile(NUMBER).fullmatch
_is_extreme = re.compile(EXTREME_NUMBER).fullmatch
_is_time = re.compile(TIME).fullmatch
_is_moment = re.compile(MOMENT).fullmatch


def canonical(value: str | float | None) -> str:
    """Return the canonical text of a value.

    >>> [canonical(value) for value in (34, "034", 34.0, "1.50", " North ", None, "2024-02-29T00:00:00Z")]
    ['n34;', 'n34;', 'n34;', 'f1500000;', 't5:north', '-', 't10:2024-02-29']
    """
    if value is None:
        return MISSING
    if isinstance(value, str):
        return _of_text(value.strip(BLANKS).translate(_LOWER))
    return _of_float(value) if isinstance(value, float) else f"n{value};"


def _of_text(text: str) -> str:
    if text in WORDS:
        return WORDS[text]
    if _is_whole(text):
        return f"n{text};"
    if _is_number(text):
        return _of_float(float(text))
    if _is_extreme(text):
        if "e-" in text:
            return "n0;"
        return "n-;" if text.startswith("-") else "n+;"
    if _is_time(text):
        text = f"{text}:00"[:8]
    elif _is_moment(text):
        date, time = text[:10], f"{text}:00"[11:19]
        text = date if time == "00:00:00" else f"{date} {time}"
    return f"t{len(text)}:{text}"


def _of_float(number: float) -> str:
    if math.isnan(number):
        return MISSING
    if abs(number) < SMALL:
        millionths = math.floor(number * MILLION + 0.5)
        if millionths % MILLION:
            return f"f{millionths};"
    if abs(number) < LARGE:
        return f"n{math.floor(number + 0.5)};"
    return "n+;" if number > 0 else "n-;"
