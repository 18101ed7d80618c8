"""What each action gains or loses on average, before and after an output is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.leakage.reading import check_columns, check_finite, check_rows, check_secrets, read

if TYPE_CHECKING:
    from epsilometer.leakage.reading import Matrix, MatrixLike, VectorLike


def expected_before(prior: VectorLike, **gain_or_loss: MatrixLike) -> Matrix:
    """Return the expected value of each action; the one other argument is named ``gain`` or ``loss``."""
    weights, values = read(prior=prior, **gain_or_loss)
    return _expected(weights, values, *gain_or_loss)


def expected_before_and_after(
    prior: VectorLike, channel: MatrixLike, **gain_or_loss: MatrixLike
) -> tuple[Matrix, Matrix]:
    """Return the expected value of each action, and outputs x actions: what each adds to it through each output."""
    weights, rows, values = read(prior=prior, channel=channel, **gain_or_loss)
    before = _expected(weights, values, *gain_or_loss)
    check_secrets(weights, rows)
    check_rows("channel", rows)
    return before, rows.T @ (values * weights).T


def _expected(weights: Matrix, values: Matrix, name: str) -> Matrix:
    check_rows("prior", weights[None, :])
    check_columns(name, values, len(weights))
    check_finite(name, values)
    return values @ weights
