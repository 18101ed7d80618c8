"""Whatever stands where a number or a word is expected, the page answers in words."""

import pytest

DECLARED = {
    "domain-0": "0..120",
    "domain-1": "female\nmale",
    "domain-2": "birth\ncirculatory\ndigestive\ninjury\nmental health\nrespiratory",
}
THRESHOLDED = {"kind": "counts", "support": "thresholded", "support_delta": "1e-6"}
GAUSSIAN = {"mechanism": "discrete-gaussian", "delta": "1e-6"}
VALUES = {
    "empty": " ",
    "zero": "0",
    "negative": "-1",
    "huge": "1e308",
    "hugely negative": "-1e308",
    "tiny": "1e-308",
    "tiniest": "5e-324",
    "beyond": "1e999",
    "many digits": "9" * 5_000,
    "not a number": "nan",
    "infinite": "-inf",
    "superscript": "²",
    "wide": "１２",
    "underscore": "1_0",
    "comma": "1,5",
    "unreadable": "\x00\u202e",
    "markup": "<b>'\"{id}",
}
TARGETS = ("max_risk_percent", "max_loss_percent")
NOISE = ("epsilon", "delta", "threshold", "mechanism", "adjacency", "sensitive", *TARGETS)
ASKED = {
    "/counts": (*NOISE, "complete"),
    "/counts/view": (*NOISE, "near", "roles"),
    "/sample": ("size", "adversary", "sensitive", *TARGETS),
    "/sample/view": ("size", "adversary", *TARGETS, "roles"),
    "/sample/cells": ("size",),
    "/cells": ("n", "epsilon", "threshold"),
    "/compare": TARGETS,
    "/release": ("kind", "epsilon", "mechanism", "size", "dataset", "file", "domain-0", "roles"),
    "/report": ("kind", "epsilon", "size"),
    "/download/cells.csv": ("n", "threshold"),
    "/download/plan.yaml": ("kind", "epsilon", "delta", "threshold"),
    "": ("first",),
}
RELEASES = {
    "counts": ({"kind": "counts", **DECLARED}, ("epsilon", "threshold", "mechanism", "support", "dataset", "file")),
    "Gaussian counts": ({"kind": "counts", **GAUSSIAN, **DECLARED}, ("epsilon", "delta")),
    "thresholded counts": (THRESHOLDED, ("epsilon", "threshold", "support_delta")),
    "thresholded Gaussian counts": ({**THRESHOLDED, **GAUSSIAN}, ("epsilon",)),
    "sample": ({"kind": "sample"}, ("size",)),
    "synthetic": ({"kind": "synthetic", **DECLARED}, ("epsilon", "delta", "method", "rows", "domain-0")),
    "local": ({"kind": "local", "domain-0": DECLARED["domain-2"]}, ("epsilon", "randomizer", "domain-0")),
}
DOMAINS = ["0..1e308", "-1e308..1e308", "1e308..1e308", "0..1e18", "0..nan", "inf..inf", "1e308", "nan", "5..1", ".."]


@pytest.fixture(scope="module")
def table(browser_for_all):
    return browser_for_all.open_example()


def answered(answer):
    assert answer.status_code in (200, 404, 409, 410, 422), (answer.url, answer.status_code)
    return answer


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("path", ASKED)
def test_an_address_with_something_odd_is_answered(browser_for_all, table, path, value):
    for name in ASKED[path]:
        answered(browser_for_all.get(f"{table}{path}", params={name: value}))


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("kind", RELEASES)
def test_a_release_with_something_odd_is_answered(browser_for_all, table, kind, value):
    fields, names = RELEASES[kind]
    for name in names:
        answered(browser_for_all.submit(f"{table}/release", **{**fields, name: value}))


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_a_form_with_something_odd_is_answered(browser_for_all, table, value):
    shown = browser_for_all.submit(f"{table}/release", kind="sample", size="24").url.path
    for path, fields in {
        f"{shown}/budget": {"epsilon": value, "delta": value},
        shown: {"confirmation": value},
        "/tables": {"offer": value, "sheet": value},
        f"{table}/compare": {"kinds": value, "max_risk_percent": value},
        f"{table}/report": {"kind": value, "form": value, "language": value},
        "/jobs/none/cancel": {"csrf": value},
        table: {"role-0": "quasi-identifier", "bins-0": value or "x", "where": value, "role-4": value},
    }.items():
        answer = browser_for_all.submit(path, **fields)
        assert answer.status_code in (200, 403, 404, 410, 422), (path, answer.status_code)


@pytest.mark.parametrize("domain", DOMAINS)
def test_an_odd_domain_is_refused_in_words(browser_for_all, table, domain):
    answer = browser_for_all.submit(f"{table}/release", kind="counts", **{**DECLARED, "domain-0": domain})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {**THRESHOLDED, "epsilon": "1e-308"},
            "Epsilon must be in (1e-06, inf); got 1e-308. Less would be noise with a scale beyond a million",
        ),
        ({"kind": "counts", **DECLARED, "epsilon": "1e308"}, "Epsilon must be in [-1e+15, 1e+15], got 1e+308."),
        ({"kind": "counts", **DECLARED, "domain-0": "0..1e308"}, "1e+308 is too large to have a bin"),
        ({**RELEASES["local"][0], "epsilon": "30"}, "epsilon of real reports must be in [1e-06, 25]"),
        ({"kind": "sample", "size": "9" * 5_000}, "Number of rows must be a whole number, written with digits alone"),
    ],
)
def test_what_is_wrong_with_a_number_is_said(browser_for_all, table, fields, message):
    assert message in browser_for_all.submit(f"{table}/release", **fields).text
