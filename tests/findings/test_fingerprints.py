"""Findings are known again when their files change, and told apart when they are several."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.core.findings import Finding

CALL = "void f(cudaStream_t s) {\n  cudaGraphConditionalHandleCreate(&h, g, 1, 0);\n}\n"


def findings_of(text: str, path: str = "a.cu") -> list[Finding]:
    """The findings of a source, of which there are some."""
    found = translate(text, path=path).findings
    assert found
    return found


def prints(text: str, path: str = "a.cu") -> list[str]:
    """The fingerprints of a source's findings."""
    return [finding.fingerprint for finding in findings_of(text, path)]


@pytest.mark.parametrize(
    "changed",
    [
        "// a new first line\n\n" + CALL,
        CALL.replace("\n  ", "\n\t\t"),
        CALL.replace("(&h, g, 1, 0)", "(\n      &h, g, // which\n      1, 0)"),
        CALL.replace("void f", "int other() { return 1; }\nvoid f"),
        CALL.replace("\n", "\r\n"),
        CALL.replace("(&h", " /* why; { */ (&h"),
    ],
)
def test_what_does_not_change_a_statement_does_not_change_its_fingerprint(changed: str) -> None:
    """Moved lines, white space, comments and line endings leave it alone."""
    assert prints(changed) == prints(CALL)


def test_a_renamed_file_keeps_its_fingerprints() -> None:
    assert prints(CALL, "other/b.cu") == prints(CALL, "a.cu")


@pytest.mark.parametrize(
    "changed",
    [CALL.replace("1, 0", "2, 0"), CALL.replace("cudaGraphConditionalHandleCreate", "cuGraphConditionalHandleCreate")],
)
def test_another_statement_has_another_fingerprint(changed: str) -> None:
    assert set(prints(changed)).isdisjoint(prints(CALL))


def test_equal_statements_are_told_apart() -> None:
    """One of two that goes away leaves the first of them."""
    twice = CALL + CALL.replace("void f", "void g")
    assert len(set(prints(twice))) == 2
    assert prints(CALL)[0] == prints(twice)[0]


def test_a_directive_is_a_statement_of_its_own() -> None:
    """What stands around an include does not count."""
    one = "#include <nvgraph.h>\nint a;\n"
    assert prints(one) == prints("int b;\n#include <nvgraph.h>\nint c, d;\n")


def test_the_end_is_behind_the_name() -> None:
    finding = findings_of(CALL)[0]
    assert (finding.line, finding.column) == (2, 3)
    assert (finding.end_line, finding.end_column) == (2, 3 + len("cudaGraphConditionalHandleCreate"))
    assert finding.source_line == "  cudaGraphConditionalHandleCreate(&h, g, 1, 0);"


@pytest.mark.parametrize("path", ["<nvgraph.h>", '"nvgraph.h"'])
def test_the_end_of_an_include_is_behind_its_path(path: str) -> None:
    finding = findings_of(f"#include {path}\nint a;\n")[0]
    assert (finding.column, finding.end_column) == (10, 10 + len(path))


def test_suppressed_findings_have_fingerprints_too() -> None:
    done = translate(CALL.replace("0);", "0);  // hipify: ignore"), path="a.cu")
    assert [finding.fingerprint for finding in done.suppressed] == prints(CALL)


def test_a_line_of_generated_code_is_cut() -> None:
    finding = findings_of(CALL.replace("&h", "&h" + " + 0" * 1000))[0]
    assert len(finding.source_line) == 400
