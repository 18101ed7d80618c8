"""Every public name, command, option, error and citation key is documented."""

import inspect
import re
from pathlib import Path

import typer.main

import epsilometer as em
from epsilometer import errors
from epsilometer.cli.main import app
from epsilometer.vocabulary.source import sources_of

ROOT = Path(__file__).parents[2]


def text(*parts):
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def test_public_names_are_sorted_few_and_documented():
    assert em.__all__ == sorted(em.__all__)
    assert len(em.__all__) <= 68
    page = text("docs", "reference", "python.md")
    for name in em.__all__:
        assert f"`em.{name}" in page, name
        assert inspect.getdoc(getattr(em, name)), name


def commands(prefix, group):
    """Every command by its full name, those of a group one by one."""
    for name, command in group.commands.items():
        within = getattr(command, "commands", None)
        yield from commands(f"{prefix} {name}", command) if within else [(f"{prefix} {name}", command)]


def test_commands_and_options_are_documented():
    page = text("docs", "reference", "command-line.md")
    for name, command in commands("epsilometer", typer.main.get_command(app)):
        assert f"## {name}" in page
        for parameter in command.params:
            for option in parameter.opts:
                shown = option if option.startswith("-") else option.upper()
                assert shown in page, f"{name} {shown}"
            assert getattr(parameter, "help", None), f"{name} {parameter.name} has no help"


def test_the_error_tree_lists_every_error():
    tree = errors.__doc__
    for name, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, Exception):
            assert re.search(rf"\b{name}\b", tree), name


def formulas():
    import importlib
    import pkgutil

    import epsilometer.formulas

    for module in pkgutil.walk_packages(epsilometer.formulas.__path__, "epsilometer.formulas."):
        for _, function in inspect.getmembers(importlib.import_module(module.name), callable):
            if getattr(function, "__module__", "").startswith("epsilometer.formulas"):
                yield function


def test_citation_keys_are_in_the_bibliography():
    bibliography = text("docs", "references.bib")
    known = set(re.findall(r"^@\w+\{([^,]+),", bibliography, flags=re.MULTILINE))
    cited = {source.key for formula in formulas() for source in sources_of(formula)}
    assert "homogeneity-v2" in cited
    assert cited <= known, cited - known


def test_changelog_has_the_headings_readers_look_for():
    changelog = text("CHANGELOG.md")
    assert "## [Unreleased]" in changelog
    assert "Numbers that changed" in changelog


def test_the_command_line_page_is_what_the_commands_say():
    import runpy

    made = runpy.run_path(str(ROOT / "docs" / "reference" / "make_command_line.py"))
    assert made["page"]() == text("docs", "reference", "command-line.md")
