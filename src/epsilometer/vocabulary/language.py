"""The languages that people are spoken to in: texts by key, numbers as they are written there."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from epsilometer import errors
from epsilometer.vocabulary import wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LANGUAGES: Final = ("en", "de")
PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")
NUMBER: Final = r"\d[\d,.]*"
LONGEST_LINE: Final = 1_000  # characters of a sentence in which something varies


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    Attributes:
        code: its short name, as in HTML.
        texts: the texts by key.
        lines: sentences that results carry in English, with what they are here.
        forms: the same for sentences in which something varies.
    """

    code: str
    texts: Mapping[str, str]
    lines: Mapping[str, str]
    forms: tuple[tuple[re.Pattern[str], str], ...]

    def text(self, key: str, /, **values: str | int) -> str:
        """Return a text with its placeholders filled in; a whole number called ``n`` decides between its forms.

        Values are put in as they are: a brace in one means nothing.

        >>> language("de").text("writing.people", n=1_000)
        '1.000 Personen'
        """
        if key not in self.texts:
            key = f"{key}.one" if values.get("n") == 1 else f"{key}.other"
        return PLACEHOLDER.sub(lambda found: self._filled(values[found[1]]), self.texts[key])

    def _filled(self, value: str | int) -> str:
        return value if isinstance(value, str) else self.number(value)

    def line(self, english: str) -> str:
        """Return a sentence that a result carries in English; unchanged if it is not known here.

        >>> language("de").line("The target is in the table, with one record.")
        'Die Zielperson steht mit einem Datensatz in der Tabelle.'
        >>> language("de").line("1,200 records have no value for age; missing is counted as a value of its own.")
        '1.200 Datensätze haben keinen Wert bei age; „fehlend“ zählt als eigener Wert.'
        """
        if english in self.lines:
            return self.lines[english]
        for pattern, text in self.forms if len(english) <= LONGEST_LINE else ():
            if found := pattern.fullmatch(english):
                return PLACEHOLDER.sub(lambda name: self._varying(name[1], found[name[1]]), text)
        return english

    def _varying(self, name: str, value: str) -> str:
        return self.number(value) if name.startswith("n") else value

    def number(self, value: float | str, form: str = "") -> str:
        """Write a number: a whole one in groups of three digits, another one in the form given, or shortly.

        A number that was rounded and written by :mod:`epsilometer.vocabulary.wording` only gets the marks of this
        language.

        >>> language("de").number(32_561), language("de").number(0.25), language("en").number("0.1235")
        ('32.561', '0,25', '0.1235')
        """
        if not isinstance(value, str):
            value = format(value, form or ("," if isinstance(value, int) else "g"))
        return value.translate({ord(","): self.texts["writing.thousands"], ord("."): self.texts["writing.decimal"]})

    def percent(self, probability: float) -> str:
        """Write a risk as a percentage, rounded up.

        >>> language("de").percent(0.12301), language("de").percent(1e-9)
        ('12,4 %', 'unter 0,0001 %')
        """
        return self._percentage(probability, wording.hundredths_up(probability))

    def _percentage(self, probability: float, hundredths: str) -> str:
        key = "writing.percent_below" if wording.is_hardly_shown(probability) else "writing.percent"
        return self.text(key, number=self.number(hundredths))

    def percent_under_noise(self, probability: float) -> str:
        """Write a risk of a release with noise, which is never zero, though a double may be.

        >>> language("de").percent_under_noise(0.0)
        'unter 0,0001 %'
        """
        return self.percent(max(probability, wording.LEAST))

    def percent_at_least(self, probability: float) -> str:
        """Write what risks are held against as a percentage, rounded down.

        >>> language("de").percent_at_least(0.28899), language("de").percent_at_least(0.000349)
        ('28,8 %', '0,034 %')
        """
        return self._percentage(probability, wording.hundredths_down(probability))

    def percent_beside(self, probability: float, before: float) -> str:
        """Write a risk beside what it is held against: what has not grown is not made to by rounding.

        >>> language("en").percent_beside(0.667, 2 / 3), language("en").percent_beside(2 / 3, 2 / 3)
        ('66.7 %', 'no more')
        """
        return self.percent(probability) if wording.has_grown(probability, before) else self.texts["writing.no_more"]

    def percent_between(self, low: float, high: float) -> tuple[str, str]:
        """Write the two ends of an interval of probabilities, rounded outwards, with as many decimals each.

        >>> language("de").percent_between(0.11, 0.1213)
        ('11,0 %', '12,2 %')
        """
        lower, upper = map(self.number, wording.hundredths_between(low, high))
        return self.text("writing.percent", number=lower), self.text("writing.percent", number=upper)

    def points(self, difference: float) -> str:
        """Write a difference of probabilities, rounded up.

        >>> language("en").points(0.0123)
        '1.3 percentage points'
        """
        return self.text("writing.points", number=self.number(wording.hundredths_up(difference)))

    def points_at_least(self, difference: float) -> str:
        """Write a difference that others are held against, rounded down.

        >>> language("en").points_at_least(0.2509)
        '25.0 percentage points'
        """
        return self.text("writing.points", number=self.number(wording.hundredths_down(difference)))

    def people(self, n: int) -> str:
        """Write a number of people.

        >>> language("en").people(1), language("en").people(1_000)
        ('1 person', '1,000 people')
        """
        return self.text("writing.people", n=n)

    def joined(self, names: Iterable[str]) -> str:
        """Join names as a person would.

        >>> language("de").joined(["Alter", "Region"])
        'Alter und Region'
        """
        return wording.joined(names, self.texts["writing.conjunction"])


def language(code: str = "en") -> Language:
    """Return a language by its short name.

    Raises:
        UnknownChoice: there are no texts in it.

    >>> language("de").text("report.evidence")
    'Belege'
    """
    if code not in LANGUAGES:
        raise errors.UnknownChoice("language", code, LANGUAGES)
    return _read(code)


@cache
def _read(code: str) -> Language:
    file = resources.files(__package__) / "texts" / f"{code}.toml"
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    lines = tables.pop("lines", {})
    forms = tuple((_form(english), text) for english, text in lines.items() if PLACEHOLDER.search(english))
    return Language(code, dict(_flat(tables)), lines, forms)


def _form(english: str) -> re.Pattern[str]:
    """Make a pattern of a sentence in which something varies; what is named twice is the same both times."""
    pattern, named = "", set[str]()
    for i, part in enumerate(PLACEHOLDER.split(english)):
        if not i % 2:
            pattern += re.escape(part)
        elif part in named:
            pattern += f"(?P={part})"
        else:
            pattern += f"(?P<{part}>{NUMBER if part.startswith('n') else '.+'})"
            named.add(part)
    return re.compile(pattern, re.DOTALL)


def _flat(tables: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in tables.items():
        if isinstance(value, str):
            yield above + name, value
        else:
            yield from _flat(value, f"{above}{name}.")


ENGLISH: Final = language()
