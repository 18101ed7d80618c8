"""Whatever is done to a ledger, in whatever order, it agrees with a list and a sum."""

import tempfile
from fractions import Fraction
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from epsilometer.errors import BadLedger, OverBudget
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_findings import findings
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

DATASETS = st.sampled_from(["people", "others"])
EIGHTHS = st.integers(1, 12)  # epsilon in eighths, so that sums are exact


class LedgerMachine(RuleBasedStateMachine):
    entered = Bundle("entered")

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name).resolve() / "ledger.sqlite"
        self.opening = open_ledger(self.path)
        self.ledger = self.opening.__enter__()
        self.budgets = {}
        self.rows = {}  # id: [dataset, output, eighths, state]

    def teardown(self):
        self.opening.__exit__(None, None, None)
        self.folder.cleanup()

    def spent(self, dataset, *, besides=None):
        paid = [row for row in self.rows.values() if row[0] == dataset and row[3] != "void"]
        return sum(row[2] for row in paid if (row[1], row[3]) != (besides, "reserved"))

    @rule(dataset=DATASETS, eighths=EIGHTHS)
    def set_budget(self, dataset, eighths):
        try:
            self.ledger.set_budget(dataset, epsilon=eighths / 8, delta=0.0)
        except OverBudget:
            assert self.spent(dataset) > eighths
        else:
            assert self.spent(dataset) <= eighths
            self.budgets[dataset] = eighths

    @rule(target=entered, dataset=DATASETS, eighths=EIGHTHS, name=st.sampled_from(["a.csv", "b.csv", "c.csv"]))
    def reserve(self, dataset, eighths, name):
        pays = self.spent(dataset, besides=name) + eighths <= self.budgets.get(dataset, 10**9)
        looks = [PrivacyLoss(what="counts", noise="any", epsilon=eighths / 8, delta=0.0)]
        output = self.path.with_name(name)
        try:
            entry = self.ledger.reserve(
                dataset=dataset, kind="counts", plan={}, looks=looks, output=output, fingerprint=None, internal={}
            )
        except OverBudget:
            assert not pays
            return None
        assert pays
        for row in self.rows.values():
            if (row[1], row[3]) == (name, "reserved"):
                row[3] = "void"
        self.rows[entry.id] = [dataset, name, eighths, "reserved"]
        return entry

    @rule(entry=entered)
    def seal(self, entry):
        if entry is None:
            return
        row = self.rows[entry.id]
        try:
            self.ledger.seal(entry, [])
        except BadLedger:
            assert row[3] != "reserved"
        else:
            assert row[3] == "reserved"
            row[3] = "sealed"

    @rule(entry=entered)
    def finish(self, entry):
        if entry is None:
            return
        self.ledger.finish(entry)
        row = self.rows[entry.id]
        row[3] = "done" if row[3] == "sealed" else row[3]

    @rule(entry=entered)
    def abandon(self, entry):
        if entry is None:
            return
        self.ledger.abandon(entry)
        row = self.rows[entry.id]
        row[3] = "void" if row[3] == "reserved" else row[3]

    @rule()
    def reopen(self):
        self.opening.__exit__(None, None, None)
        self.opening = open_ledger(self.path)
        self.ledger = self.opening.__enter__()

    @invariant()
    def agrees_with_the_list(self):
        kept = {entry.id: [entry.dataset, entry.output.name, entry.state] for entry in self.ledger.entries()}
        assert kept == {id_: [row[0], row[1], row[3]] for id_, row in self.rows.items()}

    @invariant()
    def agrees_with_the_sum(self):
        for dataset, eighths in self.budgets.items():
            spent = sum(Fraction(look.epsilon) for look in self.ledger.looks(dataset))
            assert spent == Fraction(self.spent(dataset), 8)
            assert spent <= Fraction(eighths, 8)

    @invariant()
    def nothing_is_wrong_but_what_is_not_finished(self):
        unfinished = sum(row[3] in ("reserved", "sealed") for row in self.rows.values())
        assert len(list(findings(self.ledger))) == unfinished


TestLedger = LedgerMachine.TestCase
TestLedger.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
