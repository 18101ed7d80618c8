"""YAML as it was written: plain texts in lists and mappings, and the line that each of them stands in.

JSON is YAML too. Every scalar stays the text it is; a key with nothing after it is as if it were not there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import yaml

from epsilometer.errors import BadPlan

if TYPE_CHECKING:
    from collections.abc import Mapping

Place: TypeAlias = tuple[str | int, ...]
NULL: Final = "tag:yaml.org,2002:null"
ABSENT: Final = object()


@dataclass(frozen=True)
class Source:
    """Settings, and where they come from.

    Attributes:
        name: the file they were read from; empty if there is none.
        data: the settings.
        lines: the line of each place in the file; what came from elsewhere has none.
    """

    name: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    lines: Mapping[Place, int] = field(default_factory=dict)

    def at(self, place: Place) -> object:
        """Return what stands at a place, or ``ABSENT``."""
        found: Any = self.data
        for part in place:
            try:
                found = found[part]
            except (KeyError, IndexError, TypeError):
                return ABSENT
        return found

    def decided_by(self, place: Place) -> Place:
        """Return the place itself or, if nothing stands there, the nearest one around it where something does."""
        return place if self.at(place) is not ABSENT else self.decided_by(place[:-1])

    def over(self, settings: Mapping[str, Any]) -> Source:
        """Return these settings with others put over them, key by key in what has keys of its own."""
        data: dict[str, Any] = dict(self.data)
        overridden: set[Place] = set()
        for key, value in settings.items():
            if isinstance(value, dict) and isinstance(data.get(key), dict):
                data[key] = {**data[key], **value}
                overridden |= {(key, inner) for inner in value}
            else:
                data[key] = value
                overridden.add((key,))
        lines = {
            place: line
            for place, line in self.lines.items()
            if not overridden & {place[:length] for length in range(1, len(place) + 1)}
        }
        return Source(self.name, data, lines)

    def complaint(self, place: Place, words: str) -> BadPlan:
        """Return an error about a place, with its line where it has one."""
        line = self.lines.get(self.decided_by(place))
        return BadPlan(f"{self.name}{'' if line is None else f', line {line}'}: {words}")


class _Composer(yaml.SafeLoader):
    """Composes nodes and constructs nothing; without aliases, which can make a small file endless."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(
                problem="names of other parts (*name) are not followed", problem_mark=mark
            )
        return super().compose_node(parent, index)


def read_source(path: str | Path) -> Source:
    """Read a file of settings."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadPlan(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BadPlan(f"{path} cannot be read: it is not text in UTF-8.") from None
    return source_from(text, str(path))


def source_from(text: str, name: str) -> Source:
    """Read settings from text; ``name`` is what messages call it.

    >>> source_from("sex: [no, 01]", "plan.yaml").data
    {'sex': ['no', '01']}
    """
    if text.lstrip().startswith("{"):
        text = text.replace("\t", " ")  # JSON may be indented by tabs, YAML may not
    try:
        root = yaml.compose(text, Loader=_Composer)
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f", line {error.problem_mark.line + 1}"
        raise BadPlan(f"{name}{line}: this cannot be read as YAML: {error.problem}.") from None
    except yaml.YAMLError as error:
        raise BadPlan(f"{name}: this cannot be read as YAML: {str(error).splitlines()[0]}.") from None
    except RecursionError:
        raise BadPlan(f"{name}: this is nested too deeply.") from None
    if not isinstance(root, yaml.MappingNode):
        raise BadPlan(f"{name}: this must be keys with values, each as 'key: value'.")
    lines: dict[Place, int] = {}
    return Source(name, _mapping(root, (), lines, name), lines)


def _plain(node: yaml.Node, place: Place, lines: dict[Place, int], name: str) -> object:
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, place, lines, name)
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            lines[*place, index] = item.start_mark.line + 1
        return [_plain(item, (*place, index), lines, name) for index, item in enumerate(node.value)]
    return None if node.tag == NULL else _text(node.value)


def _mapping(node: yaml.MappingNode, place: Place, lines: dict[Place, int], name: str) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise BadPlan(f"{name}, line {line}: a key must be text.")
        key = _text(key_node.value)
        if (*place, key) in lines:
            raise BadPlan(f"{name}, line {line}: {key!r} was given before, in line {lines[*place, key]}. Give it once.")
        lines[*place, key] = line
        read[key] = _plain(value_node, (*place, key), lines, name)
    return {key: value for key, value in read.items() if value is not None}


def _text(written: str) -> str:
    """Return a text whose characters are whole: JSON writes some of them as two halves."""
    return written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
