"""What holds for every choice, whatever the table, the noise and the targets."""

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.choose_without_looking import choose_without_looking

tables = st.lists(st.lists(st.integers(0, 12), min_size=3, max_size=3), min_size=1, max_size=5).filter(
    lambda rows: np.sum(rows) > 0
)
noises = st.sampled_from([em.Laplace(epsilon=1.0), em.Geometric(epsilon=1.0), em.Gaussian(epsilon=1.0, delta=1e-5)])
parameters = st.sampled_from(["epsilon", "threshold"])
targets = st.floats(0.01, 0.99)
few = settings(max_examples=10, deadline=None)


def plan_of(table, noise, max_risk, max_loss):
    counts = np.array(table)
    cells, values = np.nonzero(counts)
    times = counts[cells, values]
    columns = {"cell": cells, "value": values}
    rows = pa.table({name: [f"{code}" for code in np.repeat(codes, times)] for name, codes in columns.items()})
    release = em.Counts(mechanism=noise)
    return em.Plan(table=rows, quasi_identifiers=("cell",), sensitive=("value",), release=release, max_risk=max_risk, max_loss=max_loss)  # fmt: skip  # noqa: E501


@given(tables, noises, parameters, targets, targets)
@few
def test_what_is_recommended_meets_both_targets_and_lies_in_what_each_allows(table, noise, parameter, risk, loss):
    chosen = em.choose(plan_of(table, noise, risk, loss), parameter=parameter)
    if chosen.recommended is None:
        assert chosen.certificate
        assert chosen.stretches == ()
        return
    assert chosen.consequences.risk <= risk
    assert chosen.consequences.loss <= loss
    assert chosen.consequences.risk <= chosen.consequences.any_table
    for stretches in (chosen.stretches, chosen.risk_stretches, chosen.loss_stretches):
        assert any(s.low <= chosen.recommended <= s.high for s in stretches)
    assert chosen.relaxations == ()


@given(tables, noises, targets, targets, st.floats(1.0, 2.0))
@few
def test_looser_targets_never_ask_for_more_epsilon(table, noise, risk, loss, more):
    strict = em.choose(plan_of(table, noise, risk, loss))
    loose = em.choose(plan_of(table, noise, min(1.0, risk * more), min(1.0, loss * more)))
    if strict.recommended is not None:
        assert loose.recommended <= strict.recommended * 1.01  # ends are found to half a percent


@given(tables, noises, targets, targets)
@few
def test_every_change_that_is_offered_is_feasible_and_costs_something(table, noise, risk, loss):
    chosen = em.choose(plan_of(table, noise, risk, loss))
    kinds = [relaxation.kind for relaxation in chosen.relaxations]
    assert len(set(kinds)) == len(kinds)
    for relaxation in chosen.relaxations:
        assert relaxation.cost > 0
        assert any(s.low <= relaxation.recommended <= s.high for s in relaxation.stretches)


declarations = st.fixed_dictionaries(
    {"n_values": st.integers(2, 6), "cell_size": st.integers(1, 60), "alpha": st.floats(0.1, 5.0), "mechanism": noises}
)


@given(declarations, targets, targets)
@few
def test_a_choice_without_a_look_meets_both_targets(declared, risk, loss):
    chosen = choose_without_looking(**declared, max_risk=risk, max_loss=loss)
    if chosen.recommended is not None:
        assert chosen.consequences.risk <= risk
        assert chosen.consequences.loss <= loss
    else:
        assert chosen.certificate
