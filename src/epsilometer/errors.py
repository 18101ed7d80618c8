"""Every error this package raises on purpose.

A message says what is wrong, which value was given, what is allowed, and what to do::

    EpsilometerError
    ├── OutOfRange (ValueError)         a number outside its domain
    ├── UnknownChoice (ValueError)      a word that is not on the list
    ├── BadQuestion (ValueError)        arguments that are missing, or contradict each other
    ├── BadCounts (ValueError)          an array that cannot be a table of counts
    ├── BadTable (ValueError)           a table that cannot be counted
    │   ├── UnreadableFile              a file that is not what its name says, or has malformed rows
    │   └── BadRoles                    columns that cannot play the parts they were given
    │       └── UnknownColumn (KeyError)
    ├── BadBins (ValueError)            bins that do not fit the column
    ├── BadFilter (ValueError)       a row filter the engine does not understand
    ├── BadPlan (ValueError)            a plan file that is not one; the message names the line
    ├── BadPassport (ValueError)        a passport that is not one
    ├── BadLedger (ValueError)          a ledger that cannot be used, or does not fit the release
    │   └── OverBudget                  a release that the rest of the budget does not pay for
    ├── ReleaseFailed                   a release that could not be made after it was paid for; says nothing of the rows
    ├── BadChannel (ValueError)         a prior, channel, gain or loss that cannot be one, or does not fit the others
    │   └── MixedNumbers                fractions among floats
    ├── NotCertified (ArithmeticError)  an answer that could not be proved right
    ├── MissingExtra (ImportError)      an optional dependency that is not installed
    ├── OutputExists (FileExistsError)  a file that would be overwritten
    └── BadOutput (OSError)             a place that cannot be written to
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class EpsilometerError(Exception):
    """Base of all errors raised on purpose; its text is one line a person can act on."""

    def __str__(self) -> str:
        return " ".join(str(part) for part in self.args)


class OutOfRange(EpsilometerError, ValueError):
    """A number outside its domain.

    >>> raise OutOfRange("epsilon", -1.0, "(0, inf)", hint="A smaller epsilon means more noise.")
    Traceback (most recent call last):
    epsilometer.errors.OutOfRange: epsilon must be in (0, inf), got -1.0. A smaller epsilon means more noise.
    """

    def __init__(self, name: str, value: object, allowed: str, *, hint: str = "") -> None:
        self.name, self.value, self.allowed, self.hint = name, value, allowed, hint
        super().__init__(f"{name} must be in {allowed}, got {value!r}.{' ' if hint else ''}{hint}")


class UnknownChoice(EpsilometerError, ValueError):
    """A word that is not on the list of allowed words."""

    def __init__(self, name: str, value: object, allowed: Iterable[str], *, hint: str = "") -> None:
        self.name, self.value, self.allowed, self.hint = name, value, tuple(allowed), hint
        words = ", ".join(self.allowed)
        super().__init__(f"{name} must be one of {words}; got {value!r}.{' ' if hint else ''}{hint}")


class BadQuestion(EpsilometerError, ValueError):
    """Arguments that are missing, or contradict each other; the message says which to give."""


class BadCounts(EpsilometerError, ValueError):
    """An array that cannot be a table of counts."""


class BadTable(EpsilometerError, ValueError):
    """A table that cannot be counted."""


class UnreadableFile(BadTable):
    """A file that is not what its name says, or has malformed rows."""


class BadRoles(BadTable):
    """Columns that cannot play the parts they were given."""


class UnknownColumn(BadRoles, KeyError):
    """A column that the table does not have; the message offers near names."""

    def __init__(self, column: str, available: Iterable[str]) -> None:
        self.column, self.available = column, tuple(available)
        near = difflib.get_close_matches(column, self.available, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else "Check the spelling."
        super().__init__(f"There is no column {column!r}; the table has {', '.join(self.available)}. {hint}")


class BadBins(EpsilometerError, ValueError):
    """Bins that do not fit the column they are for."""


class BadFilter(EpsilometerError, ValueError):
    """A row filter that the engine does not understand."""


class BadPlan(EpsilometerError, ValueError):
    """A plan file that is not one; the message names the line."""


class BadPassport(EpsilometerError, ValueError):
    """A passport that is not one."""


class BadLedger(EpsilometerError, ValueError):
    """A ledger that cannot be used, or does not fit the release."""


class OverBudget(BadLedger):
    """A release that the rest of the budget does not pay for; nothing was published."""


class ReleaseFailed(EpsilometerError):
    """A release that could not be made after it was paid for; in the same words whatever the reason is.

    >>> raise ReleaseFailed
    Traceback (most recent call last):
    epsilometer.errors.ReleaseFailed: The release could not be made. Its cost stays entered in the ledger. What is wrong
    with the table or the plan, `epsilometer assess` says to those who may see the table.
    """

    def __init__(self) -> None:
        super().__init__(
            "The release could not be made. Its cost stays entered in the ledger. What is wrong with the table or the "
            "plan, `epsilometer assess` says to those who may see the table."
        )


class BadChannel(EpsilometerError, ValueError):
    """A prior, channel, gain or loss that cannot be one, or does not fit the others."""


class MixedNumbers(BadChannel):
    """Fractions among floats, where one kind of numbers is needed."""


class NotCertified(EpsilometerError, ArithmeticError):
    """An answer that could not be proved right."""


class MissingExtra(EpsilometerError, ImportError):
    """An optional dependency that is not installed."""

    def __init__(self, purpose: str, extra: str) -> None:
        self.purpose, self.extra = purpose, extra
        super().__init__(
            f"{purpose} needs the optional part {extra}: in a copy of the repository, pip install '.[{extra}]'."
        )


class OutputExists(EpsilometerError, FileExistsError):
    """A file that would be overwritten."""

    def __init__(self, path: object) -> None:
        self.path = path
        super().__init__(f"{path} exists and is kept. Choose another name, or pass --overwrite.")


class BadOutput(EpsilometerError, OSError):
    """A place that cannot be written to."""
