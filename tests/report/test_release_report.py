"""The report of a release that was made: its passport, its entry in the ledger, and what only its owner knows."""

from dataclasses import replace
from functools import partial

import pytest

import epsilometer as em
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.release import carry_out
from epsilometer.report.building.release import release_report
from epsilometer.vocabulary.wording import CONFIDENTIAL

NAME = "<script>alert(1)</script>"


@pytest.fixture
def made(tmp_path):
    """Make releases of a small table, one after the other in one ledger."""
    table = tmp_path / "people.csv"
    rows = [f"{'ab'[i % 2]},{'xy'[i % 3 % 2]}" for i in range(60)]
    table.write_text("\n".join([f"place,{NAME}", *rows]) + "\n", encoding="utf-8")

    def release(kind, out="out.csv", *, seed=None, budget=None, table=table):
        domain = {"place": ["a", "b"], NAME: ["x", "y"]}
        noise = em.Geometric(epsilon=1.0)
        kinds = {
            "counts": em.Counts(mechanism=noise),
            "sample": em.Sample(size=10),
            "local": em.Local(epsilon=1.0),
            "synthetic": em.Synthetic(method="contingency", epsilon=1.0),
        }
        plan = em.Plan(
            table=str(table), quasi_identifiers=() if kind == "local" else ("place",), sensitive=(NAME,),
            release=kinds[kind], domain=domain, dataset=NAME, unit="row",
        )  # fmt: skip
        ledger = tmp_path / "ledger.sqlite"
        if budget is not None:
            with open_ledger(ledger) as opened:
                opened.set_budget(NAME, epsilon=budget, delta=1e-6)
        return carry_out(plan, out=tmp_path / out, ledger=ledger, overwrite=False, seed=seed)

    return release


def test_the_first_numbers_are_this_table_epsilon_and_everything_together(made, numbers, up):
    released = made("counts")
    report = release_report(released)
    (share,) = released.entry.internal["risks"].values()
    together = released.composition.membership_advantage
    # of 60 rows 40 have x: the remainders 0 and 2 of i % 3
    assert numbers(report) == [
        ("before", "66.6 %"),
        ("this", up(share)),
        ("this", "ε = 1"),
        ("worst", up(together)),
    ]
    assert report.audience == CONFIDENTIAL
    assert report.decision == ()


def test_an_entry_that_was_made_before_baselines_were_kept_is_reported_without(made, numbers):
    released = made("counts")
    joint = {name: value for name, value in released.entry.internal["joint"].items() if name != "no_release"}
    older = replace(released, entry=replace(released.entry, internal={**released.entry.internal, "joint": joint}))
    assert [place for place, _ in numbers(release_report(older))] == ["this", "this", "worst"]


def test_it_has_the_facts_of_the_passport_and_of_the_ledger(made, texts):
    released = made("counts")
    said = set(texts(release_report(released)))
    assert {released.entry.id, released.entry.mac, *(output.sha256 for output in released.passport.outputs)} <= said
    assert released.passport.protection.in_words in said


def test_several_releases_are_taken_together_and_the_budget_is_said(made, texts):
    made("counts", "first.csv", budget=3.0)
    released = made("counts", "second.csv")
    report = release_report(released)
    assert "ε = 1 of the budget is left." in report.answers[0].sentences[0]
    assert "2 looks at the data together: ε = 2" in report.answers[0].sentences[0]
    assert "people whom at least one of the 2 published tables discloses" in texts(report)


def test_a_release_that_is_not_counts_is_named_as_not_counted(made, texts):
    made("counts", "first.csv")
    released = made("local", "second.csv")
    assert "people whom the published table discloses" in texts(release_report(released))
    for language, named in (
        ("en", "Not counted among the people disclosed: this release of local reports."),
        ("de", "Unter den offengelegten Personen nicht mitgezählt: diese Veröffentlichung lokaler Meldungen."),
    ):
        assert named in texts(release_report(released, language=language))


def test_noise_from_a_seed_must_not_be_published(made, texts):
    report = release_report(made("counts", seed=424242))
    assert report.recommendation.startswith("Do not publish it: the noise comes from a fixed seed")
    assert "424242" in texts(report)


def test_a_sample_says_how_likely_everybody_was_drawn(made, numbers):
    assert numbers(release_report(made("sample")))[0] == ("this", "16.7 %")


@pytest.mark.parametrize("kind", ["counts", "sample", "local", "synthetic"])
def test_every_form_and_language(made, in_every_form, kind):
    in_every_form(partial(release_report, made(kind)), NAME)
