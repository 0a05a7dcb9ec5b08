"""The compiled catalog's cache: written, used, rebuilt when stale, and never needed."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py.catalog import Row, TableError, compiled, load_catalog, packing
from hipify_py.catalog.packing import compile_tables

SOURCE = "from hipify_py import translate; print(translate(b'cudaStream_t s;', path='a.h').output.decode())"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder that is not there yet, and a process that has loaded no catalog."""
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compiled, "_catalogs", {})
    return tmp_path / "cache"


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small folder of tables in the place of the shipped ones."""
    folder = tmp_path / "mappings"
    folder.mkdir()
    (folder / "runtime.yaml").write_text("library: runtime\nprefixes: [cuda]\nfunctions:\n  cudaFree: hipFree\n")
    monkeypatch.setattr(compiled, "mappings_dir", lambda: str(folder))
    return folder


def _target(name: bytes) -> str | None:
    compiled._catalogs.clear()
    row = load_catalog().row(name)
    return None if row is None else row.hip


def test_the_cache_is_written_and_used(cache: Path, tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _target(b"cudaFree") == "hipFree"
    assert [path.suffix for path in cache.iterdir()] == [".bin"]
    monkeypatch.setattr(packing, "compile_tables", lambda folder: pytest.fail("compiled again"))
    assert _target(b"cudaFree") == "hipFree"


def test_a_stale_cache_is_rebuilt(cache: Path, tables: Path) -> None:
    assert _target(b"cudaFree") == "hipFree"
    (tables / "runtime.yaml").write_text("library: runtime\nfunctions:\n  cudaFree: hipRelease\n")
    assert _target(b"cudaFree") == "hipRelease"


def test_a_new_and_a_removed_table_make_the_cache_stale(cache: Path, tables: Path) -> None:
    assert _target(b"fooBar") is None
    (tables / "foo.yaml").write_text("library: foo\nfunctions:\n  fooBar: hipBar\n")
    assert _target(b"fooBar") == "hipBar"
    (tables / "foo.yaml").unlink()
    assert _target(b"fooBar") is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0",
        b"not marshal at all",
        marshal.dumps(3),
        marshal.dumps({}),
        marshal.dumps([1, 2]),
        b"\xfb" * 100,
        None,
    ],
)
def test_a_corrupt_cache_is_survived_and_replaced(cache: Path, tables: Path, content: bytes | None) -> None:
    assert _target(b"cudaFree") == "hipFree"
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if content is None else content)
    assert _target(b"cudaFree") == "hipFree"
    assert file.read_bytes() == whole


def test_a_cache_folder_that_cannot_be_written_is_survived(tmp_path: Path) -> None:
    """A file stands where the folder should be: this stops root as well."""
    blocker = tmp_path / "file"
    blocker.write_text("")
    for folder in (blocker, blocker / "below", "/proc/no-such-folder"):
        environment = {**os.environ, "HIPIFY_PY_CACHE_DIR": str(folder)}
        run = subprocess.run(
            [sys.executable, "-c", SOURCE], check=False, env=environment, capture_output=True, text=True, timeout=1800
        )
        assert (run.returncode, run.stdout.strip()) == (0, "hipStream_t s;"), run.stderr


def test_a_read_only_cache_folder_is_survived(tmp_path: Path) -> None:
    if not hasattr(os, "geteuid") or os.geteuid() == 0:
        pytest.skip("root writes to read-only folders; the test above holds the same for it")
    tmp_path.chmod(0o500)
    environment = {**os.environ, "HIPIFY_PY_CACHE_DIR": str(tmp_path / "cache")}
    run = subprocess.run(
        [sys.executable, "-c", SOURCE], check=False, env=environment, capture_output=True, text=True, timeout=1800
    )
    tmp_path.chmod(0o700)
    assert (run.returncode, run.stdout.strip()) == (0, "hipStream_t s;"), run.stderr


def test_processes_that_start_together_agree(tmp_path: Path) -> None:
    environment = {**os.environ, "HIPIFY_PY_CACHE_DIR": str(tmp_path / "cache")}
    runs = [
        subprocess.Popen([sys.executable, "-c", SOURCE], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [run.communicate(timeout=1800)[0].strip() for run in runs] == ["hipStream_t s;"] * 3
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".bin"]


def test_a_cached_catalog_is_not_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    load_catalog()

    def refuse(folder: str) -> dict[str, object]:
        raise AssertionError(f"{folder} was compiled again")

    monkeypatch.setattr(packing, "compile_tables", refuse)
    catalog = compiled._load()
    assert len(catalog.names) > 10_000
    assert catalog.row(b"cudaMemcpyToSymbol").details["args"] == {"0": "HIP_SYMBOL({})"}  # type: ignore[union-attr]


def test_the_catalog_is_loaded_once_a_process() -> None:
    assert load_catalog() is load_catalog()


# -- compiling


def test_a_symbol_in_two_tables_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("library: a\nfunctions: {cudaFree: hipFree}\n")
    (tmp_path / "b.yaml").write_text("library: b\nfunctions: {cudaFree: hipFree}\n")
    with pytest.raises(TableError, match=r"b\.yaml.*cudaFree.*two tables"):
        compile_tables(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("- a\n", "library"),
        ("functions: {}\n", "library"),
        ("library: a\nfunctions: [b]\n", "not a mapping"),
        ("library: a\nfunctions: {b: 3}\n", "b"),
        ("library: a\nfunctions: {b: {note: c}}\n", "neither `hip` nor `unsupported`"),
        ("library: [\n", "a.yaml"),
    ],
)
def test_a_wrong_table_is_refused_with_its_name(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(TableError, match=r"a\.yaml") as caught:
        compile_tables(str(tmp_path))
    assert complaint in str(caught.value)


def test_compiling_is_the_same_each_time() -> None:
    folder = compiled.mappings_dir()
    assert compile_tables(folder) == compile_tables(folder)


def test_rows_survive_being_packed(tmp_path: Path) -> None:
    from hipify_py.catalog import Catalog

    (tmp_path / "a.yaml").write_text(
        "library: a\n"
        "functions:\n"
        "  aPlain: hipPlain\n"
        "  aSame: aSame\n"
        '  aLong: {hip: hipLong, args: {0: "W({})"}, note: why}\n'
        "  aGone: {unsupported: true, advice: do without}\n"
        "headers:\n"
        "  a/b.h: hip/b.h\n"
        "  a/c.h: {drop: true}\n"
        "members:\n"
        "  aStruct: {x: hipX, y: {unsupported: true}}\n"
    )
    catalog = Catalog(compile_tables(str(tmp_path)))
    assert _fields(catalog.row(b"aPlain")) == ("aPlain", "a", "function", "hipPlain", {})
    assert catalog.row(b"aSame").is_native  # type: ignore[union-attr]
    long = catalog.row(b"aLong")
    assert long is not None
    assert (long.hip, long.note, long.edits_arguments) == ("hipLong", "why", True)
    gone = catalog.row(b"aGone")
    assert gone is not None
    assert (gone.hip, gone.is_unsupported, gone.advice) == (None, True, "do without")
    assert _fields(catalog.row(b"a/b.h"))[2:4] == ("header", "hip/b.h")
    dropped = catalog.row(b"a/c.h")
    assert dropped is not None
    assert not dropped.is_unsupported
    assert catalog.member(b"aStruct", b"x").hip == "hipX"  # type: ignore[union-attr]
    assert catalog.member(b"aStruct", b"y").is_unsupported  # type: ignore[union-attr]
    assert catalog.member(b"aStruct", b"z") is None
    assert len(catalog) == len(list(catalog.rows())) == 8


def _fields(row: Row | None) -> tuple[object, ...]:
    assert row is not None
    return row.name, row.library, row.kind, row.hip, dict(row.details)
