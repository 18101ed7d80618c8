"""Run a plan on neighbouring files with the same answers of chance, and find what tells them apart."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import tempfile
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from epsilometer.errors import EpsilometerError
from epsilometer.plans.release_kinds import Counts, Local, Sample
from epsilometer.releases.ledger_key import KEY_VARIABLE
from epsilometer.releases.release import carry_out
from epsilometer.releases.transcripts.neighbours import neighbours, source_of
from epsilometer.releases.transcripts.replay import QuestionsDiffer, Recorder, Replay, costs, positions_apart
from epsilometer.vocabulary.adjacency import Adjacency

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from epsilometer.plans.plan import Plan
    from epsilometer.releases.release import Released
    from epsilometer.releases.transcripts.neighbours import Source

ROUNDING: Final = 1e-9
# What may differ between two releases whatever the rows hold: a fresh name, a time, and hashes of these.
FRESH: Final = {"ledger_entry", "released_at", "input_commitment", "sha256", "bytes"}
IDS: Final = re.compile(r"[0-9a-f]{32,64}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?")


@dataclass(frozen=True)
class Transcript:
    """Everything that a run of a release shows.

    Attributes:
        error: what it failed with, word by word; empty if it did not.
        files: what was published, by the name of the file; passports without what is fresh each time.
        printed: what the command prints, likewise.
        recorder: the questions to chance.
        released: what was released.
    """

    error: str
    files: dict[str, str]
    printed: str
    recorder: Recorder
    released: Released | None


@dataclass(frozen=True, kw_only=True)
class TranscriptCheck:
    """What came of running a plan on neighbouring files.

    Attributes:
        n_pairs: how many pairs were run.
        outcome: how the release of the table itself ends: ``"published"``, or what it fails with.
        told: what told two files apart, one line for each pair that did.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "transcripts"

    n_pairs: int
    outcome: str
    told: tuple[str, ...] = field(default=())

    @property
    def passed(self) -> bool:
        """Whether no pair told more than the noise covers."""
        return not self.told

    def document(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; it is computed from the table."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": True,
            "n_pairs": self.n_pairs,
            "outcome": self.outcome,
            "passed": self.passed,
            "told": list(self.told),
        }


def check_transcripts(plan: Plan, *, pairs: int = 50, seed: int = 0) -> TranscriptCheck:
    """Run a plan on its table and on tables that differ by one person, each from an empty ledger.

    Nothing is published, and no ledger is touched: all of it happens in a folder for temporary files.
    """
    source = source_of(plan.table, plan.missing)
    told = []
    with tempfile.TemporaryDirectory(prefix="epsilometer-") as folder:
        before = _run(plan, source, source.rows, Path(folder), _recorder(plan, seed))
        for number, (way, rows) in enumerate(neighbours(source, seed, replaced=_is_replaced(plan))):
            if number == pairs:
                break
            replay = Replay(seed=seed, silent=before.recorder.silent, earlier=before.recorder.questions)
            after = _run(plan, source, rows, Path(folder), replay)
            told += [
                f"pair {number + 1}, a row {way}: {difference}" for difference in differences(plan, before, after)
            ][:1]
    return TranscriptCheck(n_pairs=pairs, outcome=before.error or "published", told=tuple(told))


def differences(plan: Plan, one: Transcript, other: Transcript) -> Iterator[str]:
    """Say what tells two runs apart beyond what the noise covers."""
    if one.error != other.error:
        yield f"it ends with {other.error or 'a release'!r} instead of {one.error or 'a release'!r}"
        return
    if one.printed != other.printed and not _varies(plan):
        yield "it prints something else"
    if set(one.files) != set(other.files):
        yield f"it writes {sorted(other.files)} instead of {sorted(one.files)}"
        return
    for name in one.files:
        if one.files[name] != other.files[name] and not (_varies(plan) and _covered(plan, name, one, other)):
            yield f"{name} differs"
    yield from _overpriced(one, other)


def _overpriced(one: Transcript, other: Transcript) -> Iterator[str]:
    """Hold the difference between the questions against what was paid."""
    if one.released is None or one.recorder.silent:
        return
    try:
        epsilon, rho = costs(one.recorder.questions, other.recorder.questions)
    except QuestionsDiffer as error:
        yield str(error)
        return
    looks = one.released.passport.looks
    paid = math.fsum(look.epsilon for look in looks)
    if epsilon > paid * (1 + ROUNDING):
        yield f"the questions to the noise differ by ε = {epsilon:g}, and {paid:g} was paid"
    allowed = math.fsum((look.moved_counts or 0) / (2 * look.scale**2) for look in looks if look.scale)
    if rho > allowed * (1 + ROUNDING):
        yield f"the questions to Gaussian noise differ by ρ = {rho:g}, and {allowed:g} was paid"
    for before, after in zip(one.recorder.questions, other.recorder.questions, strict=True):
        if before.kind == "reports" and positions_apart(before, after) > 1:
            yield f"{positions_apart(before, after)} people report something else"


def _run(plan: Plan, source: Source, rows: Sequence[dict[str, Any]], folder: Path, recorder: Recorder) -> Transcript:
    """Carry out a release of some rows in a folder of its own, and keep everything it shows."""
    with tempfile.TemporaryDirectory(dir=folder) as here, _own_key(Path(here)):
        table, out = Path(here) / f"table{source.suffix}", Path(here) / "out.csv"
        source.write(table, rows)
        asked = replace(plan, table=str(table), dataset="transcript")
        try:
            released = carry_out(
                asked, out=out, ledger=Path(here) / "ledger.sqlite", overwrite=False, chance=recorder.chance()
            )
        except (EpsilometerError, QuestionsDiffer) as error:
            found = {path.name: "" for path in Path(here).glob("out*")}
            return Transcript(f"{type(error).__name__}: {_plain(str(error), here)}", found, "", recorder, None)
        files = {path.name: _content(path) for path in Path(here).glob("out*") if path.suffix != ".html"}
        printed = _plain(json.dumps(_without_fresh(released.to_dict()), sort_keys=True), here)
        return Transcript("", files, printed, recorder, released)


def _content(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return json.dumps(_without_fresh(json.loads(text)), sort_keys=True) if path.suffix == ".json" else text


def _without_fresh(document: Any) -> Any:  # noqa: ANN401
    if isinstance(document, dict):
        return {key: _without_fresh(value) for key, value in document.items() if key not in FRESH}
    return [_without_fresh(each) for each in document] if isinstance(document, list) else document


def _plain(text: str, folder: str) -> str:
    return IDS.sub("…", text.replace(folder, "…"))


def _recorder(plan: Plan, seed: int) -> Recorder:
    thresholded = isinstance(plan.release, Counts) and plan.release.support == "thresholded"
    return Recorder(seed=seed, silent=thresholded)


def _is_replaced(plan: Plan) -> bool:
    """Whether the guarantee is about replacing a person: how many there are is not hidden then."""
    if isinstance(plan.release, Counts):
        return plan.release.mechanism.adjacency is Adjacency.REPLACE
    return isinstance(plan.release, Sample | Local)


def _varies(plan: Plan) -> bool:
    """Whether what is published shows the one person who differs, as far as chance and thresholds let it."""
    return isinstance(plan.release, Sample) or (
        isinstance(plan.release, Counts) and plan.release.support == "thresholded"
    )


def _covered(plan: Plan, name: str, one: Transcript, other: Transcript) -> bool:
    """Whether two published files differ by one person and no more."""
    if name.endswith(".json"):
        return True  # the number of rows, which the file shows anyway
    before, after = (Counter(_records(each.files[name])) for each in (one, other))
    if isinstance(plan.release, Sample):
        return sum((before - after).values()) <= 1 and sum((after - before).values()) <= 1
    lowest = next(used.threshold or 0 for used in one.released.passport.mechanisms) if one.released else 0
    moved = max((look.moved_counts or 0) for look in one.released.passport.looks) if one.released else 0
    return _lists_apart(before - after, after - before, lowest) <= moved


def _records(text: str) -> Iterator[str]:
    """Return the records of a CSV file, of which a value may have several lines."""
    return (",".join(row) for row in csv.reader(io.StringIO(text, newline="")))


def _lists_apart(gone: Counter[str], come: Counter[str], lowest: float) -> float:
    """Return by how much two lists of counts differ, where a count that is not listed is just below the threshold."""
    counts = [{line.rpartition(",")[0]: int(line.rpartition(",")[2]) for line in lines} for lines in (gone, come)]
    return sum(abs(counts[0].get(key, lowest - 1) - counts[1].get(key, lowest - 1)) for key in {*counts[0], *counts[1]})


@contextmanager
def _own_key(folder: Path) -> Iterator[None]:
    """Let a ledger have a key that nothing else has."""
    before = os.environ.get(KEY_VARIABLE)
    os.environ[KEY_VARIABLE] = str(folder / "key")
    try:
        yield
    finally:
        if before is None:
            del os.environ[KEY_VARIABLE]
        else:
            os.environ[KEY_VARIABLE] = before
