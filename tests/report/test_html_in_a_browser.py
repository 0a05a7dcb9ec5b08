"""The page in a real browser: it opens, filters, sorts and shows changes, says nothing on the console and asks for nothing.

It needs Chromium, its driver and selenium, and skips without one of them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hipify_py.core.diff import Hunk
from hipify_py.core.findings import Finding
from hipify_py.core.translation import Counts
from hipify_py.project.result import CHANGED, Changes, FileResult
from hipify_py.report.comparison import compared
from hipify_py.report.editor import EDITORS, place_link
from hipify_py.report.formats import PLAIN, load
from hipify_py.report.history import record_of
from hipify_py.report.page_data import column_of
from hipify_py.report.run_report import REPORT, RunReport
from tests.report.changed_tree import HOSTILE, report_with_changes
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
        changes = Changes((Hunk(0, 0, [([], [b"cudaFree(p);\n"], [b"hipFree(p);\n"])] * 30, []),), 750)
        libraries = {"runtime": Counts(9, 0, 8)}
        results.append(FileResult(path, CHANGED, libraries=libraries, findings=tuple(found), changes=changes))
    opened(browser, RunReport(REPORT, results), tmp_path)
    assert (tmp_path / "page.html").stat().st_size < 15_000_000
    assert "40,000 findings" in browser.find_element("id", "findings-count").text
    assert len(listed(browser)) == 200
    browser.find_element("id", "filter-text").send_keys("file4999.cu")
    assert len(listed(browser)) == 8
    assert len(browser.find_elements("css selector", "#map g")) == 5000
    assert len(browser.find_elements("css selector", "#map g[tabindex='0']")) == 1
    assert clean(browser)


ENTER, SPACE, RIGHT, TAB = "\ue007", " ", "\ue014", "\ue004"


def open_changes(browser: Any, path: str) -> Any:
    """Filter the table of files down to one, and open its changes by mouse."""
    browser.find_element("id", "files-filter").clear()
    browser.find_element("id", "files-filter").send_keys(path)
    browser.find_element("css selector", "#files tbody button").click()
    return browser.find_element("css selector", "#files .diff")


def cells(browser: Any, selector: str) -> list[str]:
    return [element.text for element in browser.find_elements("css selector", selector)]


def test_changes_open_and_close_by_mouse_with_words_marked(browser: Any, tmp_path: Path) -> None:
    opened(browser, report_with_changes(tmp_path / "src"), tmp_path)
    assert browser.find_elements("css selector", ".diff") == []
    diff = open_changes(browser, "solver.cu")
    assert cells(browser, ".diff del") == ["cuda_runtime", "cudaMalloc", "cudaFree"]
    assert cells(browser, ".diff ins") == ["hip/hip_runtime", "hipMalloc", "hipFree"]
    row = diff.find_element("xpath", ".//tr[.//del[text()='cudaMalloc']]")
    found = [cell.text.strip() for cell in row.find_elements("css selector", "td")]
    assert found == ["3", "cudaMalloc(&p, 4);", "3", "hipMalloc(&p, 4);"]
    assert cells(browser, ".diff .chip") == ["HIP102"]
    browser.find_element("css selector", "#files tbody button").click()
    browser.implicitly_wait(0)
    assert browser.find_elements("css selector", ".diff") == []
    browser.implicitly_wait(10)
    assert clean(browser)


def test_changes_open_with_the_keyboard_and_can_be_scrolled_to(browser: Any, tmp_path: Path) -> None:
    opened(browser, report_with_changes(tmp_path / "src"), tmp_path)
    button = browser.find_element("css selector", "#files tbody button")
    button.send_keys(ENTER)
    assert button.get_attribute("aria-expanded") == "true"
    button.send_keys(TAB)
    assert browser.switch_to.active_element.get_attribute("role") == "region"
    button.send_keys(SPACE)
    assert button.get_attribute("aria-expanded") == "false"
    in_findings = browser.find_element("css selector", "#findings h3 button")
    in_findings.send_keys(ENTER)
    assert browser.find_element("css selector", "#findings .diff").is_displayed()
    assert clean(browser)


def test_hostile_code_in_changes_is_text(browser: Any, tmp_path: Path) -> None:
    opened(browser, report_with_changes(tmp_path / "src"), tmp_path)
    diff = open_changes(browser, "<script>alert(1)<!--.cu")
    assert HOSTILE in diff.text
    assert "\\u202eesrever \\x1b[31m" in diff.text
    assert browser.find_elements("css selector", ".diff img, .diff script") == []
    diff = open_changes(browser, "latin1.cu")
    assert "caf\\xe9" in diff.text
    assert clean(browser)


def test_changes_that_are_too_large_are_said_to_be_left_out(browser: Any, tmp_path: Path) -> None:
    result = FileResult("a.cu", CHANGED, libraries={"runtime": Counts(1)}, changes=Changes((), 300_000))
    opened(browser, RunReport(REPORT, [result]), tmp_path)
    browser.find_element("css selector", "#files tbody button").click()
    assert "300,000 bytes" in browser.find_element("css selector", "#files .changes").text
    assert clean(browser)


def test_lines_stand_beside_those_that_they_became(browser: Any, tmp_path: Path) -> None:
    old = [b"#include <cuda.h>\n", b"one(cudaFoo);\n", b"gone();\n", b"two(cudaBar);\n"]
    new = [b"#include <hip/hip_runtime.h>\n", b"#include <new>\n", b"one(hipFoo);\n", b"two(hipBar);\n"]
    changes = Changes((Hunk(4, 4, [([b"before\n"], old, new)], [b"behind\n"]),), 100)
    result = FileResult("a.cu", CHANGED, libraries={"runtime": Counts(1)}, changes=changes)
    opened(browser, RunReport(REPORT, [result]), tmp_path)
    open_changes(browser, "a.cu")
    rows = [
        [cell.text for cell in row.find_elements("css selector", "td")]
        for row in browser.find_elements("css selector", ".diff tbody tr:not(.gap)")
    ]
    assert rows == [
        ["5", "before", "5", "before"],
        ["6", "#include <cuda.h>", "6", "#include <hip/hip_runtime.h>"],
        ["", "", "7", "#include <new>"],
        ["7", "one(cudaFoo);", "8", "one(hipFoo);"],
        ["8", "gone();", "", ""],
        ["9", "two(cudaBar);", "9", "two(hipBar);"],
        ["10", "behind", "10", "behind"],
    ]
    assert clean(browser)


def test_the_map_goes_by_arrow_keys(browser: Any, tmp_path: Path) -> None:
    results = [FileResult(f"d/{name}.cu", CHANGED, libraries={"runtime": Counts(1)}) for name in "abcd"]
    opened(browser, RunReport(REPORT, results), tmp_path)
    first = browser.find_element("css selector", "#map g[tabindex='0']")
    first.send_keys(RIGHT)
    second = browser.switch_to.active_element
    assert second.get_attribute("aria-label") != first.get_attribute("aria-label")
    assert browser.find_element("id", "map-said").text == second.get_attribute("aria-label")
    second.send_keys(ENTER)
    assert second.get_attribute("aria-label").startswith(
        browser.find_element("id", "files-filter").get_attribute("value")
    )
    assert len(browser.find_elements("css selector", "#files tbody tr")) == 1
    assert clean(browser)


def test_history_and_comparison_are_shown(browser: Any, tmp_path: Path) -> None:
    left = Finding("HIP102", "warning", "low", "m", "a.cu", 0, 1, 1, "x", "cublas")
    before = [
        FileResult("a.cu", CHANGED, libraries={"cublas": Counts(3, unknown=1), "cufft": Counts(4)}, findings=(left,)),
        FileResult("gone <b>.cu", CHANGED, libraries={"runtime": Counts(1)}),
    ]
    after = [FileResult("a.cu", CHANGED, libraries={"cublas": Counts(4), "cufft": Counts(4)})]
    report = RunReport(REPORT, after, comparison=compared("<main>", before, after))
    report.history = [record_of(before), record_of(after), record_of(after)]
    opened(browser, report, tmp_path)
    assert browser.find_element("id", "comparison").text == "Against <main>"
    assert "88.8 % → 100.0 %\ncoverage, +11.1 points" in cells(browser, ".changed")
    assert "1 → 0\nof low effort" in cells(browser, ".changed")
    assert cells(browser, "#compared tbody th") == ["a.cu", "gone <b>.cu"]
    browser.find_element("id", "compared-filter").send_keys("gone")
    assert cells(browser, "#compared tbody tr td") == ["0", "", "100.0 %", "", "gone"]
    assert len(browser.find_elements("css selector", "polyline.coverage")) == 1
    points = browser.find_element("css selector", "polyline.coverage").get_attribute("points").split()
    assert len(points) == 3
    heights = [float(point.split(",")[1]) for point in points]
    assert heights[0] > heights[1] == heights[2]
    browser.find_element("css selector", "#trend ~ details summary").click()
    assert cells(browser, "#runs tbody tr td:nth-of-type(4)") == ["100.0 %", "100.0 %", "88.8 %"]
    browser.find_element("css selector", "#runs thead th:nth-child(4) button").click()
    assert cells(browser, "#runs tbody tr td:nth-of-type(3)") == ["9", "8", "8"]
    assert clean(browser)


def test_tables_of_the_page_sort_by_their_figures(browser: Any, tmp_path: Path) -> None:
    libraries = {"a": Counts(converted=9), "b": Counts(converted=1200), "c": Counts(converted=80)}
    opened(browser, RunReport(REPORT, [FileResult("a.cu", CHANGED, libraries=libraries)]), tmp_path)
    head = browser.find_element("css selector", "table.sortable thead th:nth-child(2) button")
    head.send_keys(ENTER)
    assert cells(browser, "table.sortable tbody td:nth-child(2)") == ["1,200", "80", "9"]
    head.send_keys(SPACE)
    assert cells(browser, "table.sortable tbody td:nth-child(2)") == ["9", "80", "1,200"]
    assert clean(browser)


def test_a_slash_goes_to_the_filter(browser: Any, tmp_path: Path) -> None:
    opened(browser, report_with_changes(tmp_path / "src"), tmp_path)
    browser.find_element("css selector", "body").send_keys("/")
    assert browser.switch_to.active_element.get_attribute("id") == "filter-text"
    assert clean(browser)


def test_of_a_long_table_the_first_rows_are_shown(browser: Any, tmp_path: Path) -> None:
    left = {(f"cudaFoo{number:02}", "runtime", "unknown"): 100 - number for number in range(60)}
    libraries = {"runtime": Counts(unknown=sum(left.values()))}
    opened(browser, RunReport(REPORT, [FileResult("a.cu", CHANGED, libraries=libraries, left=left)]), tmp_path)
    browser.implicitly_wait(0)
    table = browser.find_element("xpath", "//section[h2='In no table']")
    rows = "tbody tr:not([hidden])"
    assert len(table.find_elements("css selector", rows)) == 25
    table.find_element("css selector", "thead th:nth-child(3) button").send_keys(ENTER)
    table.find_element("css selector", "thead th:nth-child(3) button").send_keys(ENTER)
    assert table.find_element("css selector", rows).text == "cudaFoo59 runtime 41"
    table.find_element("css selector", "input").send_keys("foo1")
    assert len(table.find_elements("css selector", rows)) == 10
    table.find_element("css selector", "input").send_keys("\ue003")
    assert len(table.find_elements("css selector", rows)) == 25
    table.find_element("css selector", "button.more").click()
    assert len(table.find_elements("css selector", rows)) == 60
    browser.implicitly_wait(10)
    assert clean(browser)


def test_places_open_an_editor_where_that_is_wished(browser: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    report = report_of_tree(tmp_path / "src", REPORT)
    page.write_text("".join(load("html").render(report, PLAIN._replace(editor=EDITORS["vscode"]))), encoding="utf-8")
    browser.get(page.as_uri())
    links = [link.get_attribute("href") for link in browser.find_elements("css selector", "#findings summary a.place")]
    expected = [
        place_link(EDITORS["vscode"], found.path, found.line, column_of(found))
        for result in report.results
        for found in result.findings
    ]
    assert links == expected[: len(links)]
    assert len(links) > 3
    assert all(link.startswith(f"vscode://file{tmp_path}/src/") for link in links)
    names = [link.get_attribute("href") for link in browser.find_elements("css selector", "#files tbody th a")]
    assert all(name.endswith(":1:1") for name in names)
    assert clean(browser)


def test_a_finding_leads_to_what_it_means(browser: Any, tmp_path: Path) -> None:
    opened(browser, report_of_tree(tmp_path / "src", REPORT), tmp_path)
    assert browser.find_elements("css selector", "#findings summary a") == []
    summary = browser.find_element("css selector", "#findings summary")
    id = summary.find_element("css selector", ".id").text
    summary.click()
    link = browser.find_element("css selector", "#findings details[open] .advice a")
    assert link.text == f"{id} explained"
    link.click()
    assert browser.current_url.endswith(f"#about-{id}")
    assert browser.find_element("id", f"about-{id}").is_displayed()
    assert clean(browser)
