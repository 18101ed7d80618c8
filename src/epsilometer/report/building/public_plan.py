"""A plan in words that everybody may see: all of it but the table's own address."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Final

from epsilometer.plans.release_kinds import Counts, Local, Sample, Synthetic
from epsilometer.publication.promise import n_declared
from epsilometer.report.building.framing import REAL_NUMBERS
from epsilometer.report.building.parts import plan_facts
from epsilometer.report.odds.noise import noise
from epsilometer.vocabulary.language import Language
from epsilometer.vocabulary.wording import shown_up

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan
    from epsilometer.plans.release_kinds import ReleaseKind
    from epsilometer.publication.promise import Promise

RANDOMIZERS: Final = {
    "response": "randomized-response",
    "unary": "unary-encoding",
    "exponential": "exponential-choice",
    "laplace": "local-laplace",
    "gaussian": "local-gaussian",
}


def public_plan_facts(plan: Plan, words: Language) -> dict[str, str]:
    """Return names and what they are: roles, bins, filter, domain and the settings of the release."""
    named = {} if plan.dataset is None else {words.text("report.asked.dataset"): plan.dataset}
    domain = {
        words.text("report.asked.domain", column=column): _declared(declared, words)
        for column, declared in plan.domain.items()
    }
    release = {words.text("report.asked.release"): words.text(f"report.asked.{plan.release.kind}")}
    settings = {words.text(f"report.asked.{key}"): value for key, value in _settings(plan.release, words).items()}
    return {**named, **plan_facts(words, plan.described()), **domain, **release, **settings}


def guarantee_in_words(promise: Promise, words: Language) -> str:
    """Write epsilon, and delta where there is one; a sample has neither."""
    if promise.epsilon is None:
        return ""
    key = "report.promised.with_delta" if promise.delta else "report.promised.with_epsilon"
    delta = words.number(shown_up(promise.delta))
    return words.text(key, epsilon=words.number(promise.epsilon), delta=delta)


def noise_in_words(plan: Plan, promise: Promise, words: Language) -> str:
    """Name the noise that is drawn on counts, and the planned one where it is another; other releases have none."""
    if not isinstance(plan.release, Counts):
        return ""
    name = plan.release.mechanism.name
    if name in REAL_NUMBERS:
        return words.text(f"report.promised.drawn_{name}", guarantee=guarantee_in_words(promise, words))
    return noise(plan.release.mechanism.describe(), words)


@singledispatch
def _settings(_release: ReleaseKind, _words: Language) -> dict[str, str]:
    return {}


@_settings.register
def _of_counts(counts: Counts, words: Language) -> dict[str, str]:
    given = {
        "guarantee": noise(counts.mechanism.describe(), words),
        "adjacency": words.text(f"report.asked.{counts.mechanism.adjacency.value}"),
        "support": words.text(f"report.asked.{counts.support}"),
        "listing_delta": "" if counts.support_delta is None else words.number(shown_up(counts.support_delta)),
        "threshold": words.text("report.methods.threshold_meaning", threshold=words.number(counts.mechanism.threshold)),
        "published_tables": "; ".join(", ".join(table.columns) for table in counts.tables),
        "post_processing": ", ".join(counts.post_processing),
    }
    return {key: value for key, value in given.items() if value}


@_settings.register
def _of_sample(sample: Sample, words: Language) -> dict[str, str]:
    strata = {"strata": words.joined(sample.strata)} if sample.strata else {}
    return {"size": words.number(sample.size), **strata}


@_settings.register
def _of_synthetic(synthetic: Synthetic, words: Language) -> dict[str, str]:
    given = {
        "method": synthetic.method,
        "columns": ", ".join(synthetic.columns),
        "rows": "" if synthetic.rows is None else words.number(synthetic.rows),
        "n_bins": words.number(synthetic.n_bins),
    }
    return {key: value for key, value in given.items() if value}


@_settings.register
def _of_local(local: Local, words: Language) -> dict[str, str]:
    order = words.text(f"report.asked.{'shuffled' if local.shuffled else 'unshuffled'}")
    return {"randomizer": words.text(f"odds.randomizer.{RANDOMIZERS[local.randomizer]}"), "order": order}


def _declared(declared: object, words: Language) -> str:
    """Say how many values were declared, or between which numbers they lie."""
    match declared:
        case {"low": low, "high": high, **more}:
            told = words.text("report.asked.domain_range", low=f"{low:g}", high=f"{high:g}")
            return words.text("report.asked.or_missing", domain=told) if more.get("missing") else told
        case (int() | float() as low, int() | float() as high):
            return words.text("report.asked.domain_range", low=f"{low:g}", high=f"{high:g}")
    return words.text("report.asked.domain_values", n=n_declared(declared) or 0)
