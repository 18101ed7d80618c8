"""Write command-line.md from the commands themselves: python docs/reference/make_command_line.py."""

from pathlib import Path

import typer.main

from epsilometer.cli.main import app

PAGE = Path(__file__).with_name("command-line.md")


def page() -> str:
    """Return the page that describes every command, argument and option."""
    group = typer.main.get_command(app)
    lines = ["# Command line", "", str(group.help), "", str(group.epilog), ""]
    lines += ["Options of the program stand before the command; `--memory` may stand anywhere:", "", *table(group)]
    for name, command in commands("epsilometer", group):
        lines += [f"## {name}", "", str(command.help), "", *table(command)]
    return "\n".join(lines)


def table(command) -> list[str]:  # noqa: ANN001
    """Return the lines that describe the arguments and options of a command."""
    return ["| option | meaning | default |", "|---|---|---|", *map(row, command.params), ""]


def commands(prefix, group):  # noqa: ANN001, ANN201
    """Yield every command by its full name, those of a group after each other."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(f"{prefix} {name}", command)
        else:
            yield f"{prefix} {name}", command


def row(parameter) -> str:  # noqa: ANN001
    """Return the table row of one argument or option."""
    names = [name if name.startswith("-") else name.upper() for name in parameter.opts]
    shown = ", ".join(f"`{name}`" for name in names)
    default = (
        "required" if parameter.required else "" if parameter.default in (None, [], False, ()) else parameter.default
    )
    return f"| {shown} | {' '.join(parameter.help.split()).replace('|', '/')} | {default} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
