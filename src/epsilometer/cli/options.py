"""Options that several commands share, each written once."""

from __future__ import annotations

from typing import Annotated

import typer

Table = Annotated[
    str,
    typer.Argument(help="File, glob or URL: people.csv, 'data/*.parquet', sqlite:///x.db::t, spark://host:7077::t."),
]
PlannedTable = Annotated[
    str | None,
    typer.Argument(
        help="File, glob or URL: people.csv, 'data/*.parquet', sqlite:///x.db::t, spark://host:7077::t. "
        "Or in a plan, with --plan."
    ),
]
PlanFile = Annotated[
    str | None,
    typer.Option("--plan", metavar="FILE.yaml", help="Take what is not said by flags from this plan file."),
]
WritePlan = Annotated[
    str | None,
    typer.Option("--write-plan", metavar="FILE.yaml", help="Also write everything that was asked for as a plan file."),
]
QuasiIdentifiers = Annotated[
    list[str], typer.Option("--quasi-identifier", "-q", help="Column the attacker knows; repeat for more.")
]
Sensitive = Annotated[
    list[str], typer.Option("--sensitive", "-s", help="Column the attacker wants to know; repeat for more.")
]
PersonId = Annotated[str | None, typer.Option(help="Column that says whose row it is: people are protected, not rows.")]
UnitName = Annotated[
    str | None,
    typer.Option("--unit", metavar="row", help="What is protected: row, if no --person-id says whose row it is."),
]
RowsPerPerson = Annotated[
    int | None, typer.Option(metavar="N", help="With --unit row: the most rows that one person has.")
]
Types = Annotated[
    list[str],
    typer.Option(
        "--type",
        metavar="COLUMN=TYPE",
        help="What a column holds: text, integer, number, date, datetime or boolean. Text files are text if not said.",
    ),
]
Bins = Annotated[
    list[str],
    typer.Option(
        "--bin",
        metavar="COLUMN=WIDTH | COLUMN:KEY=VALUE,…",
        help="Bins of a numeric column: age=5, or age:width=5,origin=15,closed=right, or age:edges=0/18/65.",
    ),
]
Where = Annotated[str | None, typer.Option(metavar="SQL", help="Row filter, run by the engine.")]
Missing = Annotated[list[str], typer.Option(metavar="TEXT", help="Text that stands for a missing value.")]
MechanismName = Annotated[
    str | None,
    typer.Option("--mechanism", help="laplace (default), geometric, gaussian or discrete-gaussian."),
]
Epsilons = Annotated[
    list[float],
    typer.Option("--epsilon", "-e", help="Privacy parameter, 1 if not said; repeat for a curve. Smaller is safer."),
]
Delta = Annotated[float | None, typer.Option(help="For the Gaussians: chance that the guarantee fails.")]
Calibration = Annotated[
    str | None,
    typer.Option(help="For gaussian: analytic (default), classic, probabilistic or probabilistic-tight."),
]
AdjacencyName = Annotated[
    str | None,
    typer.Option("--adjacency", help="What one person may change: add-remove (default) or replace."),
]
Threshold = Annotated[
    float | None, typer.Option(help="A noisy count below this is published as zero; 0.5 if not said.")
]
FailAbove = Annotated[
    float | None,
    typer.Option(metavar="RISK", help="Exit with 1 if the share of people disclosed is above this."),
]
Report = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Also write a report: .html, .md with charts beside it, or .json. Confidential."),
]
Public = Annotated[
    bool,
    typer.Option(
        "--public",
        help="With --report: write only what needs no look at the table, and may be published. What is printed "
        "besides remains confidential.",
    ),
]
LanguageName = Annotated[str, typer.Option("--language", metavar="en|de", help="Language of the report.")]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        help="mst, aim, privbayes, jtree, priview, dpcopula, contingency, wavelet, dpcube, or one of another package.",
    ),
]
Columns = Annotated[list[str], typer.Option("--column", "-c", help="Column to keep; repeat for more. All if none.")]
Domains = Annotated[
    list[str],
    typer.Option(
        "--domain",
        metavar="COLUMN=LOW..HIGH | COLUMN=A,B,… | COLUMN=@FILE",
        help="What a column may hold, +other for further values, +missing if some lack one. Else found privately.",
    ),
]
DomainTable = Annotated[
    str | None, typer.Option(metavar="TABLE", help="A table everybody may see, to take the other domains from.")
]
NumberOfBins = Annotated[int, typer.Option("--bins", help="Number of bins of a numeric column.")]
DataSet = Annotated[
    str | None, typer.Option(metavar="NAME", help="What the ledger calls the data; the table's name if not said.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")]
Json = Annotated[bool, typer.Option("--json", help="Print the typed result instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress on stderr.")]
