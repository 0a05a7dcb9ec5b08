"""Markdown: short however large the project, and nothing of a tree is markup in it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from hipify_py.core.findings import Finding
from hipify_py.core.targeting import Targeting
from hipify_py.core.terminal_escape import visible
from hipify_py.core.translation import UNKNOWN, Counts
from hipify_py.project.result import FAILED, UNCHANGED, FileResult
from hipify_py.report.baseline.file import Entry
from hipify_py.report.comparison import compared
from hipify_py.report.formats.markdown import LONGEST, MARK, code
from hipify_py.report.gates import Gate
from hipify_py.report.history import record_of
from hipify_py.report.model import Choice
from hipify_py.report.run_report import CHECK, RunReport
from tests.report.reports import report_of_tree
from tests.report.test_formats import rendered

READER = MarkdownIt("commonmark").enable("table").enable("strikethrough")


def inlines(text: str) -> list[Token]:
    """The pieces of text of a document, as a reader finds them."""
    return [child for token in READER.parse(text) if token.type == "inline" for child in token.children or []]


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunReport:
    monkeypatch.chdir(tmp_path)
    return report_of_tree(Path("src"))


def test_it_says_the_coverage_the_effort_and_what_is_worst(report: RunReport) -> None:
    text = rendered(report, "markdown")
    assert text.startswith(f"{MARK}\n## hipify-py: 31.2 % of 16 CUDA references\n")
    assert "\n12 files: 3 to convert, 8 unchanged, 1 failed (CUDA " in text
    assert "\n| `runtime` | 3 | 0 | 2 | 9 | 0 | 21.4 % |\n" in text
    assert "`ROCm 10.0`: **1 cause blocks the port (effort: 1 medium), 1 file could not be processed, and " in text
    assert "**1** medium (hours), **1** low (minutes). 1 finding suppressed.\n" in text
    assert "\n| `src/solver.cu` | 0 | 1 | 1 |\n" in text
    assert "\n| `src/utf16.cu` | `the file is UTF-16; save it as UTF-8 and run again` |\n" in text
    errors = [line for line in text.splitlines() if line.startswith(("| error", "| warning"))]
    assert [line.split()[1] for line in errors] == ["error", "warning"]
    assert errors[0].endswith("(2 places in 2 files) |")


def test_names_of_a_tree_are_code_and_nothing_else(report: RunReport) -> None:
    text = rendered(report, "markdown")
    html = READER.render(text)
    assert set(re.findall(r"</?(\w+)", html)) <= {
        *("h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "strong"),
    }
    for token in inlines(text):
        if token.type != "code_inline":
            assert not re.search(r"[@<>`\[\]]|x\.example|cudaFoo", token.content), token
    cells = {token.content for token in inlines(text) if token.type == "code_inline"}
    assert "src/=cmd|calc.cu" in cells
    assert "src/b\\n::error file=x::forged <script>alert(1)</script>.cu" in cells
    assert "src/`tick` |pipe| \\\\x7c [link](http:/x.example) @user #1 {0}.cu" in cells


def test_every_row_has_the_cells_of_its_table(report: RunReport) -> None:
    for table in READER.render(rendered(report, "markdown")).split("<table>")[1:]:
        heads = table.count("<th>") + table.count("<th ")
        assert all(row.count("<td") == heads for row in table.split("<tr>")[2:])


@settings(max_examples=50)
@given(
    st.lists(st.sampled_from([*"`|\\ab [](<>*_@#&;!~$-\t\n\u202e😀", "``", "\\|", "\\\\|", "&#96;"]), max_size=30).map(
        "".join
    )
)
def test_any_text_is_one_code_span_in_a_table(text: str) -> None:
    """It is the visible text, but for blanks and pipes behind backslashes."""
    rows = inlines(f"| a | b |\n| --- | --- |\n| {code(text)} | end |\n")
    *_, cell, end = rows
    assert end.content == "end"
    if not text.strip():
        return
    assert cell.type == "code_inline", (text, rows)
    shown = re.sub(r"\\\|", r"\\\\x7c", visible(text).replace("\t", " "))
    assert cell.content.strip() == shown.strip()


def test_a_hundred_thousand_findings_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    signs = "`|\\[]()<>*_~#@!é😀\u202e\n ab"
    found = Finding("HIP102", "warning", "low", "", "", 0, 1, 1, "", "")
    texts, results = ["".join(rng.choices(signs, k=300)) for _ in range(50)], []
    for number in range(1000):
        path = f"{rng.choice(texts)}{number}"
        findings = tuple(found._replace(path=path, message=rng.choice(texts), line=line) for line in range(100))
        name = f"{rng.choice(texts)}{number}"
        libraries = {name: Counts(unknown=1)}
        results.append(
            FileResult(path, UNCHANGED, findings=findings, libraries=libraries, left={(name, name, UNKNOWN): 1})
        )
        results.append(FileResult(f"{path}.failed", FAILED, findings=(found._replace(id="HIP902", message=path * 9),)))
    gates = [Gate("coverage", 95, 90.5, False, text) for text in texts]
    choices = [Choice("", (), Targeting(rocm=f"6.{number}")) for number in range(100)]
    empty = [result._replace(libraries={}) for result in results]
    report = RunReport(CHECK, results, choices, gates=gates, comparison=compared(texts[0], empty, results))
    report.history = [record_of([])] * 1000
    text = rendered(report, "markdown")
    assert LONGEST * 0.4 < len(text.encode()) <= LONGEST
    cut = [int(number.replace(",", "")) for number in re.findall(r"^(?:- )?and ([\d,]+) more$", text, re.MULTILINE)]
    assert len(cut) == 8
    rows = len(re.findall(r"^\| warning \| low \| HIP102 ", text, re.MULTILINE))
    assert rows > 5
    assert f"\nand {len(report.causes) - rows:,} more\n" in text


def test_nothing_left_is_said() -> None:
    report = RunReport(CHECK, [FileResult("a.cu", UNCHANGED, libraries={"runtime": Counts(native=3)})])
    text = rendered(report, "markdown")
    assert "## hipify-py: 100.0 % of 3 CUDA references" in text
    assert "Nothing is left to do." in text
    assert "## hipify-py: no CUDA\n" in rendered(RunReport(CHECK, []), "markdown")


def test_gates_and_the_baseline_are_told() -> None:
    known = Finding("HIP102", "warning", "low", "m", "a.cu", 0, 1, 1, "", "")
    gates = [Gate("effort", 3, 1, True, "1 finding"), Gate("coverage", 95, 90.5, False, "coverage of `x` is 90.5 %")]
    gone = [Entry("a.cu", "HIP101", "n", "f"), Entry("b.cu", "HIP101", "n", "f")]
    report = RunReport(CHECK, [FileResult("a.cu", UNCHANGED, known=(known,) * 1234)], gates=gates, gone=gone)
    text = rendered(report, "markdown")
    assert "\n\n- **not met**: `` coverage of `x` is 90.5 % ``\n- met: `1 finding`\n\n" in text
    assert "Nothing that is new is left to do. Against the baseline: 1,234 known, 2 gone.\n" in text


def test_changes_and_the_trend_are_told() -> None:
    left = Finding("HIP102", "warning", "low", "m", "a.cu", 0, 1, 1, "x", "cublas")
    before = [
        FileResult("a.cu", UNCHANGED, libraries={"cublas": Counts(3, unknown=1), "cufft": Counts(4)}, findings=(left,)),
        FileResult("gone.cu", UNCHANGED, libraries={"runtime": Counts(1)}),
    ]
    after = [FileResult("a.cu", UNCHANGED, libraries={"cublas": Counts(4), "cufft": Counts(4), "curand": Counts(2)})]
    report = RunReport(CHECK, after, comparison=compared("main`|", before, after))
    report.history = [record_of(before), record_of(after)]
    text = rendered(report, "markdown")
    assert "\nThe last 2 runs: 88.8 % → 100.0 % ▁█\n\nTheir findings: 1 → 0 █▁\n" in text
    assert (
        r"Against `` main`\| ``: **+11.1** points of coverage; 0 new findings, 1 gone (by effort: low 1 → 0)." in text
    )
    assert "\n| `cublas` | 1 | 0 | 75.0 % | 100.0 % | +25.0 |\n" in text
    assert "\n| `curand` | – | 0 | – | 100.0 % | new |\n" in text
    assert "\n| `gone.cu` | 0 | – | 100.0 % | – | gone |\n" in text
    assert "`cufft` | 0 | 0" not in text
