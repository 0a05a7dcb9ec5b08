"""The page: one file that fetches nothing, in which nothing of a tree becomes markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hipify_py.core.diff import Hunk
from hipify_py.core.findings import Finding
from hipify_py.core.translation import Counts
from hipify_py.project.result import CHANGED, Changes, FileResult
from hipify_py.report import page_data as page_data_module
from hipify_py.report.comparison import compared
from hipify_py.report.formats import PLAIN, load
from hipify_py.report.history import record_of
from hipify_py.report.page_data import page_data
from hipify_py.report.run_report import REPORT, RunReport
from tests.report.reports import report_of_tree

EXTERNAL = ("src", "href", "action", "data", "srcset", "poster", "style")


class Page(HTMLParser):
    """The elements of a page, and the texts of its style and scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] in ("style", "script") and data.strip():
            self.texts.append((self.elements[-1][0], data))


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return "".join(load("html").render(report_of_tree(Path("src"), REPORT), PLAIN))


def test_nothing_of_a_tree_becomes_markup(text: str) -> None:
    page = Page(text)
    assert [tag for tag, _ in page.elements].count("script") == 2
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert "<script>alert" not in text
    data = next(json.loads(data) for tag, data in page.texts if tag == "script" and data.startswith("{"))
    assert any("<script>alert(1)</script>" in file["path"] for file in data["files"])


def test_the_page_fetches_nothing_and_runs_its_own_script_alone(text: str) -> None:
    page = Page(text)
    named = [(name, value) for _, attributes in page.elements for name, value in attributes.items() if name in EXTERNAL]
    assert all(name == "href" and value is not None and value.startswith("#") for name, value in named)
    policy = next(
        attributes["content"] or ""
        for tag, attributes in page.elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    style = next(data for tag, data in page.texts if tag == "style")
    script = next(data for tag, data in page.texts if tag == "script" and not data.startswith("{"))
    for kind, part in (("style", style), ("script", script)):
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_the_marked_part_of_a_line_is_the_name(text: str) -> None:
    page = Page(text)
    data = next(json.loads(data) for tag, data in page.texts if tag == "script" and data.startswith("{"))
    marked = {data["texts"][about] for file in data["files"] for *_, about, _, _ in file["findings"]}
    assert {"cudaGraphConditionalHandleCreate", "cudaFooBar"} <= marked


def test_the_coverage_is_in_the_page_without_its_script(text: str) -> None:
    assert re.search(r"<title>Porting coverage: \d+\.\d %</title>", text)
    assert "<code>cudaGraphConditionalHandleCreate</code>" in text


def test_a_run_without_files_makes_a_page() -> None:
    assert "of 0 CUDA references" in "".join(load("html").render(RunReport(REPORT, []), PLAIN))


def test_gates_and_what_is_known_are_told(tmp_path: Path) -> None:
    from hipify_py.report.gates import Gate

    report = report_of_tree(tmp_path / "src", REPORT)
    report.gates = [Gate("coverage", 95, 60, False, "coverage is 60.0 %, <95 %> is asked for")]
    report.gone = []
    text = "".join(load("html").render(report, PLAIN))
    assert "not met</span>: coverage is 60.0 %, &lt;95 %&gt; is asked for" in text
    assert "0</strong> known before, 0 gone" in text


def test_the_largest_changes_are_left_out_where_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def result(name: str, lines: int) -> FileResult:
        hunk = Hunk(0, 0, [([], [b"cudaFree(p);\n"] * lines, [b"hipFree(p);\n"] * lines)], [])
        return FileResult(name, CHANGED, changes=Changes((hunk,), 25 * lines))

    results = [result("large.cu", 100), result("small.cu", 1), result("middle.cu", 10), result("too.cu", 99)]
    monkeypatch.setattr(page_data_module, "MOST_CHANGES", 400)
    files = page_data(RunReport(REPORT, results))["files"]
    assert [file["path"] for file in files if file["changes"]] == ["small.cu", "middle.cu"]
    assert [file["size"] for file in files if not file["changes"]] == [2500, 2475]


def test_lines_of_changes_are_written_out_as_people_see_them() -> None:
    hunk = Hunk(8, 9, [([b"\tint \xe9;\r\n"], [b"a\x1b[2J\n"], [b"b\n", b"\n"])], ["c\u202e\n".encode(), b"end"])
    report = RunReport(REPORT, [FileResult("a\n\u202e.cu", CHANGED, changes=Changes((hunk,), 50))])
    (file,) = page_data(report)["files"]
    assert file["path"] == "a\\n\\u202e.cu"
    assert file["changes"] == [[9, 10, "\tint \\xe9;\n", "a\\x1b[2J\n", "b\n\n", "c\\u202e\nend\n"]]


def test_a_text_stands_in_the_data_once() -> None:
    found = [Finding("HIP101", "error", "low", "said", "a.cu", 0, line, 1, "f", "runtime") for line in range(1, 9)]
    data = page_data(RunReport(REPORT, [FileResult("a.cu", CHANGED, findings=tuple(found))]))
    assert sorted(data["texts"]) == ["", "runtime", "said"]


def test_the_runs_and_the_comparison_are_in_the_page_without_its_script() -> None:
    before = [FileResult("a.cu", CHANGED, libraries={"cublas": Counts(3, unknown=1)})]
    after = [FileResult("a.cu", CHANGED, libraries={"cublas": Counts(4)})]
    report = RunReport(REPORT, after, comparison=compared("<main>", before, after))
    report.history = [record_of(before)] * 150 + [record_of(after)]
    text = "".join(load("html").render(report, PLAIN))
    assert "Against &lt;main&gt;</h2>" in text
    assert "75.0 % → 100.0 %" in text
    assert "100 runs, and 51 before them." in re.sub(r"\s+", " ", text)
    assert text.count('<circle class="coverage"') == 100
    assert text.count('<polyline class="curve') == 7
