"""Tables of the user's own: what they add and override, and what is said of wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options, translate
from hipify_py.catalog import TableError, Targeting

HEAD = "library: mine\ntitle: Ours\n"


def translated(source: str, *tables: Path) -> str:
    options = Options(targeting=Targeting(tables=tuple(map(str, tables))), implicit_runtime=False)
    return translate(source, path="a.cpp", options=options).output.decode()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(
        HEAD + "functions:\n  poolAlloc: hipPoolAlloc\n  cudaMalloc: {hip: poolMalloc, args: {'0': 'raw({})'}}\n"
        "  cudaFree: {unsupported: true, advice: Use poolFree.}\n"
        "headers:\n  our/gpu.h: our/amd.h\nnamespaces:\n  our::cuda: our::hip\n"
        "families:\n  - {prefix: gpuOld, unsupported: true, advice: Gone.}\n"
    )
    return path


def test_rows_are_added(table: Path) -> None:
    assert translated("void f() { poolAlloc(); }", table) == "void f() { hipPoolAlloc(); }"


def test_rows_win_over_the_shipped_ones(table: Path) -> None:
    assert translated("void f() { cudaMalloc(&p, 4); }", table) == "void f() { poolMalloc(raw(&p), 4); }"
    assert translated("void f() { cudaMalloc(&p, 4); }") == "void f() { hipMalloc(&p, 4); }"


def test_headers_and_namespaces(table: Path) -> None:
    assert (
        translated("#include <our/gpu.h>\nint x = our::cuda::f();", table)
        == "#include <our/amd.h>\nint x = our::hip::f();"
    )


def test_families_and_unsupported_rows_are_findings(table: Path) -> None:
    options = Options(targeting=Targeting(tables=(str(table),)))
    found = translate("void f() { gpuOldThing(); cudaFree(p); }", path="a.cpp", options=options).findings
    assert [(finding.id, finding.name) for finding in found] == [("HIP101", "gpuOldThing"), ("HIP101", "cudaFree")]


def test_a_later_table_wins(table: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(HEAD + "functions:\n  poolAlloc: otherAlloc\n")
    assert translated("void f() { poolAlloc(); }", table, other) == "void f() { otherAlloc(); }"
    assert translated("void f() { poolAlloc(); }", other, table) == "void f() { hipPoolAlloc(); }"


def test_a_changed_table_is_read_anew(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hipify_py.catalog import compiled

    assert "hipPoolAlloc" in translated("int x = poolAlloc();", table)
    table.write_text(HEAD + "functions:\n  poolAlloc: newerAlloc\n")
    monkeypatch.setattr(compiled, "_catalogs", {})
    assert "newerAlloc" in translated("int x = poolAlloc();", table)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 1, "mapping"),
        ("- a\n", 1, "mapping"),
        ("library: mine\n", 1, "title"),
        (HEAD + "functions:\n  a: b\n  c: {hipp: d}\n", 5, "hipp"),
        (HEAD + "functions:\n  a: {hip: b, before: {hip: c}}\n", 4, ""),
        (HEAD + "functions:\n  a: [\n", 5, "invalid YAML"),
        (HEAD + "functions:\n  a: b\n  a: c\n", 5, "twice"),
        (HEAD + "funktions:\n  a: b\n", 1, "funktions"),
        (HEAD + "functions: {a: &x [*x]}\n", 3, ""),
        ("[" * 500, 1, "nested deeper"),
        ("[" * 5000, 1, "nest"),  # newer libyaml refuses it in its own words
        ("- " * 20_000, 1, "nested deeper"),
        (HEAD + "x: !!python/object/apply:os.system [true]\n", 3, "invalid YAML"),
    ],
)
def test_a_wrong_table_is_refused_with_its_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    with pytest.raises(TableError) as error:
        translated("int x;\nvoid f() { cudaFree(p); }", path)
    first = str(error.value).splitlines()[0]
    assert first.startswith(f"{path}:{line}: "), first
    assert what in first


@pytest.mark.parametrize("data", [b"\xff\xfe\0\0", b"\0" * 100, b"library: \xe9\n"])
def test_a_table_in_no_utf8_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_bytes(data)
    with pytest.raises(TableError, match=r"wrong\.yaml"):
        translated("void f() { cudaFree(p); }", path)


def test_a_missing_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"missing\.yaml"):
        translated("void f() { cudaFree(p); }", tmp_path / "missing.yaml")


@pytest.mark.parametrize("row", ["0: c", "yes: c", "1.5: c", "a: {hip: b, args: {0: x}}", "null: c"])
def test_keys_that_are_no_text_are_refused_with_a_hint(tmp_path: Path, row: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(f"{HEAD}functions:\n  {row}\n")
    with pytest.raises(TableError, match=r"wrong\.yaml:4: .*YAML does not read this key as text"):
        translated("void f() { cudaFree(p); }", path)
