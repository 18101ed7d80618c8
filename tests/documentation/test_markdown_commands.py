"""Every command shown in README and docs is run, and what it is shown to print is compared."""

import doctest
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITH_COMMANDS = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]
SCRIPTS = sysconfig.get_path("scripts")


def sessions(page):
    """Yield (command, expected output) for each ``$`` line of the page's console blocks."""
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            yield command, expected


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_do_what_the_page_says(page, tmp_path):
    assert shutil.which("epsilometer", path=SCRIPTS), "the package is not installed"
    checker = doctest.OutputChecker()
    for command, expected in sessions(page):
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env={"PATH": f"{SCRIPTS}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        shown_code = re.search(r"^exit code (\d)$", expected, flags=re.MULTILINE)
        assert done.returncode == (int(shown_code[1]) if shown_code else 0), done.stderr
        printed = done.stdout + (f"{done.stderr}exit code {shown_code[1]}\n" if shown_code else "")
        options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert checker.check_output(expected, printed, options), f"$ {command}\n{printed}"


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"


def test_readme_names_the_two_commands_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for command in ("demo", "test"):
        assert re.search(rf"^{command}:", makefile, flags=re.MULTILINE)
        assert f"make {command}" in readme
        assert f"make {command}" in ci
