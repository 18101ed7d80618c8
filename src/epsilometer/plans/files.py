"""Plan files: read one, and write one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

from epsilometer.plans.locations import seen_from_here
from epsilometer.plans.plain_data import plain_data
from epsilometer.plans.reading import Source, read_source
from epsilometer.plans.validation import plan_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from epsilometer.plans.plan import Plan

HEADER: Final = ("A plan for epsilometer: a table, its roles, what is to be published of it, and what must be met.",)


def read_plan(path: str | Path) -> Plan:
    """Read a plan file, in YAML or JSON; the table and files of values are looked for beside it.

    Raises:
        BadPlan: in one line that names the file, the line, the key, the value and what is allowed.
    """
    return plan_from(read_settings(path))


def read_settings(path: str | Path) -> Source:
    """Read what a plan file says without asking whether it is a whole plan; locations are as seen from here."""
    source, folder = read_source(path), Path(path).parent
    domain = source.data.get("domain")
    values = domain.values() if isinstance(domain, dict) else ()
    named = [(source.data, "table"), *((declared, "file") for declared in values if isinstance(declared, dict))]
    for settings, key in named:
        if isinstance(location := settings.get(key), str):
            settings[key] = seen_from_here(location, folder)
    return source


def plan_text(plan: Plan, folder: Path = Path()) -> str:
    """Return a plan as YAML for a file in that folder: what differs from the defaults, and what matters anyway."""
    return as_yaml(plain_data(plan, folder), HEADER)


def as_yaml(settings: Mapping[str, Any], comments: Iterable[str]) -> str:
    """Return settings as YAML in their order, below lines of comment."""
    lines = "".join(f"# {line}".rstrip() + "\n" for line in comments)
    if not settings:
        return lines
    return lines + yaml.dump(
        dict(settings), Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100
    )


class _Dumper(yaml.SafeDumper):
    """Writes texts with unusual characters in double quotes, where each of them is escaped and kept."""

    def represent_text(self, text: str) -> yaml.ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


_Dumper.add_representer(str, _Dumper.represent_text)
