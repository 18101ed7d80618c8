"""Write the measurements that come with the package: python -m epsilometer.reproduction.synthetic.make_curves DIR.

DIR is the folder with ``adult.csv``. It takes minutes, and the extra ``synthesis``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from epsilometer.reproduction.synthetic.experiments import FILES, Experiments
from epsilometer.reproduction.synthetic.measure import measure
from epsilometer.reproduction.synthetic.originals import adult, health


def write_curves(data: Path, into: Path) -> None:
    """Measure both tables and write a file for each."""
    for original, name in zip((health(), adult(data)), FILES, strict=True):
        rows = Experiments.of(measure(original), "").measurements
        rows.to_csv(into / name, index=False, float_format="%.6g", lineterminator="\n")


if __name__ == "__main__":
    write_curves(Path(sys.argv[1]), Path(__file__).parent)
