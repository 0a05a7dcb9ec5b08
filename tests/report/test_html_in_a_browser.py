"""The page in a real browser: it opens, filters and sorts, says nothing on the console and asks for nothing.

It needs Chromium, its driver and selenium, and skips without one of them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hipify_py.findings import Finding
from hipify_py.project.result import CHANGED, FileResult
from hipify_py.report.formats import PLAIN, load
from hipify_py.report.run_report import REPORT, RunReport
from hipify_py.translation import Counts
from tests.report.reports import report_of_tree

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

pytestmark = pytest.mark.skipif(BROWSER is None or DRIVER is None, reason="needs chromium and chromedriver")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,1000"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.implicitly_wait(10)  # a finding is filled in when the browser tells that it was opened, a little later
    yield driver
    driver.quit()


def opened(browser: Any, report: RunReport, folder: Path) -> None:
    """Open the page of a report, and wait for nothing: its script is done when the page is loaded."""
    page = folder / "page.html"
    page.write_text("".join(load("html").render(report, PLAIN)), encoding="utf-8")
    browser.get(page.as_uri())
    assert browser.execute_script("return document.documentElement.dataset.ready") == "true"


def clean(browser: Any) -> bool:
    """Nothing was said on the console, and nothing was asked for."""
    asked = browser.execute_script("return performance.getEntriesByType('resource').length")
    return browser.get_log("browser") == [] and asked == 0


def listed(browser: Any) -> list[str]:
    return [element.text for element in browser.find_elements("css selector", "#findings summary")]


def first_file(browser: Any) -> str:
    text: str = browser.find_element("css selector", "#files tbody th").text
    return text


def test_a_hostile_tree_is_shown_as_it_is(browser: Any, tmp_path: Path) -> None:
    opened(browser, report_of_tree(tmp_path / "src", REPORT), tmp_path)
    names = [element.text for element in browser.find_elements("css selector", "#findings h3")]
    assert any("<script>alert(1)</script>.cu" in name for name in names)
    assert clean(browser)


def test_filters(browser: Any, tmp_path: Path) -> None:
    opened(browser, report_of_tree(tmp_path / "src", REPORT), tmp_path)
    everything = listed(browser)
    browser.find_element("id", "filter-severity").send_keys("warning")
    warnings = listed(browser)
    assert 0 < len(warnings) < len(everything)
    assert all("warning" in line for line in warnings)
    browser.find_element("css selector", "#filters button[type=reset]").click()
    browser.find_element("id", "filter-text").send_keys("solver.cu")
    first, second = listed(browser)
    assert "HIP101" in first
    assert "HIP102" in second
    assert clean(browser)


def test_a_finding_opens_with_its_code_and_advice(browser: Any, tmp_path: Path) -> None:
    opened(browser, report_of_tree(tmp_path / "src", REPORT), tmp_path)
    browser.find_element("id", "filter-text").send_keys("cudaFooBar")
    browser.find_element("css selector", "#findings summary").click()
    assert browser.find_element("css selector", "#findings mark").text == "cudaFooBar"
    assert "effort: low" in browser.find_element("css selector", "#findings .advice").text
    assert clean(browser)


def test_files_are_sorted_by_any_column_with_the_keyboard_too(browser: Any, tmp_path: Path) -> None:
    opened(browser, report_of_tree(tmp_path / "src", REPORT), tmp_path)
    head = browser.find_element("css selector", "#files thead th:first-child button")
    head.send_keys("\ue007")
    last = first_file(browser)
    head.send_keys("\ue007")
    assert first_file(browser) < last
    assert clean(browser)


def test_thousands_of_files_and_findings_do_not_stop_it(browser: Any, tmp_path: Path) -> None:
    """It is ready when it is loaded, and shows more when asked."""
    results = []
    for number in range(5000):
        path = f"part{number % 70}/deep/file{number}.cu"
        found = [
            Finding("HIP101", "error", "medium", f"call {line}", path, line, line, 1, "f", "runtime")
            for line in range(1, 9)
        ]
        results.append(FileResult(path, CHANGED, libraries={"runtime": Counts(9, 0, 8)}, findings=tuple(found)))
    opened(browser, RunReport(REPORT, results), tmp_path)
    assert "40,000 findings" in browser.find_element("id", "findings-count").text
    assert len(listed(browser)) == 200
    browser.find_element("id", "filter-text").send_keys("file4999.cu")
    assert len(listed(browser)) == 8
    assert len(browser.find_elements("css selector", "#map g")) == 5000
    assert clean(browser)
