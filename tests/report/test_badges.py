"""Badges: the coverage in a picture, and in the JSON that shields.io reads."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from hipify_py.core.translation import Counts
from hipify_py.project.result import UNCHANGED, FileResult
from hipify_py.report.figures import percent
from hipify_py.report.run_report import REPORT, RunReport
from tests.report.test_formats import rendered

CASES = [
    (Counts(), "no CUDA", "lightgrey"),
    (Counts(converted=7), "100%", "brightgreen"),
    (Counts(converted=99_999, unknown=1), "99.9%", "green"),
    (Counts(converted=29, unsupported=71), "29%", "red"),
    (Counts(native=2, inactive=1, unknown=1), "75%", "yellow"),
    (Counts(converted=950, unknown=50), "95%", "green"),
    (Counts(converted=949, unknown=51), "94.9%", "yellowgreen"),
    (Counts(converted=1, unknown=1), "50%", "orange"),
    (Counts(unknown=1), "0%", "red"),
]


def report_with(counts: Counts) -> RunReport:
    return RunReport(REPORT, [FileResult("a.cu", UNCHANGED, libraries={"runtime": counts})])


@pytest.mark.parametrize(("counts", "message", "color"), CASES)
def test_the_endpoint_of_shields(counts: Counts, message: str, color: str) -> None:
    assert json.loads(rendered(report_with(counts), "shields")) == {
        "schemaVersion": 1,
        "label": "HIP coverage",
        "message": message,
        "color": color,
    }


@pytest.mark.parametrize(("counts", "message", "color"), CASES)
def test_the_picture_is_whole_and_needs_nothing_else(counts: Counts, message: str, color: str) -> None:
    text = rendered(report_with(counts), "badge")
    svg = ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    assert svg.tag == f"{space}svg"
    title = svg.find(f"{space}title")
    assert title is not None
    assert title.text == svg.get("aria-label") == f"HIP coverage: {message}"
    texts = [element for element in svg.iter(f"{space}text") if element.get("aria-hidden") is None]
    assert [element.text for element in texts] == ["HIP coverage", message]
    width = float(svg.get("width", "0"))
    for element in texts:
        middle, half = float(element.get("x", "0")), float(element.get("textLength", "0")) / 2
        assert 0 < middle - half < middle + half < width
    assert not re.search(r"href|script|@import|url\((?!#)", text)


def test_a_hundred_percent_means_all() -> None:
    assert percent(Counts(converted=99_999_999, unknown=1)) == "99.9 %"
    assert percent(Counts(converted=5)) == "100.0 %"
