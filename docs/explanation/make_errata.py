"""Write the errata pages from the findings themselves: python docs/explanation/make_errata.py."""

from pathlib import Path

from epsilometer.reproduction.guessing import errata as guessing
from epsilometer.reproduction.homogeneity import errata as homogeneity
from epsilometer.reproduction.homogeneity.experiments import from_profiles
from epsilometer.reproduction.sampling import errata as sampling
from epsilometer.reproduction.synthetic import errata as synthetic

HERE = Path(__file__).parent
SEVERITIES = """\
*Critical*: a conclusion is wrong. *Wrong*: a formula or number is wrong. *Imprecise*: true under conditions that
are not stated. *Slip*: what is meant can be told.
"""
HOMOGENEITY = f"""\
# Errata of papers 000 and 001

Papers 000 and 001 are the first and second version of Liu, Zhao and Zhang on the disclosure risk from homogeneity
attack in differentially private frequency distributions. They were worked through formula by formula and table by
table. What is wrong in them is listed here, with numbers that the package computes itself;
`epsilometer reproduce homogeneity` prints the same list, next to every number of the papers' experiments. The printed
equations stay available as `method="published"`; the default is always the exact one.

{SEVERITIES}"""
SAMPLING = f"""\
# Errata of paper 002

Paper 002 is the thesis of Gonze on attribute inference and utility when the histogram of a random sample is published.
Its closed forms were compared with the enumeration of all populations, in exact fractions; they are right but for what
is listed here. `epsilometer reproduce sampling` prints the same list, next to the numbers of its table and text.

{SEVERITIES}"""
GUESSING = f"""\
# Errata of paper 003

Paper 003 is a poster that takes the noise of differential privacy from the birthday bound. Its formula for one field is
right on a domain that it does not state; what is wrong is listed here. `epsilometer reproduce guessing` prints the same
list, next to what releases at its epsilons can really tell an attacker, and does its case study with the ages of the
Adult table. The printed formulas stay available as `method="published"`; the default is always the exact one.

{SEVERITIES}"""
SYNTHETIC = f"""\
# Errata of paper 004

Paper 004 is Chen, Yu and Dargahi on the risk of disclosure and the utility of a synthetic dataset. The curves of its
tables were fitted again to the numbers that it prints, and its measures were compared with the enumeration of all
pairings and candidates of small tables; what is wrong is listed here. `epsilometer reproduce synthetic` prints the same
list, next to the numbers of its tables, and draws its figures from synthetic tables of our own.

{SEVERITIES}"""


def pages() -> dict[Path, str]:
    """Return the text of every errata page, by file."""
    return {
        HERE / "errata-homogeneity.md": _page(HOMOGENEITY, homogeneity.all_findings(from_profiles())),
        HERE / "errata-sampling.md": _page(SAMPLING, sampling.all_findings()),
        HERE / "errata-guessing.md": _page(GUESSING, guessing.all_findings()),
        HERE / "errata-synthetic.md": _page(SYNTHETIC, synthetic.all_findings()),
    }


def _page(introduction: str, findings: tuple) -> str:
    lines = [introduction]
    for finding in findings:
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
    for file, text in pages().items():
        file.write_text(text, encoding="utf-8")
