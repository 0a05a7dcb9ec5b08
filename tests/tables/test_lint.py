"""`hipify-py mappings lint`: what it finds in tables that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.catalog.lint import lint

HEAD = "library: mine\ntitle: Mine\n"


def flaws(tmp_path: Path, text: str, *, fix: bool = False) -> list[str]:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return [str(flaw).replace(str(tmp_path), "") for flaw in lint([path], fix=fix)]


def test_a_good_table_has_no_flaw(tmp_path: Path) -> None:
    assert (
        flaws(tmp_path, HEAD + "\nfunctions:\n  a: b\n  c: {unsupported: true, advice: There is no such thing.}\n")
        == []
    )


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("library: mine\n", 1, "title"),
        (HEAD + "functions:\n  a: {hips: b}\n", 4, "hips"),
        (HEAD + "functions:\n  a: {hip: 3}\n", 4, "hip of a: 3 is not of type 'string'"),
        (HEAD + "functions:\n  a: b\n  a: c\n", 5, "a appears twice"),
        (HEAD + "functions: [\n", 4, "invalid YAML"),
        (HEAD + "\nfunctions:\n  a: {note: nothing else}\n", 5, "this one has none"),
        (HEAD + "\nfunctions:\n  a: {hip: b, unsupported: true, advice: x}\n", 5, "this one has hip, unsupported"),
        (HEAD + "\nfunctions:\n  a: {unsupported: true}\n", 5, "needs advice"),
        (HEAD + "\nfunctions:\n  a: cudaMalloc\n", 5, "cudaMalloc is a CUDA name"),
        (HEAD + "\nfunctions:\n  a: {hip: b, roc: {hip: cublasX}}\n", 5, "cublasX is a CUDA name"),
        (HEAD + "\nfunctions:\n  a: {hip: b, args: {'0': 'x({'}}\n", 5, "is not a wrap"),
        (HEAD + "\nfunctions:\n  a: {hip: b, by_arity: {'2': {args: {'0': 'x('}}}}\n", 5, "is not a wrap"),
        (HEAD + "\nfunctions:\n  a: {hip: b, order: [0, 0]}\n", 5, "twice"),
        (HEAD + "\nfunctions:\n  a: {hip: b, args: {'99': x}}\n", 5, "no function has"),
        (HEAD + "\nfunctions:\n  a: {hip: b, differs: it does, agrees: it does}\n", 5, "cannot both"),
        (HEAD + "\nfunctions:\n  a: {hip: b, before: {hip: c}}\n", 5, ""),
        (HEAD + "\nfunctions:\n  b: c\n  a: b\n", 5, "canonical form"),
        (HEAD + "\nfunctions:\n  a: b\n\ntypes:\n  a: b\n", 5, "two sections"),
    ],
)
def test_a_flaw_is_found_at_its_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    found = flaws(tmp_path, text)
    assert any(flaw.startswith(f"/mine.yaml:{line}: ") and what in flaw for flaw in found), found


def test_a_symbol_of_two_tables_is_found(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(f"library: {name}\ntitle: T\n\nfunctions:\n  a: b\n")
    assert [flaw.what for flaw in lint([tmp_path / "one.yaml", tmp_path / "two.yaml"])] == ["a is also in one.yaml"]


def test_a_table_that_overrides_another_may_have_its_symbols(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("library: one\ntitle: T\n\nfunctions:\n  a: b\n")
    (tmp_path / "two.yaml").write_text("library: two\ntitle: T\noverrides: one\n\nfunctions:\n  a: c\n")
    assert list(lint([tmp_path / "one.yaml", tmp_path / "two.yaml"])) == []


def test_fix_writes_the_canonical_form(tmp_path: Path) -> None:
    assert flaws(tmp_path, HEAD + "functions:\n  b: {hip: c}\n  a: b\n", fix=True) == []
    assert (tmp_path / "mine.yaml").read_text() == HEAD + "\nfunctions:\n  a: b\n  b: c\n"


def test_fix_leaves_a_table_that_is_wrong(tmp_path: Path) -> None:
    text = HEAD + "functions:\n  b: {hips: c}\n  a: b\n"
    assert flaws(tmp_path, text, fix=True)
    assert (tmp_path / "mine.yaml").read_text() == text
