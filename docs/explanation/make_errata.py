"""Write errata-homogeneity.md from the findings themselves: python docs/explanation/make_errata.py."""

from pathlib import Path

from epsilometer.reproduction.homogeneity.errata import all_findings
from epsilometer.reproduction.homogeneity.experiments import from_profiles

PAGE = Path(__file__).with_name("errata-homogeneity.md")
INTRODUCTION = """\
# Errata of papers 000 and 001

Papers 000 and 001 are the first and second version of Liu, Zhao and Zhang on the disclosure risk from homogeneity
attack in differentially private frequency distributions. They were worked through formula by formula and table by
table. What is wrong in them is listed here, with numbers that the package computes itself;
`epsilometer reproduce homogeneity` prints the same list, next to every number of the papers' experiments. The printed
equations stay available as `method="published"`; the default is always the exact one.

*Critical*: a conclusion is wrong. *Wrong*: a formula or number is wrong. *Imprecise*: true under conditions that
are not stated. *Slip*: what is meant can be told.
"""


def page() -> str:
    """Return the page that describes every erratum."""
    lines = [INTRODUCTION]
    for finding in all_findings(from_profiles()):
        lines += [
            f"## {finding.id}",
            "",
            f"*{finding.severity.capitalize()}.* {finding.place}.",
            "",
            f"Printed: {finding.printed}",
            "",
            f"Right: {finding.right}",
            "",
        ]
        if finding.pairs:
            lines += ["| | printed | right |", "|---|---:|---:|"]
            lines += [f"| {pair.quantity} | {pair.printed:.6g} | {pair.right:.6g} |" for pair in finding.pairs]
            lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
