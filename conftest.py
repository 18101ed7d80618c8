"""No test writes under the key of the ledgers of whoever runs it."""

import os
import shutil
import tempfile
from pathlib import Path

FOLDER = Path(tempfile.mkdtemp(prefix="epsilometer-key-"))


def pytest_configure() -> None:
    """Name a key of their own."""
    os.environ["EPSILOMETER_LEDGER_KEY"] = str(FOLDER / "ledger.key")


def pytest_unconfigure() -> None:
    """Remove it."""
    shutil.rmtree(FOLDER, ignore_errors=True)
