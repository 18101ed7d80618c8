"""What an address asks: the settings of a page are in its address, so that a view can be kept and handed on."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import urlencode

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from epsilometer.assessments.exploring.counts_explorer import CountsSetting
from epsilometer.assessments.exploring.sample_explorer import SampleSetting
from epsilometer.assessments.numbers import whole
from epsilometer.assessments.sampling.setting import ADVERSARIES
from epsilometer.errors import OutOfRange, UnknownChoice
from epsilometer.mechanisms.naming import KINDS, WITH_DELTA
from epsilometer.plans.release_kinds import Counts, Sample
from epsilometer.report.odds.noise import noise
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.language import language
from epsilometer.vocabulary.wording import joined
from epsilometer.web.dependencies import TheTable
from epsilometer.web.desk import ROLES_CHANGED
from epsilometer.web.numbers_given import number_from, whole_number_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from epsilometer.plans.plan import Plan
    from epsilometer.web.desk import Opened, Roles

WHOLE: Final = 100.0  # percent
USUAL: Final = CountsSetting(mechanism="geometric")  # what a release draws
EPSILONS: Final = (1e-4, 1e3)  # beyond them there is nothing but noise, or none


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """The largest risk and loss that are acceptable, from 0 to 1; ``None`` where nothing was said."""

    max_risk: float | None = None
    max_loss: float | None = None

    @classmethod
    def read(cls, asked: Mapping[str, str]) -> Targets:
        """Read targets, which people write in percent."""
        return cls(max_risk=_share(asked, "max_risk_percent"), max_loss=_share(asked, "max_loss_percent"))

    def of(self, plan: Plan) -> Plan:
        """Return a plan with these targets."""
        return replace(plan, max_risk=self.max_risk, max_loss=self.max_loss)

    @property
    def in_words(self) -> str:
        """The targets in a few words."""
        named = {"a risk": self.max_risk, "a loss": self.max_loss}
        return joined(
            f"{name} of at most {written(WHOLE * target)} %" for name, target in named.items() if target is not None
        )

    @property
    def written(self) -> dict[str, str]:
        """The targets as they stand in an address."""
        named = {"max_risk_percent": self.max_risk, "max_loss_percent": self.max_loss}
        return {name: written(WHOLE * target) for name, target in named.items() if target is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsQuestion:
    """What the page on noisy counts is asked.

    Attributes:
        roles: the fingerprint of the roles that the question is about.
        sensitive: the attribute that the attacker is after.
        setting: where the sliders stand.
        targets: what must be met.
        near: whether the chart shows this table's lines from near, without what they are held against.
    """

    roles: str
    sensitive: str
    setting: CountsSetting
    targets: Targets
    near: bool = False

    @classmethod
    def read(cls, asked: Mapping[str, str], table: Opened) -> CountsQuestion:
        """Read the question; what the address does not say is as it is at first."""
        roles = checked_roles(asked, table)
        return cls(
            roles=roles.fingerprint,
            sensitive=_choice(asked, "sensitive", roles.sensitive, roles.sensitive[0]),
            setting=CountsSetting(
                mechanism=_choice(asked, "mechanism", KINDS, USUAL.mechanism),
                epsilon=_epsilon(asked),
                delta=_number(asked, "delta", USUAL.delta),
                threshold=_number(asked, "threshold", USUAL.threshold),
                adjacency=_choice(asked, "adjacency", list(Adjacency), USUAL.adjacency),
            ),
            targets=Targets.read(asked),
            near=asked.get("near", "") == "yes",
        )

    @property
    def in_words(self) -> str:
        """What is published, in a few words."""
        return f"counts with {noise(self.setting.noise().describe(), language())}"

    @property
    def fields(self) -> dict[str, str]:
        """The question as the fields of a form."""
        setting = self.setting
        delta = {"delta": written(setting.delta)} if setting.mechanism in WITH_DELTA else {}
        return {
            "kind": Counts.kind,
            "roles": self.roles,
            "sensitive": self.sensitive,
            "mechanism": setting.mechanism,
            "epsilon": written(setting.epsilon),
            **delta,
            "threshold": written(setting.threshold),
            "adjacency": setting.adjacency,
            **self.targets.written,
            **({"near": "yes"} if self.near else {}),
        }

    @property
    def address(self) -> str:
        """The question as the end of an address."""
        return urlencode(self.fields)

    def plan(self, table: Opened) -> Plan:
        """Return the plan that the question is about."""
        return self.targets.of(table.plan(Counts(mechanism=self.setting.noise())))


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleQuestion:
    """What the page on samples is asked.

    Attributes:
        roles: the fingerprint of the roles that the question is about.
        sensitive: the attribute that the attacker is after.
        setting: where the slider stands.
        targets: what must be met.
        adversary: whose risk the target is about, and the answer speaks of.
    """

    roles: str
    sensitive: str
    setting: SampleSetting
    targets: Targets
    adversary: str

    @classmethod
    def read(cls, asked: Mapping[str, str], table: Opened) -> SampleQuestion:
        """Read the question; at first it is about a tenth of the people."""
        roles = checked_roles(asked, table)
        people = table.counted().tables[0].n_records
        return cls(
            roles=roles.fingerprint,
            sensitive=_choice(asked, "sensitive", roles.sensitive, roles.sensitive[0]),
            setting=SampleSetting(sample=_size(asked, people)),
            targets=Targets.read(asked),
            adversary=_choice(asked, "adversary", ADVERSARIES, "in"),  # who knows that learns the most
        )

    @property
    def in_words(self) -> str:
        """What is published, in a few words."""
        return f"a sample of {self.setting.sample:,} people"

    @property
    def fields(self) -> dict[str, str]:
        """The question as the fields of a form."""
        return {
            "kind": Sample.kind,
            "roles": self.roles,
            "sensitive": self.sensitive,
            "size": str(self.setting.sample),
            "adversary": self.adversary,
            **self.targets.written,
        }

    @property
    def address(self) -> str:
        """The question as the end of an address."""
        return urlencode(self.fields)

    def plan(self, table: Opened) -> Plan:
        """Return the plan that the question is about."""
        plan = self.targets.of(table.plan(Sample(size=self.setting.sample)))
        return replace(plan, sensitive=(self.sensitive,))


def counts_question(request: Request, table: TheTable) -> CountsQuestion:
    """Return what the address asks about noisy counts."""
    return CountsQuestion.read(or_remembered(request.query_params, table, Counts.kind), table)


def sample_question(request: Request, table: TheTable) -> SampleQuestion:
    """Return what the address asks about a sample."""
    return SampleQuestion.read(or_remembered(request.query_params, table, Sample.kind), table)


def checked_roles(asked: Mapping[str, str], table: Opened) -> Roles:
    """Return the roles of the columns, unless they are others than those that a page was made with."""
    roles = table.chosen()
    if asked.get("roles", roles.fingerprint) != roles.fingerprint:
        raise HTTPException(HTTPStatus.CONFLICT, ROLES_CHANGED)
    return roles


def or_remembered(asked: Mapping[str, str], table: Opened, kind: str) -> Mapping[str, str]:
    """Return what an address asks; one that asks nothing means what was asked last, as the tabs of a table do."""
    return asked if set(asked) - {"kind"} else {**asked, **table.remembered(kind)}


def up_to_date(asked: Mapping[str, str], table: Opened) -> dict[str, str]:
    """Return what an address asks, without what belongs to other roles: a whole page is made with those of now."""
    stale = asked.get("roles", "") not in ("", table.chosen().fingerprint)
    return {name: value for name, value in asked.items() if not (stale and name in ("roles", "sensitive"))}


AskedOfCounts = Annotated[CountsQuestion, Depends(counts_question)]
AskedOfSample = Annotated[SampleQuestion, Depends(sample_question)]


def written(number: float) -> str:
    """Write a number as a person would enter it.

    >>> written(1.0), written(0.0112), written(100 * 0.07)
    ('1', '0.0112', '7')
    """
    return f"{number:.12g}"


def _choice(asked: Mapping[str, str], name: str, allowed: Iterable[str], usual: str) -> str:
    given = asked.get(name) or usual
    if given not in allowed:
        raise UnknownChoice(name, given, allowed)
    return given


def _number(asked: Mapping[str, str], name: str, usual: float) -> float:
    given = asked.get(name, "").strip()
    return number_from(name, given) if given else usual


def _epsilon(asked: Mapping[str, str]) -> float:
    low, high = EPSILONS
    epsilon = _number(asked, "epsilon", USUAL.epsilon)
    if not low <= epsilon <= high:
        hint = "Below there is nothing but noise, above next to none."
        raise OutOfRange("epsilon", epsilon, f"[{written(low)}, {written(high)}]", hint=hint)
    return epsilon


def _size(asked: Mapping[str, str], people: int) -> int:
    given = asked.get("size", "").strip()
    size = whole_number_from("size", given) if given else math.ceil(people / 10)
    return whole("size", size, 1, people, hint="A sample has at least one person and at most everybody.")


def _share(asked: Mapping[str, str], name: str) -> float | None:
    text = asked.get(name, "").strip()
    if not text:
        return None
    given = number_from(name, text)
    if not 0 <= given <= WHOLE:
        raise OutOfRange(name, given, "[0, 100]", hint="It is a share in percent; leave it empty for none.")
    return given / WHOLE
