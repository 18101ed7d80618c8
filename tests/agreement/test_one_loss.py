"""At one epsilon the loss is one number, wherever it is told: in a report, on the page, by a choice."""

import pytest

import epsilometer as em
from epsilometer.assessments.choosing.axis import axis_named
from epsilometer.assessments.choosing.subject import CountedTable
from epsilometer.assessments.curves import risk_and_loss
from epsilometer.assessments.exploring.counts_explorer import CountsExplorer, CountsSetting

EPSILON = 0.708  # a position of the slider, and no point of a report's own grid
NOISES = {
    "laplace": em.Laplace(epsilon=EPSILON),
    "geometric": em.Geometric(epsilon=EPSILON),
    "gaussian": em.Gaussian(epsilon=EPSILON, delta=1e-6),
    "discrete-gaussian": em.DiscreteGaussian(epsilon=EPSILON, delta=1e-6),
}


@pytest.fixture(scope="module")
def freq():
    return em.FrequencyTable.from_counts([[19, 1, 0], [4, 0, 2], [0, 4, 0], [140, 30, 9], [1, 1, 1]])


@pytest.mark.parametrize("name", NOISES)
def test_report_page_and_choice_tell_the_same_loss(name, freq):
    noise = NOISES[name]
    curves = risk_and_loss(freq, noise)
    position = curves.loss.mechanism["epsilon"].index(EPSILON)
    in_report = [float(part[position]) for part in (curves.loss.value, *_ends(curves.loss.answer))]
    setting = CountsSetting(mechanism=name, epsilon=EPSILON)
    explorer = CountsExplorer(freq)
    typed_in = explorer.loss(setting).answer
    explorer.losses(setting)
    on_slider = explorer.at(setting).loss
    chosen = CountedTable(freq, axis_named("epsilon", noise)).loss(EPSILON)
    alone = em.utility_loss(freq, noise).answer
    for loss in (typed_in, on_slider, chosen, alone):
        assert [float(loss.value), *map(float, _ends(loss))] == in_report


def test_the_exact_errors_of_counts_are_told_with_it(freq):
    curves = risk_and_loss(freq, NOISES["laplace"])
    position = curves.loss.mechanism["epsilon"].index(EPSILON)
    alone = em.utility_loss(freq, NOISES["laplace"])
    assert curves.loss.table_l1.value[position] == alone.table_l1.value
    assert curves.loss.by_way[2].value[position] == alone.by_way[2].value


def _ends(loss):
    return loss.interval.low, loss.interval.high
