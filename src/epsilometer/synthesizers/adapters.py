"""Neural networks that others maintain: DP-CTGAN and PATE-CTGAN of smartnoise-synth.

That package needs another release of OpenDP than this one does, so the two cannot be dependencies of one project: give
them an environment of their own, with smartnoise-synth first and this package without its dependencies.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from epsilometer.errors import BadQuestion, BadTable, NotCertified
from epsilometer.vocabulary.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.coded import CodedTable
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.vocabulary.arrays import IntArray

STOP: Final = 0.9  # of epsilon: training stops only after an epoch that went past its limit
UNCHECKED: Final = "as smartnoise-synth states it, unchecked"


class _NetworkSynthesizer:
    """What both networks have in common."""

    name: ClassVar[str]
    summary: ClassVar[str] = "a neural network of smartnoise-synth; its guarantee is that library's word"
    needs_delta: ClassVar[bool] = True

    def fit(self, table: CodedTable, budget: Budget, noise: Noise) -> NetworkModel:
        del noise
        return _trained(self.name, table, budget)


class DpCtganSynthesizer(_NetworkSynthesizer):
    """A conditional network trained with noise on its gradients, by smartnoise-synth.

    The guarantee is the library's word and is not checked here. It counts the noisy gradients, but not that the
    frequencies of single values steer the training and the drawing of records as they are, without noise.
    """

    name: ClassVar[str] = "dpctgan"


class PateCtganSynthesizer(_NetworkSynthesizer):
    """A conditional network taught by the noisy votes of others, by smartnoise-synth.

    The guarantee is the library's word and is not checked here. It supposes that each teacher sees records of its own,
    while in release 1.0.8 all teachers are one network; and the frequencies of single values are used without noise.
    """

    name: ClassVar[str] = "patectgan"


@dataclass(frozen=True, slots=True, eq=False)
class NetworkModel:
    """A trained network.

    Attributes:
        network: what smartnoise-synth trained.
        n_records: number of records; the library takes it for public.
        spent: what the library says it spent.
    """

    network: Any
    n_records: int
    spent: tuple[Spending, ...]

    def sample(self, n: int, rng: np.random.Generator) -> IntArray:
        with _seeded(rng):
            return np.asarray(self.network.sample(n), dtype=np.int64)


def _trained(method: str, table: CodedTable, budget: Budget) -> NetworkModel:
    """Train a network on the codes; what each column may hold is declared, so that no record is asked for it."""
    try:
        from snsynth import Synthesizer
        from snsynth.transform import OneHotEncoder, TableTransformer
    except ImportError as missing:
        raise BadQuestion(
            f"{method} needs smartnoise-synth, which needs another OpenDP than this package: "
            "run it in an environment of its own, or choose another method, such as mst."
        ) from missing
    import pandas as pd

    budget.check_delta(method)
    if len(table.codes) == 0:
        raise BadTable(f"{method} cannot be trained without records: the table is empty. Choose another method.")
    codes = pd.DataFrame(table.codes, columns=[column.name for column in table.columns])
    declared = TableTransformer([OneHotEncoder() for _ in table.columns])
    declared.fit([tuple(size - 1 for size in table.sizes)])  # an encoder knows its codes by the largest
    network = Synthesizer.create(method, epsilon=STOP * budget.epsilon, delta=budget.delta, cuda=False, verbose=False)
    network.fit(codes, transformer=declared)
    counted = max(getattr(network, "epsilon_list", []), default=0.0)  # PATE-CTGAN keeps no list
    if counted > budget.epsilon:
        raise NotCertified(
            f"{method} counts epsilon {counted}, above {budget.epsilon}; nothing is released. Try again."
        )
    spent = Spending("training", budget.epsilon, budget.delta, noise=UNCHECKED)
    return NetworkModel(network, len(table.codes), (spent,))


@contextmanager
def _seeded(rng: np.random.Generator) -> Iterator[None]:
    """Let the generators that smartnoise-synth draws from, which belong to everybody, follow another for a while."""
    import torch

    before = np.random.get_state()  # noqa: NPY002
    with torch.random.fork_rng(devices=[]):
        np.random.seed(rng.integers(2**32))  # noqa: NPY002
        torch.manual_seed(int(rng.integers(2**63)))
        try:
            yield
        finally:
            np.random.set_state(before)  # noqa: NPY002
