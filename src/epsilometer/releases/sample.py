"""A random sample as a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.publication.sample import read_population
from epsilometer.releases.passports import protected
from epsilometer.releases.prepared import Made, Prepared
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.passport import MechanismUsed

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan
    from epsilometer.publication.chance import Chance


def prepare_sample(plan: Plan, chance: Chance) -> Prepared:
    """Count the rows that a sample is drawn from, which decides what it costs; it is drawn when it is paid for."""
    population = read_population(plan)
    look = population.look

    def make() -> Made:
        rows = population.draw(chance.order)
        return Made(tables={"": rows}, mechanisms=(MechanismUsed(what=look.what, name="random sample"),))

    return Prepared(
        looks=(look,),
        delta=look.delta,
        protection=protected("sample", adjacency=Adjacency.REPLACE.value),
        make=make,
    )
