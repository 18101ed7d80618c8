"""A passport as an entry of the Differential Privacy Deployments Registry (registry.opendp.org).

The fields and words are those of the registry's data repository (opendp/deployments-registry-data) and of the paper
that designed it (arXiv:2509.13509). Its schema still changes; the form here is that of its records of tier 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from epsilometer.errors import BadQuestion
from epsilometer.report.passport_page import published
from epsilometer.vocabulary.privacy_loss import PERSON

if TYPE_CHECKING:
    from epsilometer.vocabulary.passport import Passport

PRODUCTS: Final = {"counts": "Summary statistics", "synthetic": "Synthetic data", "local": "Dataset"}
TO_FILL_IN: Final = ""  # as the registry's own template has it: only the curator knows
LISTED: Final = {
    "declared": "None: every combination of the declared domain is listed, with noise.",
    "thresholded": "None: a combination is listed if its noisy count is high enough.",
}


def registry_entry(passport: Passport) -> dict[str, Any]:
    """Return a passport in the registry's words; what only the curator knows is left empty, to be filled in.

    A plain sample is refused: it hides nobody who was drawn, and is no deployment of differential privacy.
    """
    if passport.kind == "sample":
        raise BadQuestion("A sample is no deployment of differential privacy: whoever was drawn is not protected.")
    return {
        "deployment": {
            "basic": {
                "name": passport.dataset,
                "data_curators": [{"data_curator_name": TO_FILL_IN, "data_curator_type": TO_FILL_IN}],
                "description": published(passport),
                "intended_use": TO_FILL_IN,
                "data_product_type": PRODUCTS[passport.kind],
                "data_product_region": TO_FILL_IN,
                "data_product_sector": TO_FILL_IN,
                "publication_date": passport.released_at[:10],
            },
            "dp_variant": _variant(passport),
            "privacy_loss": _privacy_loss(passport),
            "deployment_model": _model(passport),
            "accounting": {
                "post_processing": ", ".join(passport.post_processing) or "None",
                "composition": f"The looks at the data were {passport.guarantee.accounting}: {_looks(passport)}.",
            },
            "implementation": {
                "preprocessing_and_hyperparameter_tuning": TO_FILL_IN,
                "mechanisms": _mechanisms(passport),
                "justification": TO_FILL_IN,
            },
            "administrative": {"status": "Draft", "registry_authors": [TO_FILL_IN], "tier": 3},
        }
    }


def _variant(passport: Passport) -> dict[str, str]:
    support = passport.support
    return {
        "variant_name": "Approximate DP" if passport.guarantee.delta else "Pure DP",
        "data_domain": f"Tables with the columns {', '.join(passport.outputs[0].columns)}.",
        "unprotected_quantities": TO_FILL_IN if support is None else LISTED[support.kind],
    }


def _privacy_loss(passport: Passport) -> dict[str, Any]:
    guarantee, protection = passport.guarantee, passport.protection
    by_person = all(look.unit == PERSON or look.rows_per_person == 1 for look in passport.looks)
    one = "person" if by_person else "row"
    change = "added or removed" if protection.adjacency == "add-remove" else "replaced by another"
    return {
        "privacy_unit": "User-level" if by_person else "Event-level",
        "privacy_unit_details": f"{protection.in_words} Adjacent tables differ by one {one} {change}.",
        "privacy_parameters": {
            "epsilon": guarantee.epsilon,
            **({"delta": guarantee.delta} if guarantee.delta else {}),
        },
        "privacy_parameters_details": "; ".join(
            f"{number.name}: {'no bound' if number.value is None else f'{number.value:.6g}'}"
            for number in passport.risks
        ),
    }


def _model(passport: Passport) -> dict[str, str]:
    local = passport.kind == "local"
    return {
        "model_name": "Local" if local else "Central",
        "release_type": "One release",
        "data_source_type": "Static",
        "access_type": "Non-interactive",
    }


def _looks(passport: Passport) -> str:
    return "; ".join(f"{look.what} (ε = {look.epsilon:g}, δ = {look.delta:g})" for look in passport.looks)


def _mechanisms(passport: Passport) -> str:
    used = "; ".join(
        f"{each.what}: {each.name}" + ("" if each.scale is None else f" of scale {each.scale:g}")
        for each in passport.mechanisms
    )
    versions = passport.versions
    return f"{used}. Noise from OpenDP {versions.opendp}, drawn by epsilometer {versions.epsilometer}."
