"""All errata of Paper 002, Q1 to Q7, each shown by numbers computed now where it has any."""

from __future__ import annotations

from epsilometer.formulas.sampling.published import published_unknown_datasets
from epsilometer.reproduction.finding import Finding, Pair, Severity
from epsilometer.reproduction.sampling.comparisons import CAPTION, MEANT, TABLE, loss, vulnerability


def all_findings() -> tuple[Finding, ...]:
    """Return the errata in their order."""
    return (
        weight_of_the_outside(),
        population_of_the_table(),
        doubled_rows(),
        secrecy_of_the_uniform(),
        closed_forms(),
        outside_of_everybody(),
        slips(),
    )


def weight_of_the_outside() -> Finding:
    """Q1."""
    cases = ((2, 1), (10, 4), (500, 100))
    pairs = tuple(
        Pair(
            f"(4.28): n = {n}, m = {m}",
            float(published_unknown_datasets(n, m)),
            vulnerability(n, m, "unknown", "datasets"),
        )
        for n, m in cases
    )
    return Finding(
        id="Q1",
        severity=Severity.WRONG,
        place="002, equation (4.28), and the sentence below (4.20)",
        printed="People outside the sample count with the weight (m - n)/n.",
        right="The weight is (n - m)/n. As printed, the vulnerability falls below a blind guess.",
        pairs=pairs,
    )


def population_of_the_table() -> Finding:
    """Q2."""
    pairs = [
        Pair(f"{quantity}, m = {m}, n = {n:,}", float(printed.rstrip("%")) / 100, right)
        for n in (MEANT, CAPTION)
        for m, risk, error in TABLE
        for quantity, printed, right in (
            ("vulnerability", risk, vulnerability(n, m, "unknown", "frequencies")),
            ("loss", error, loss(n, m, "frequencies")),
        )
    ]
    return Finding(
        id="Q2",
        severity=Severity.WRONG,
        place="002, Table 4.1",
        printed="The population has 10⁶ people.",
        right="The numbers are those of 500 people, and even then 66.74 % should be 66.73 %.",
        pairs=tuple(pairs),
    )


def doubled_rows() -> Finding:
    """Q3."""
    return Finding(
        id="Q3",
        severity=Severity.SLIP,
        place="002, Table 3.5",
        printed="The channel of the analyst has eight rows.",
        right="There are four populations of two people; each is listed twice.",
        pairs=(Pair("rows", 8.0, float(2**2)),),
    )


def secrecy_of_the_uniform() -> Finding:
    """Q4."""
    return Finding(
        id="Q4",
        severity=Severity.SLIP,
        place="002, below Definition 2.2.1",
        printed="The closer the attacker's knowledge is to the uniform distribution, the less is the secrecy.",
        right="The more: a uniform belief in 10,000 passwords is right once in 10,000 guesses.",
    )


def closed_forms() -> Finding:
    """Q5."""
    n, m = CAPTION, 10_000
    return Finding(
        id="Q5",
        severity=Severity.IMPRECISE,
        place="002, Theorems 4.2.2 to 4.2.4 and Section 4.3",
        printed="The losses on datasets have no closed form, and the posterior loss takes n³ steps.",
        right=(
            "On datasets both losses are MAD(N)/n, with MAD the mean distance of N fair coins from their median: one "
            "step. On frequencies each histogram needs one beta-binomial probability and one distribution function: "
            f"at n = {n:,} and m = {m:,} the losses are {loss(n, m, 'datasets'):.6g} and "
            f"{loss(n, m, 'frequencies'):.6g}."
        ),
    )


def outside_of_everybody() -> Finding:
    """Q6."""
    return Finding(
        id="Q6",
        severity=Severity.IMPRECISE,
        place="002, equations (3.3) and (3.6)",
        printed="The attacker who knows the target to be outside has a prior for every sample size.",
        right="Not for m = n, where it divides by n - m = 0: nobody is outside, and that attacker has no weight.",
    )


def slips() -> Finding:
    """Q7."""
    odd, even = 3, 2
    return Finding(
        id="Q7",
        severity=Severity.SLIP,
        place="002, proofs of (4.19) and (4.20), Lemmas 4.1.1, 4.1.3 and 4.1.8, Example 3.5, Definition 2.2.8",
        printed="Several terms of the proofs.",
        right=(
            "In (4.19), odd m, the divisor is 4(m + 2); in (4.20), even m, the term is 3/4 + 1/(4(m + 1)); the sums "
            "are split at y and end at m; Lemma 4.1.3 has (n - m - 1)! and needs m < n; Lemma 4.1.8 has (m - y)/m; "
            "Example 3.5 asks for p at t; Definition 2.2.8 is for any secret; Theorems 4.2.2 and 4.2.4 give losses, "
            "not probabilities. The results are not affected."
        ),
        pairs=(
            Pair(f"(4.19), m = {odd}", (odd + 1) / (4 * (odd + 1)), (odd + 1) / (4 * (odd + 2))),
            Pair(f"(4.20), m = {even}", 3 / (4 * (even + 1)) + 1 / (4 * even), 3 / 4 + 1 / (4 * (even + 1))),
        ),
    )
