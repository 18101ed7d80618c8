"""What a table says about the laws behind it: shares that vary from cell to cell, and sizes of cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from epsilometer.formulas.empirical_bayes import (
    CommonShares,
    Dirichlet,
    HomogeneousCells,
    Unidentified,
    fit_of_whole_counts,
)
from epsilometer.formulas.homogeneity.size_laws import NegativeBinomial, Poisson
from epsilometer.formulas.size_fits import (
    SizeFit,
    size_fit,
    zero_truncated_negative_binomial_mle,
    zero_truncated_poisson_mle,
)

if TYPE_CHECKING:
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.profile import Profile

ABSURD: Final = 1e-3  # p-value below which a law is called absurd for the table at hand
SMALLEST_SHOWN: Final = 1e-6  # p-value; the chi-square approximation is worth no more
SHARES_UNTESTED: Final = (
    "It was not tested whether shares follow such a law, and the same one in small cells and in large ones; where they "
    "do not, the local risk may be larger."
)
NO_LAW_FITS: Final = (
    "Neither a Poisson nor a negative binomial law describes the cell sizes of this table: the risk is that of the "
    "fitted law, and says little about the table. The local risk takes the cells as they are."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedSizes:
    """A law of the cell sizes fitted to the non-empty cells of a table, and how well it fits.

    Attributes:
        law: the law, zero-truncated.
        n_fitted: number of parameters that were fitted.
        fit: goodness of fit.
    """

    law: Poisson | NegativeBinomial
    n_fitted: int
    fit: SizeFit

    @property
    def information_criterion(self) -> float:
        """Akaike's: twice the parameters less twice the log-likelihood; smaller is better."""
        return 2 * self.n_fitted - 2 * self.fit.log_likelihood

    @property
    def caveats(self) -> tuple[str, ...]:
        """What is to be said of a risk that takes the law for granted."""
        return (NO_LAW_FITS,) if self._is_absurd else ()

    @property
    def _is_absurd(self) -> bool:
        return self.fit.p_value < ABSURD

    def __str__(self) -> str:
        """Say what is assumed of the sizes, and what the table says to it."""
        assumed = f"Cell sizes follow {_law_in_words(self.law)}"
        if self.fit.degrees_of_freedom < 1:
            return f"{assumed}; there are too few cells to tell whether they do."
        verdict = "absurd for this table" if self._is_absurd else "not contradicted by this table"
        return f"{assumed}, which is {verdict} (chi-square test: {_probability(self.fit.p_value)})."


def fitted_sizes(freq: FrequencyTable) -> tuple[FittedSizes, ...]:
    """Fit zero-truncated Poisson and negative binomial laws to the cell sizes; the better one comes first.

    >>> from epsilometer import FrequencyTable
    >>> best, other = fitted_sizes(FrequencyTable.from_counts([[1]] * 60 + [[2]] * 20 + [[9]] * 20))
    >>> type(best.law).__name__, other.fit.p_value < 1e-6
    ('NegativeBinomial', True)
    """
    sizes, n_cells = freq.profile.cells_of_sizes
    mean = freq.n_records / freq.n_cells
    laws: list[tuple[Poisson | NegativeBinomial, int]] = [(Poisson(zero_truncated_poisson_mle(mean)), 1)]
    overdispersed = zero_truncated_negative_binomial_mle(sizes, n_cells)
    if isinstance(overdispersed, NegativeBinomial):
        laws.append((overdispersed, 2))
    fits = [FittedSizes(law=law, n_fitted=n, fit=size_fit(law, sizes, n_cells, n_fitted=n)) for law, n in laws]
    return tuple(sorted(fits, key=lambda fitted: fitted.information_criterion))


def _law_in_words(law: Poisson | NegativeBinomial) -> str:
    match law:
        case Poisson():
            return f"a zero-truncated Poisson law of rate {law.rate:.4g}"
        case NegativeBinomial():
            parameters = f"r = {law.r:.4g}, success probability {law.p:.4g}"
            return f"a zero-truncated negative binomial law ({parameters})"


def _probability(p_value: float) -> str:
    return f"p = {p_value:.2g}" if p_value >= SMALLEST_SHOWN else f"p below {SMALLEST_SHOWN:g}"


def fitted_shares(profile: Profile) -> Dirichlet | HomogeneousCells | CommonShares:
    """Fit the law of the shares; cells of one record are homogeneous, whatever the law."""
    fit = fit_of_whole_counts(profile.counts, profile.n_cells, profile.cells_of_sizes)
    return HomogeneousCells(fit.shares) if isinstance(fit, Unidentified) else fit


def in_words(fit: Dirichlet | HomogeneousCells | CommonShares) -> str:
    """Say what the fit assumes of the shares."""
    match fit:
        case Dirichlet():
            weights = ", ".join(f"{weight:.4g}" for weight in fit.alpha[:6])
            more = ", …" if len(fit.alpha) > 6 else ""  # noqa: PLR2004
            return f"Shares vary between cells by a Dirichlet law with fitted weights {weights}{more}."
        case HomogeneousCells():
            return "Every cell has one value only: the Dirichlet law of the shares is at its homogeneous limit."
        case CommonShares():
            return "The cells show no more variation than chance: all have the overall shares."
