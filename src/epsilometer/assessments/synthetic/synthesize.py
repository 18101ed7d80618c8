"""Make a synthetic table under differential privacy, with real noise."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from epsilometer.assessments.numbers import whole
from epsilometer.assessments.synthetic.domains import Known, domains_of, public_domain
from epsilometer.errors import OutOfRange
from epsilometer.publication.chance import Chance
from epsilometer.synthesizers.adapters import UNCHECKED
from epsilometer.synthesizers.budget import Budget, total
from epsilometer.synthesizers.domain import MOST_BINS, Range, is_range
from epsilometer.synthesizers.noise import ReleaseNoise
from epsilometer.synthesizers.registry import synthesizer
from epsilometer.tables.opening import open_table
from epsilometer.tables.records import read_for_release
from epsilometer.vocabulary.synthetic_table import SyntheticTable
from epsilometer.vocabulary.telling import silent, within
from epsilometer.vocabulary.wording import rounded_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    import pyarrow as pa

    from epsilometer.assessments.synthetic.domains import Domains
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.synthesizers.synthesizer import Synthesizer
    from epsilometer.tables.records import Records
    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.spending import Spending
    from epsilometer.vocabulary.telling import Tell

DELTA: Final = 1e-6
FINDING, MAKING = 1, 4  # parts of the budget for finding domains, if any must be found, and for the table
MOST_ROWS: Final = 10**8
DOMAINS_OF_ITSELF: Final = (
    "The domains were taken from the table itself, as if everybody might see which values it holds: the guarantee does"
    " not cover them. Declare them, or name another table, unless they are public."
)


def synthesize(
    table: object,
    *,
    method: str = "mst",
    epsilon: float = 1.0,
    delta: float = DELTA,
    columns: Sequence[str] = (),
    domain: Mapping[str, object] | None = None,
    public_table: object = None,
    bins: int = 20,
    rows: int | None = None,
    where: str | None = None,
    missing: Iterable[str] = (),
    types: Mapping[str, str] | None = None,
    tell: Tell = silent,
    chance: Chance | None = None,
) -> SyntheticTable:
    """Make a synthetic table with the columns and types of a table; one row must be one person.

    Args:
        table: path, URL or frame; see :func:`epsilometer.open_table`.
        method: ``"mst"``, ``"aim"``, ``"privbayes"``, ``"jtree"``, ``"priview"``, ``"dpcopula"``, ``"contingency"``,
            ``"wavelet"``, ``"dpcube"``, or one that another package offers.
        epsilon: privacy parameter of everything that is done with the records, finding domains included.
        delta: chance that the guarantee fails; spent only by what needs one.
        columns: those to keep; all if none is named.
        domain: what columns may hold: ``{"age": (17, 90), "sex": ["female", "male"]}``; ``None`` among the values
            says that some may be missing, ``{"low": 17, "high": 90, "missing": True}`` the same of numbers. Domains
            that are not declared are found privately, for a fifth of epsilon, and lose what is rare.
        public_table: a table that everybody may see, to take domains from that are not declared.
        bins: number of bins of a numeric column.
        rows: number of synthetic rows; about as many as the table has if not given.
        where: row filter, run by the engine.
        missing: words that mark a missing value.
        types: what columns hold, as in :func:`epsilometer.open_table`; a range is of numbers.
        tell: called with each step and the share of the work that is done.
        chance: what it is made by; the operating system's randomness, unless a transcript replays it.
    """
    by = chance or Chance()
    chosen = synthesizer(method, within(tell, 0.25, 0.9))
    budget = Budget(epsilon, delta)
    ranges = {name: "number" for name, declared in (domain or {}).items() if is_range(declared)}
    public = None if public_table is None else open_table(public_table, missing, types, of_text=ranges)
    known = known_domains(domain, public, bins)
    n_rows = None if rows is None else whole("rows", rows, 1, MOST_ROWS, hint="It is the number of synthetic rows.")
    tell("reading the rows", 0.0)
    records = read_for_release(open_table(table, missing, types, of_text=ranges), columns, where=where)
    setting = Setting(chosen=chosen, known=known, noise=by.noise, rng=by.rows, tell=within(tell, 0.1, 1.0))
    made = make(records, budget, setting, n_rows=n_rows)
    epsilon_kept, delta_kept = total(made.spent)
    return SyntheticTable(
        rows=made.rows,
        method=chosen.name,
        epsilon=epsilon_kept,
        delta=delta_kept,
        adjacency="add-remove",
        spent=made.spent,
        domains=made.domains.origins,
        n_rows=made.rows.num_rows,
        in_words=_in_words(chosen, made, epsilon_kept, delta_kept),
        caveats=(*_caveats(made), *of_itself(table, public_table)),
    )


def check_synthesis(
    table: Table,
    *,
    method: str,
    epsilon: float,
    delta: float,
    columns: Sequence[str],
    domain: Mapping[str, object],
    bins: int,
    where: str | None,
) -> None:
    """Say what would keep :func:`synthesize` from being done, as far as it can be seen; nothing is drawn."""
    records = read_for_release(table, columns, where=where)
    check_records(records, method=method, epsilon=epsilon, delta=delta, domain=domain, bins=bins)


def check_records(
    records: Records, *, method: str, epsilon: float, delta: float, domain: Mapping[str, object], bins: int
) -> None:
    """Say the same of records that were read; without any rows, what follows from names and types of columns."""
    known = known_domains(domain, None, bins)
    _divided(records, known, Budget(epsilon, delta), synthesizer(method, silent))
    of_those = records.select([name for name in records.columns if name in domain])
    domains_of(of_those, known, None, ReleaseNoise())


class Made(NamedTuple):
    """Synthetic rows, the domains they lie in, and every look at the original records."""

    rows: pa.Table
    domains: Domains
    spent: tuple[Spending, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a table is made: by which method, with what is known of it, and by which chance.

    Attributes:
        chosen: the method.
        known: domains that are known apart from the records.
        noise: what privacy depends on.
        rng: what only the drawing of rows depends on.
        tell: told about each step.
    """

    chosen: Synthesizer
    known: Known
    noise: Noise
    rng: np.random.Generator
    tell: Tell = silent


def make(records: Records, budget: Budget, setting: Setting, *, n_rows: int | None = None) -> Made:
    """Find domains that are not known, fit the method with what is left of the budget, and draw rows."""
    finding, making = _divided(records, setting.known, budget, setting.chosen)
    setting.tell("settling the domains", 0.0)
    domains = domains_of(records, setting.known, finding, setting.noise)
    setting.tell("coding the rows", 0.1)
    coded = domains.coding.encode(records)
    setting.tell(f"fitting {setting.chosen.name}", 0.15)
    model = setting.chosen.fit(coded, making, setting.noise)
    setting.tell("drawing rows", 0.9)
    codes = model.sample(n_rows or model.n_records, setting.rng)
    return Made(domains.coding.decode(codes, setting.rng), domains, (*domains.spent, *model.spent))


def known_domains(domain: Mapping[str, object] | None, public_table: object, bins: object) -> Known:
    """Put together what is known of the columns before the records are looked at."""
    n_bins = whole("bins", bins, 1, MOST_BINS, hint="More bins mean more noise in each.")
    return Known(dict(domain or {}), {} if public_table is None else public_domain(public_table), n_bins)


def delta_paid(method: str, delta: float, columns: Iterable[str], known: Iterable[str]) -> float:
    """Return what is to be paid of a delta: nothing, if the method needs none and the domains of all columns are known.

    >>> delta_paid("contingency", 1e-6, ["sex"], ["sex", "age"]), delta_paid("mst", 1e-6, ["sex"], ["sex", "age"])
    (0.0, 1e-06)
    """
    nothing_to_find = set(columns) <= set(known)
    return 0.0 if nothing_to_find and not synthesizer(method, silent).needs_delta else delta


def _divided(records: Records, known: Known, budget: Budget, chosen: Synthesizer) -> tuple[Budget | None, Budget]:
    """Divide the budget between finding domains and the method; delta goes only to what needs one."""
    to_find = known.undeclared(records)
    words = [name for name in to_find if not records.is_numeric(name)]
    if (words or chosen.needs_delta) and not budget.delta:
        who = f"the method {chosen.name}" if chosen.needs_delta else f"finding the values of {', '.join(words)}"
        raise OutOfRange("delta", budget.delta, "(0, 1)", hint=f"It is needed by {who}.")
    if not to_find:
        return None, Budget(budget.epsilon, budget.delta if chosen.needs_delta else 0.0)
    finding, making = budget.parts(FINDING, MAKING)
    if not chosen.needs_delta:
        finding, making = Budget(finding.epsilon, budget.delta), Budget(making.epsilon)
    return finding, making


def _in_words(chosen: Synthesizer, made: Made, epsilon: float, delta: float) -> str:
    guarantee = f"ε = {rounded_up(epsilon, 4):g}" + (f" and δ = {rounded_up(delta, 3):g}" if delta else "")
    return (
        f"{made.rows.num_rows:,} synthetic rows in {made.rows.num_columns} columns were made by {chosen.name}"
        f" ({chosen.summary}). Adding or removing one row of the table changes the chance of any such result by the"
        f" factor that {guarantee} allows, and no more."
    )


def of_itself(table: object, public_table: object) -> tuple[str, ...]:
    """Warn of domains that were taken from the very table that is to be protected."""
    same = public_table is not None and (table is public_table or _same_file(table, public_table))
    return (DOMAINS_OF_ITSELF,) if same else ()


def _same_file(one: object, other: object) -> bool:
    if not (isinstance(one, str | Path) and isinstance(other, str | Path)):
        return False
    first, second = Path(one), Path(other)
    return first == second or (first.exists() and second.exists() and first.samefile(second))


def _caveats(made: Made) -> tuple[str, ...]:
    found = [origin.column for origin in made.domains.origins if origin.origin == "found privately"]
    said = ["One row is taken to be one person; a person with k rows is protected k times less."]
    if any(isinstance(domain, Range) for domain in made.domains.coding.domains.values()):
        said.append("Numbers beyond the ends of their range count as its ends, and are drawn evenly from their bins.")
    if any(look.noise == UNCHECKED for look in made.spent):
        said.append(
            "The guarantee is what the other package states. It was not checked here, and reading that package raises"
            " doubts: it looks at exact frequencies. Do not rely on it."
        )
    if found:
        said.append(
            f"The domains of {', '.join(found)} were found privately: values that few people have are missing from"
            " the result, and ranges may be cut. Declare what is public knowledge; it leaves more for the rest."
        )
    return tuple(said)
