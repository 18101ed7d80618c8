"""Time and error of the losses of publishing a sample's histogram: python benchmarks/sampling_loss.py.

The error is half the bracket's width; below it, the distance of the floats from exact fractions.
"""

import time

from epsilometer.formulas.sampling import loss_fractions, median_loss, shares_loss

SIZES = [
    (10**9, 10**2), (10**9, 10**4), (10**9, 10**5), (10**9, 10**6), (10**12, 10**9),
    (1_010_000, 10**6), (1_330_000, 10**6), (2_500_000, 10**6), (2_500_000_000, 10**9), (10**9, 10**9 - 1),
]  # fmt: skip


def timed(formula, *arguments):
    started = time.perf_counter()
    found = formula(*arguments)
    return found, time.perf_counter() - started


def line(title, found, seconds):
    error = (found.high - found.low) / (2 * found.value)
    print(f"{title:50} {found.value:.12e}  error {error:.0e}  {seconds:7.3f} s")


def main():
    median_loss(10, 5, 1.0)  # imports
    for n, m in SIZES:
        line(f"median, n = {n:,}, m = {m:,}", *timed(median_loss, n, m, 1.0))
    for n, m, alpha in [(10**6, 10**4, 0.5), (10**9, 10**6, 0.5), (10**9, 10**3, 0.5)]:
        line(f"median, n = {n:,}, m = {m:,}, alpha = {alpha}", *timed(median_loss, n, m, alpha))
    for n, m in SIZES:
        line(f"three shares, n = {n:,}, m = {m:,}", *timed(shares_loss, n, m, 3, 1.0))
    for n, m in [(20, 7), (100, 3), (100, 50), (500, 250), (700, 100)]:
        exact, seconds = timed(loss_fractions.median_loss, n, m, 1)
        error = abs(median_loss(n, m, 1.0).value / exact - 1)
        print(f"n = {n}, m = {m}: {error:.0e} from the fraction, which took {seconds:.3f} s")


if __name__ == "__main__":
    main()
