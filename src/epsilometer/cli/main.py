"""The command line: one file per command; this one joins them and turns errors into one line each."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from epsilometer.cli.assess import assess
from epsilometer.cli.attackers import attackers
from epsilometer.cli.audit import audit
from epsilometer.cli.check import check
from epsilometer.cli.choose import choose
from epsilometer.cli.choose_without_looking import choose_without_looking
from epsilometer.cli.compare import compare
from epsilometer.cli.demo import demo
from epsilometer.cli.exits import BAD_INPUT, DEFECT, PIPE_CLOSED
from epsilometer.cli.guess import guess
from epsilometer.cli.ledger import app as ledger
from epsilometer.cli.plan import app as plan
from epsilometer.cli.release import release
from epsilometer.cli.reproduce import reproduce
from epsilometer.cli.sample import sample
from epsilometer.cli.schema import schema
from epsilometer.cli.serve import serve
from epsilometer.cli.synthesize import synthesize
from epsilometer.errors import EpsilometerError

app = typer.Typer(
    name="epsilometer",
    help="Reads the privacy parameter of a data release as what an attacker could learn from this very table.",
    epilog="Exit codes: 0 fine, 1 a target is missed, 2 usage or bad input, 3 nothing is feasible, 70 a defect.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(assess)
app.command()(attackers)
app.command()(audit)
app.command()(check)
app.command()(choose)
app.command()(choose_without_looking)
app.command()(compare)
app.command()(demo)
app.command()(guess)
app.add_typer(ledger, name="ledger")
app.add_typer(plan, name="plan")
app.command()(release)
app.command()(reproduce)
app.command()(sample)
app.command()(schema)
app.command()(serve)
app.command()(synthesize)


def _show_version(asked: bool) -> None:  # noqa: FBT001  (typer calls it with the flag's value)
    if asked:
        from importlib.metadata import version

        typer.echo(f"epsilometer {version('epsilometer')}")
        raise typer.Exit


@app.callback()
def common_options(
    context: typer.Context,
    *,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT",
            envvar="EPSILOMETER_MEMORY",
            show_envvar=True,
            help="Memory for counting, such as 8GB; a quarter of this computer's if not said. "
            "What does not fit goes to disk meanwhile.",
        ),
    ] = None,
    version: Annotated[  # noqa: ARG001  (its callback has done the work)
        bool,
        typer.Option("--version", help="Show the version and leave.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Options of the program itself."""
    if memory is not None:
        from epsilometer.tables.memory import memory_limit

        context.with_resource(memory_limit(memory))


def memory_first(arguments: list[str]) -> list[str]:
    """Move the amount of memory, which is the program's own, from where people write it to where it is read.

    >>> memory_first(["assess", "people.csv", "--memory", "8GB", "-q", "age"])
    ['--memory', '8GB', 'assess', 'people.csv', '-q', 'age']
    """
    amounts: list[str] = []
    others: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            return [*amounts, *others, word, *words]
        name, said, _ = word.partition("=")
        if name != "--memory":
            others.append(word)
            continue
        amounts.append(word)
        if not said:
            amount = next(words, None)
            if amount is None:  # the program itself has to be asked, to say that it is missing
                return amounts
            amounts.append(amount)
    return [*amounts, *others]


def main() -> None:
    """Run a command; an error on purpose is one line and exit code 2, a defect one line and 70."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")  # ε is not in every terminal's own encoding
    try:
        app(args=memory_first(sys.argv[1:]))
    except EpsilometerError as error:
        typer.echo(f"Error: {' '.join(str(error).split())}", err=True)
        sys.exit(BAD_INPUT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads the unflushed rest
        sys.exit(PIPE_CLOSED)
    except Exception as error:  # noqa: BLE001  (a defect must not look like a missed target)
        typer.echo(f"Error: a defect in epsilometer: {type(error).__name__}: {error}", err=True)
        sys.exit(DEFECT)
