"""Whatever is done to a ledger, in whatever order, it agrees with a list and a sum."""

import tempfile
from fractions import Fraction
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from epsilometer.errors import BadLedger, OverBudget
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_anchor import anchor_of
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
        self.anchors = []
        self.rows = {}  # id: [dataset, output, eighths, state]

    def teardown(self):
        self.opening.__exit__(None, None, None)
        self.folder.cleanup()

    def spent(self, dataset):
        return sum(row[2] for row in self.rows.values() if row[0] == dataset)

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
    def enter(self, dataset, eighths, name):
        pays = self.spent(dataset) + eighths <= self.budgets.get(dataset, 10**9)
        looks = [PrivacyLoss(what="counts", noise="any", epsilon=eighths / 8, delta=0.0)]
        output = self.path.with_name(name)
        try:
            entry = self.ledger.enter(dataset=dataset, kind="counts", plan={}, looks=looks, output=output)
        except OverBudget:
            assert not pays
            return None
        assert pays
        for row in self.rows.values():
            if (row[1], row[3]) == (name, "spent"):
                row[3] = "failed"
        self.rows[entry.id] = [dataset, name, eighths, "spent"]
        return entry

    @rule(entry=entered)
    def seal(self, entry):
        if entry is None:
            return
        row = self.rows[entry.id]
        try:
            self.ledger.seal(entry, [])
        except BadLedger:
            assert row[3] != "spent"
        else:
            assert row[3] == "spent"
            row[3] = "sealed"

    @rule(entry=entered)
    def finish(self, entry):
        if entry is None:
            return
        self.ledger.finish(entry)
        row = self.rows[entry.id]
        row[3] = "done" if row[3] == "sealed" else row[3]

    @rule(entry=entered, code=st.sampled_from(["stopped", "error", "lost"]))
    def fail(self, entry, code):
        if entry is None:
            return
        self.ledger.fail(entry, code)
        row = self.rows[entry.id]
        row[3] = "failed" if row[3] == ("sealed" if code == "lost" else "spent") else row[3]

    @rule()
    def take_an_anchor(self):
        self.anchors.append(anchor_of(self.ledger))

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
        unfinished = sum(row[3] in ("spent", "sealed") for row in self.rows.values())
        assert len(list(findings(self.ledger, self.anchors))) == unfinished


TestLedger = LedgerMachine.TestCase
TestLedger.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
