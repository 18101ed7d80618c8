"""The report of a synthetic table: what it guarantees, and where the budget went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.spending import draw_spending
from epsilometer.formulas.advantage import advantage_from_epsilon
from epsilometer.report.building.framing import cited, closing, evidence, first_chart
from epsilometer.report.building.parts import decision
from epsilometer.report.model import Answer, KeyNumber, Report, Table
from epsilometer.vocabulary.language import language as spoken
from epsilometer.vocabulary.wording import shown_up

if TYPE_CHECKING:
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.synthetic_table import SyntheticTable


def synthetic_table_report(made: SyntheticTable, *, language: str = "en") -> Report:
    """Report what a synthetic table guarantees; nothing in the report comes from true records but through noise."""
    words = spoken(language)
    size: dict[str, str | int] = {
        "rows": made.n_rows,
        "columns": words.text("report.audit.columns", n=len(made.rows.column_names)),
        "method": made.method,
    }
    return Report(
        title=words.text("report.synthetic_table.title"),
        audience=words.text("report.public_protected"),
        confidential=False,
        scope=words.text("report.synthetic_table.scope", **size),
        answers=(
            Answer(
                about="",
                question=words.text("report.asks.synthetic_table"),
                sentences=(
                    words.text(
                        "report.synthetic_table.made",
                        **size,
                        guarantee=guarantee_in_words(words, made.epsilon, made.delta),
                    ),
                    words.text("report.synthetic_table.attacker"),
                    words.text("report.synthetic_table.known"),
                ),
                numbers=_numbers(words, made),
                chart=first_chart(
                    words, "synthetic_table", lambda width: draw_spending(made, width=width, language=words)
                ),
            ),
        ),
        recommendation=words.text("report.synthetic_table.recommend"),
        decision=decision(words, words.text("report.audit.decide")),
        sections=(
            evidence(words, *synthetic_blocks(words, made)),
            *closing(
                words,
                caveats=made.caveats,
                methods={words.text("report.shared.how"): cited(advantage_from_epsilon)},
                asked={
                    words.text("report.synthetic_choice.method"): made.method,
                    words.text("report.synthetic_table.adjacency"): words.text(
                        f"report.synthetic_table.{made.adjacency.replace('-', '_')}"
                    ),
                },
            ),
        ),
        language=language,
    )


def guarantee_in_words(words: Language, epsilon: float, delta: float) -> str:
    """Write a guarantee that must not be overstated: both numbers rounded up."""
    key = "guarantee_delta" if delta else "guarantee"
    written = {name: words.number(shown_up(number)) for name, number in (("epsilon", epsilon), ("delta", delta))}
    return words.text(f"report.synthetic_table.{key}", **written)


def synthetic_blocks(words: Language, made: SyntheticTable) -> tuple[Table, Table]:
    """Return where the budget went, and what each column may hold."""
    spent = Table(
        columns=(
            words.text("report.synthetic_table.looked_at"),
            *(words.text(f"report.table.{name}") for name in ("epsilon", "delta", "noise")),
        ),
        rows=tuple(
            (
                look.what,
                words.number(shown_up(look.epsilon)),
                words.number(shown_up(look.delta)),
                look.noise,
            )
            for look in made.spent
        ),
        numeric=frozenset({1, 2}),
        caption=words.text("report.synthetic_table.spent_title"),
    )
    domains = Table(
        columns=tuple(words.text(f"report.synthetic_table.{name}") for name in ("column", "domain", "origin")),
        rows=tuple(
            (one.column, one.domain, words.text(f"report.synthetic_table.origin_{one.origin.replace(' ', '_')}"))
            for one in made.domains
        ),
        caption=words.text("report.synthetic_table.domains_title"),
    )
    return spent, domains


def _numbers(words: Language, made: SyntheticTable) -> tuple[KeyNumber, ...]:
    return (
        KeyNumber(
            value=words.text("report.shared.point_epsilon", value=words.number(shown_up(made.epsilon))),
            name=words.text("report.synthetic_table.this_name"),
            meaning=words.text("report.synthetic_table.this"),
            place="this",
        ),
        KeyNumber(
            value=words.percent(float(advantage_from_epsilon(made.epsilon, made.delta))),
            name=words.text("report.synthetic_table.worst_name"),
            meaning=words.text("report.synthetic_table.worst"),
            place="worst",
        ),
    )
