"""A real release: entered in the ledger, made, sealed, and only then there for everybody to see."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from epsilometer.errors import BadOutput, BadQuestion
from epsilometer.plans.plain_data import plain_data
from epsilometer.plans.release_kinds import Counts, Local, Sample, Synthetic
from epsilometer.publication.chance import Chance
from epsilometer.releases.appearing import APPEARING, failed_on_error, publish, resume, telling_nothing
from epsilometer.releases.counts import prepare_counts
from epsilometer.releases.entering import dataset_name, entered
from epsilometer.releases.joint import joint_risk_of
from epsilometer.releases.known_again import commitment
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.local import prepare_local
from epsilometer.releases.passports import guaranteed, make_passport, output_of
from epsilometer.releases.sample import prepare_sample
from epsilometer.releases.synthetic import prepare_synthetic
from epsilometer.releases.this_table import risk_name
from epsilometer.report.delimited import as_file, safe_text
from epsilometer.report.files import check_free
from epsilometer.report.passport_document import passport_text, read_passport
from epsilometer.report.passport_page import passport_page
from epsilometer.synthesizers.noise import SimulatedNoise
from epsilometer.vocabulary.shown import Confidential
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt

    from epsilometer.plans.plan import Plan
    from epsilometer.releases.ledger import Ledger
    from epsilometer.releases.ledger_entries import Entry
    from epsilometer.releases.prepared import Made, Prepared
    from epsilometer.vocabulary.composition import Composition
    from epsilometer.vocabulary.local_release import LocalRelease
    from epsilometer.vocabulary.passport import Output, Passport
    from epsilometer.vocabulary.synthetic_table import SyntheticTable
    from epsilometer.vocabulary.telling import Tell

SUFFIXES: Final = (".csv", ".parquet")
PASSPORT: Final = ".passport.json"
PAGE: Final = ".passport.html"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Released(Confidential):
    """A release that is there for everybody to see, and what its owner should know about it.

    Attributes:
        passport: its public record.
        entry: its entry in the ledger, with what this very table gives away: confidential.
        composition: what all releases of the data set guarantee together.
        remaining: the epsilon that is left of the budget; ``None`` without one.
        detail: what else is known of a synthetic table or of local reports; ``None`` for the other kinds, and for a
            release that was made before and only had to be put in place.
    """

    passport: Passport
    entry: Entry
    composition: Composition
    remaining: float | None
    detail: LocalRelease | SyntheticTable | None

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "release"

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; what this very table gives away stays in the ledger."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": True,
            "passport": self.passport.to_dict(),
            "composition": self.composition.to_dict(),
            "remaining": self.remaining,
            "detail": None if self.detail is None else self.detail.to_dict(),
        }

    def plot(self) -> alt.LayerChart:
        """Draw what all releases of the data set cost together, and what is left of its budget."""
        from epsilometer.charts.composition import Spent, draw_budgets

        return draw_budgets([Spent(self.passport.dataset, self.composition, self.remaining)])


def release(
    plan: Plan,
    *,
    out: str | Path,
    ledger: str | Path,
    overwrite: bool = False,
    unsafe_seed: int | None = None,
    tell: Tell = silent,
) -> Passport:
    """Make a real release and return its passport, which also lies beside it.

    Args:
        plan: what is published of which table.
        out: file to publish, ``.csv`` or ``.parquet``; the passport is written beside it, for programs and for people.
        ledger: file of the ledger in which the release is entered before its rows are read; started if there is none.
        overwrite: replace files that exist.
        unsafe_seed: for tests of counts only: draw noise that anybody can take away again, and say so in the passport.
        tell: called with each step and the share of the work that is done.

    Raises:
        OverBudget: the rest of the data set's budget does not pay for it; nothing was published.
        ReleaseFailed: it is paid for, and could not be made.
    """
    released = carry_out(plan, out=Path(out), ledger=Path(ledger), overwrite=overwrite, seed=unsafe_seed, tell=tell)
    return released.passport


def carry_out(
    plan: Plan,
    *,
    out: Path,
    ledger: Path,
    overwrite: bool,
    seed: int | None = None,
    tell: Tell = silent,
    chance: Chance | None = None,
) -> Released:
    """Make a real release: settle what it costs, enter it as spent, only then read rows, draw, seal, and publish."""
    _check_name(out)
    tell("reading names and types of columns", 0.0)
    table = plan.open_for_release()
    dataset, document = dataset_name(plan.table, plan.dataset), _document(plan, table.name)
    if (earlier := _resumed(ledger, out, document, overwrite=overwrite, tell=tell)) is not None:
        return earlier
    check_output(plan, out, overwrite=overwrite)
    prepared = prepare(plan, tell, _chance(plan, seed, chance))
    with open_ledger(ledger) as opened:
        tell("entering it in the ledger", 0.1)
        kind, looks = plan.release.kind, prepared.looks
        entry = entered(opened, plan.table, table, dataset=dataset, kind=kind, plan=document, looks=looks, output=out)
        with failed_on_error(opened, entry):
            tell("reading the table", 0.2)
            internal = _gives_away(plan, prepared, opened.entries(dataset)[:-1])
            tell("drawing the noise", 0.4)
            with telling_nothing():
                made = prepared.make()
                files = {_named(out, name): as_file(rows, out.suffix) for name, rows in made.tables.items()}
                passport = _passport(prepared, made, entry, _outputs(files, made, out.suffix), seed)
                beside_it = {
                    beside(out, PASSPORT): passport_text(passport).encode(),
                    beside(out, PAGE): passport_page(passport).encode(),
                }
            tell(APPEARING, 0.9)
        done = publish(opened, entry, {**beside_it, **files}, overwrite=overwrite, internal=internal)
        return _released(opened, done, passport, made.detail)


def check_output(plan: Plan, out: Path, *, overwrite: bool) -> None:
    """Say what keeps the files of a release from being written: a name that is none, or what is there already."""
    _check_name(out)
    source = str(plan.table) if isinstance(plan.table, str | Path) else None
    for path in files_of(out):
        check_free(path, overwrite=overwrite, source=source)


def _check_name(out: Path) -> None:
    if out.is_dir():
        raise BadOutput(f"Cannot write {out}: it is a folder. Name a file in it.")
    if out.suffix not in SUFFIXES:
        raise BadOutput(f"Cannot write {out}: its name must end in {' or '.join(SUFFIXES)}.")


def files_of(out: Path) -> tuple[Path, Path, Path]:
    """Return the published file, and its passport for programs and for people."""
    return out, beside(out, PASSPORT), beside(out, PAGE)


def beside(out: Path, suffix: str) -> Path:
    """Return the file that lies beside the published one."""
    return out.with_name(f"{out.name}{suffix}")


def prepare(plan: Plan, tell: Tell, chance: Chance) -> Prepared:
    """Settle a release, up to what it costs; no row is read for it but those that a sample is to be drawn from."""
    if plan.unit is None:
        raise BadQuestion(
            "Whose part does the release hide? Give --person-id COLUMN if people may have several rows, or --unit row "
            "if each row is to be protected by itself (unit: in a plan)."
        )
    match plan.release:
        case Counts():
            prepared = prepare_counts(plan, chance)
        case Sample():
            prepared = prepare_sample(plan, chance)
        case Synthetic():
            prepared = prepare_synthetic(plan, tell, chance)
        case Local():
            prepared = prepare_local(plan, chance)
        case _:
            raise BadQuestion("Rows as they are protect nobody: raw is for assessing, not for a release.")
    looks = (replace(look, unit=plan.unit, rows_per_person=plan.rows_per_person) for look in prepared.looks)
    return replace(prepared, looks=tuple(looks))


def _chance(plan: Plan, seed: int | None, chance: Chance | None) -> Chance:
    """Return what chance decides: the operating system's randomness, unless a test asks for something else."""
    if seed is None:
        return chance or Chance()
    if not isinstance(plan.release, Counts):
        raise BadQuestion(f"An unsafe seed is for counts only; a release of {plan.release.kind} has none.")
    return Chance(noise=SimulatedNoise(seed))


def _resumed(path: Path, out: Path, document: dict[str, Any], *, overwrite: bool, tell: Tell) -> Released | None:
    """Put a release of the same plan in place that was sealed and then kept from appearing by a crash."""
    if not path.exists():
        return None
    with open_ledger(path) as ledger:
        for entry in ledger.unfinished(out):
            if entry.plan == document and resume(ledger, entry, overwrite=overwrite, tell=tell):
                return _released(ledger, entry, read_passport(beside(out, PASSPORT)), None)
    return None


def _document(plan: Plan, name: str) -> dict[str, Any]:
    """Return the plan for the record, its table by a name that holds no password."""
    return {**plain_data(replace(plan, table="a table")), "table": name}


def _gives_away(plan: Plan, prepared: Prepared, earlier: Sequence[Entry]) -> dict[str, Any]:
    """Return what this very table gives away by the release alone and with earlier ones: confidential.

    It is for the record. What goes wrong with it must neither stop the release nor be seen.
    """
    with suppress(Exception):
        joint, name = joint_risk_of(plan, prepared.noisy_tables, earlier), risk_name(plan)
        if joint is not None:
            return {"joint": joint.to_dict(), **({} if name is None else {"risks": {name: joint.each[0]}})}
    return {}


def _named(out: Path, name: str) -> Path:
    return out.with_name(f"{out.stem}.{name}{out.suffix}") if name else out


def _outputs(files: dict[Path, bytes], made: Made, suffix: str) -> list[Output]:
    return [
        output_of(
            path.name,
            content,
            rows=rows.num_rows,
            columns=[safe_text(name) if suffix == ".csv" else name for name in rows.column_names],
        )
        for (path, content), rows in zip(files.items(), made.tables.values(), strict=True)
    ]


def _passport(prepared: Prepared, made: Made, entry: Entry, outputs: list[Output], seed: int | None) -> Passport:
    return make_passport(
        dataset=entry.dataset,
        kind=entry.kind,
        ledger_entry=entry.id,
        plan=entry.plan,
        protection=prepared.protection,
        guarantee=guaranteed(prepared.looks, delta=prepared.delta),
        looks=prepared.looks,
        mechanisms=made.mechanisms,
        outputs=outputs,
        input_commitment=commitment(entry),
        support=prepared.support,
        post_processing=prepared.post_processing,
        unsafe_seed=seed,
    )


def _released(
    ledger: Ledger, entry: Entry, passport: Passport, detail: LocalRelease | SyntheticTable | None
) -> Released:
    return Released(
        passport=passport,
        entry=entry,
        composition=ledger.composition(entry.dataset),
        remaining=ledger.remaining(entry.dataset),
        detail=detail,
    )
