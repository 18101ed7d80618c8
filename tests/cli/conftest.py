"""What commands are tried on: a ledger of its own for each test, and tables of invented people."""

import pytest


@pytest.fixture(autouse=True)
def ledger(monkeypatch, tmp_path_factory):
    """A ledger of its own for each test, apart from the files that it looks at."""
    path = tmp_path_factory.mktemp("ledger") / "ledger.sqlite"
    monkeypatch.setenv("EPSILOMETER_LEDGER", str(path))
    return path


@pytest.fixture
def people(tmp_path):
    """A small table of made-up people: 8 cells of age and sex, half of them with a single job."""
    rows = [("age", "sex", "job", "weight")]
    rows += [(20 + 10 * (i % 4), "fm"[i % 2], "cook" if i % 4 < 2 else ("cook", "nurse")[i % 3 % 2], 50.5 + i)
             for i in range(40)]  # fmt: skip
    path = tmp_path / "people.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n", encoding="utf-8")
    return path
