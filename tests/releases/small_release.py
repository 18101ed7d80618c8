"""A release of a made-up output with a passport, by the machinery alone: what the crash tests kill."""

import os
import secrets
import signal
from pathlib import Path

import dp_accounting  # noqa: F401  (once, here, instead of in each process that is refused)

from epsilometer.releases.appearing import publish, resume
from epsilometer.releases.ledger import Ledger, open_ledger
from epsilometer.report.files import check_free
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

EPSILON = 0.5
STEPS = ("appearing.py", "files.py", "ledger.py")  # where something outside is changed, or told to others
LOOK = PrivacyLoss(what="counts", noise="geometric", epsilon=EPSILON, delta=0.0, scale=1 / EPSILON, moved_counts=1)


def release(folder, name="counts.csv", overwrite=""):
    """Publish counts of the folder's data, or finish what an earlier run began."""
    output = Path(folder, name)
    with open_ledger(Path(folder, "ledger.sqlite")) as ledger:
        for entry in ledger.unfinished(output):
            if resume(ledger, entry, overwrite=bool(overwrite)):
                return
        check_free(output, overwrite=bool(overwrite))
        entry = ledger.enter(dataset="people", kind="counts", plan={"columns": ["sex"]}, looks=[LOOK], output=output)
        rows = "\n".join(f"{number},{secrets.randbelow(1000)}" for number in range(2000)).encode()
        passport = f'{{"ledger_entry": "{entry.id}"}}'.encode()
        contents = {output: [rows, b"\n"], output.with_name(f"{name}.passport.json"): passport}
        publish(ledger, entry, contents, overwrite=bool(overwrite), internal={"risk": 0.25})


def killed_at_the_seal(folder):
    """Publish counts, and die when all files are written and wait to be sealed."""
    honest = Ledger.seal

    def dying(*arguments):
        os.kill(os.getpid(), signal.SIGKILL)
        return honest(*arguments)

    Ledger.seal = dying
    release(folder)
