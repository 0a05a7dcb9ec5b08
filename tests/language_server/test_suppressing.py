"""The comment that an action writes suppresses its finding, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipify_py
from hipify_py.catalog import load_catalog
from hipify_py.core.edits import Edit, apply
from hipify_py.core.findings import Finding, occurrences
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.source import Source
from hipify_py.language_server.suppressing import suppression
from hipify_py.project.discovery import Selection
from hipify_py.project.groups import Group
from hipify_py.project.unsaved import translate_unsaved
from hipify_py.translator.translate import lexer

CALL = "cublasSetSmCountTarget(h, 1);"


def _found(data: bytes, path: str) -> list[Finding]:
    return [
        finding
        for result in translate_unsaved(data, Group((path,), DEFAULT_OPTIONS, Selection()))
        for finding in result.findings
    ]


def _suppression(finding: Finding, data: bytes, path: str) -> Edit | None:
    return suppression(finding, Source(data, path), lexer(load_catalog()).scan(data))


def _suppressed(text: str, path: str = "a.cu", index: int = 0) -> str:
    data = text.encode()
    before = _found(data, path)
    edit = _suppression(before[index], data, path)
    assert edit is not None
    after = apply(data, [edit])
    left = _found(after, path)
    kept = [finding.id for number, finding in enumerate(before) if number != index]
    assert [finding.id for finding in left] == kept
    return after.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("void f() {\n    CALL\n}\n", "void f() {\n    CALL  // hipify: ignore[HIP101]\n}\n"),
        ("void f() {\r\n    CALL\r\n}\r\n", "void f() {\r\n    CALL  // hipify: ignore[HIP101]\r\n}\r\n"),
        ("void f() { CALL }", "void f() { CALL }  // hipify: ignore[HIP101]"),
        ("void f() {\n    CALL // 漢字\n}\n", "void f() {\n    CALL // 漢字  // hipify: ignore[HIP101]\n}\n"),
        (
            "#define M(h) \\\n    CALL \\\n    g()\n",
            "// hipify: ignore[HIP101]\n#define M(h) \\\n    CALL \\\n    g()\n",
        ),
        ("\ufeff#define M(h) \\\n    CALL\n", "\ufeff// hipify: ignore[HIP101]\n#define M(h) \\\n    CALL\n"),
        (
            "void f() {\n\tCALL /* long\n  comment */\n}\n",
            "void f() {\n\t// hipify: ignore[HIP101]\n\tCALL /* long\n  comment */\n}\n",
        ),
        (
            "void f() {\n    CALL  // hipify: ignore[HIP301]: why\n}\n",
            "void f() {\n    CALL  // hipify: ignore[HIP301, HIP101]: why\n}\n",
        ),
        (
            'const char *s = R"(__global__ void k() {\n  CALL\n})";\n',
            'const char *s = R"(__global__ void k() {\n  CALL  // hipify: ignore[HIP101]\n})";\n',
        ),
        (
            'const char *s = R"(__global__ void k() {\n  CALL })";\n',
            'const char *s = R"(__global__ void k() {\n  CALL })";  // hipify: ignore[HIP101]\n',
        ),
    ],
)
def test_where_the_comment_goes(before: str, after: str) -> None:
    before, after = before.replace("CALL", CALL), after.replace("CALL", CALL)
    data = before.encode()
    finding = next(each for each in _found(data, "a.cu") if each.id == "HIP101")
    edit = _suppression(finding, data, "a.cu")
    assert edit is not None
    assert apply(data, [edit]).decode() == after
    assert "HIP101" not in [each.id for each in _found(after.encode(), "a.cu")]


def test_of_several_on_a_line_one_is_suppressed() -> None:
    text = _suppressed(f"void f() {{ {CALL} cudaUnheardOf(); }}\n")
    assert "ignore[HIP101]" in text
    assert "ignore[HIP101, HIP102]" in _suppressed(text)


def test_build_files_have_other_comments(tmp_path: Path) -> None:
    text = _suppressed("find_package(CUDA REQUIRED)\ncuda_compile_ptx(f a.cu)\n", str(tmp_path / "CMakeLists.txt"))
    assert "  # hipify: ignore[HIP6" in text


def test_a_failure_cannot_be_suppressed() -> None:
    (finding,) = _found(b"\xff\xfea\0", "a.cu")
    assert _suppression(finding, b"\xff\xfea\0", "a.cu") is None


CORPUS = Path(__file__).parents[2] / "corpus"


@pytest.mark.parametrize("folder", sorted(path.name for path in CORPUS.iterdir() if any(path.rglob("*.cu")))[::6])
def test_findings_of_real_programs(folder: str) -> None:
    for path in sorted((CORPUS / folder).rglob("*.cu")):
        data = path.read_bytes()
        before = hipify_py.translate(data, path=str(path)).findings
        for finding in before:
            edit = _suppression(finding, data, str(path))
            if edit is None:
                continue
            after = hipify_py.translate(apply(data, [edit]), path=str(path)).findings
            assert (finding.id, finding.fingerprint) not in [(each.id, each.fingerprint) for each in after], path
            assert _places(after) < _places(before)


def _places(findings: list[Finding]) -> int:
    return sum(len(occurrences(finding)) for finding in findings)
