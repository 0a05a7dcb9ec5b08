"""Edits that overlap cost the statement that they stand in, never the file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hipify_py import translate
from hipify_py.core.edits import CompositeEdit, Edit, Move, apply, replaced
from hipify_py.core.translation import UNSUPPORTED, Translation
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Rule
from hipify_py.rules.registry import rules_for
from hipify_py.translator import passes

SOURCE = """void f(void *p) {
  cudaFree(p);
  cudaStreamSynchronize(broken(p));
  cudaFree(p);
}
"""


class Contradicting(Rule):
    """Replaces each range of bytes, whatever else is done there."""

    def __init__(self, *made: tuple[str, CompositeEdit | str]) -> None:
        self._made = made

    def apply(self, unit: Unit) -> Iterator[Edit | CompositeEdit]:
        for text, edit in self._made:
            start = unit.source.data.find(text.encode())
            yield Edit(start, start + len(text), edit.encode()) if isinstance(edit, str) else edit


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def with_rule(source: str, *made: tuple[str, CompositeEdit | str]) -> Translation:
        monkeypatch.setattr(passes, "rules_for", lambda unit: [*rules_for(unit), Contradicting(*made)])
        return translate(source, path="a.h")

    return with_rule


def check(result: Translation, source: str, output: str) -> None:
    assert result.output.decode() == output
    assert apply(source.encode(), result.edits) == result.output
    assert [finding.id for finding in result.findings if finding.severity == "error"] == ["HIP909"]


@pytest.mark.parametrize(
    "made",
    [
        [("cudaStreamSynchronize(", "x(")],
        [("Stream", "")],
        [("broken(p", "q"), ("p))", "r))")],
        [("(broken", "[broken"), ("broken(p)", "y"), ("cudaStreamS", "S")],
        [("", replaced(SOURCE.index("eam"), SOURCE.index("broken"), b"?"))],
    ],
)
def test_a_statement_stays_and_the_others_are_translated(translated, made) -> None:  # type: ignore[no-untyped-def]
    result = translated(SOURCE, *made)
    check(result, SOURCE, SOURCE.replace("cudaFree", "hipFree"))
    left = [reference for reference in result.references if reference.name == "cudaStreamSynchronize"]
    assert [reference.outcome for reference in left] == [UNSUPPORTED]


def test_moves_that_belong_together_are_left_together(translated) -> None:  # type: ignore[no-untyped-def]
    first, last = SOURCE.index("eam"), SOURCE.rindex("}")
    result = translated(SOURCE, ("", CompositeEdit((Move(first, first + 9, ()), Move(last, last, (b"?",))))))
    check(result, SOURCE, SOURCE.replace("cudaFree", "hipFree", 1))


def test_a_macro_is_left_as_a_whole(translated) -> None:  # type: ignore[no-untyped-def]
    source = "#define A(p) do { cudaFree(p); \\\n  cudaFreeHost(p); } while (0)\n#define B(p) cudaFree(p)\n"
    result = translated(source, ("FreeHost(", "("))
    check(result, source, source.replace("B(p) cudaFree", "B(p) hipFree"))


def test_brackets_in_comments_and_strings_bound_no_statement(translated) -> None:  # type: ignore[no-untyped-def]
    source = 'void f(char *p) { cudaFree(p); g("};", cudaStreamQuery(p /* ; */), cudaEventQuery(p)); cudaFree(p); }\n'
    result = translated(source, ("StreamQuery", "Q"))
    check(result, source, source.replace("cudaFree", "hipFree"))


def test_edits_within_a_composite_are_settled_too(translated) -> None:  # type: ignore[no-untyped-def]
    source = "void f() { cudaMemcpyToSymbol(table, cudaStreamPerThread, 4); cudaDeviceSynchronize(); }\n"
    result = translated(source, ("StreamPer", "?"))
    check(result, source, source.replace("cudaDevice", "hipDevice"))


def test_many_contradictions_leave_the_file(translated) -> None:  # type: ignore[no-untyped-def]
    source = "void f(void *p) {\n" + "  cudaFree(p);\n" * 150 + "}\n"
    made = [
        ("", replaced(start + 2, start + 6, b"?")) for start in range(source.index("cudaFree"), len(source) - 2, 15)
    ]
    result = translated(source, *made)
    assert result.output.decode() == source
    assert result.findings[-1].message.startswith("two rules change the same text here: the whole file")


def test_statements_are_left_one_by_one(translated) -> None:  # type: ignore[no-untyped-def]
    source = "void f(void *p) {\n  cudaFree(p);\n  cudaFreeHost(p);\n  cudaFreeArray(p);\n}\n"
    result = translated(source, ("cudaFreeH", ""), ("cudaFree(", "("))
    assert result.output.decode() == source.replace("cudaFreeArray", "hipFreeArray")
    assert [finding.line for finding in result.findings if finding.id == "HIP909"] == [2, 3]
