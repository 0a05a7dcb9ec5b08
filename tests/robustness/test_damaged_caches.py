"""A cache of compiled tables that is damaged, foreign or shared costs time, never a wrong result."""

from __future__ import annotations

import os
import random
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py.catalog import cache, compiled, load_catalog, packing

REPOSITORY = Path(__file__).resolve().parents[2]
SMALL = "library: runtime\nfunctions:\n  cudaFree: hipFree\n  cudaCopy: {hip: hipCopy, args: {0: 'W({})'}, note: why}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of a process that has small tables, and that has not loaded them yet."""
    tables = tmp_path / "mappings"
    tables.mkdir()
    (tables / "runtime.yaml").write_text(SMALL)
    monkeypatch.setattr(compiled, "mappings_dir", lambda: str(tables))
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compiled, "_catalogs", {})
    assert is_right()
    return tmp_path / "cache"


def is_right() -> bool:
    """A new process would find what the tables say."""
    compiled._catalogs.clear()
    row = load_catalog().row(b"cudaCopy")
    return row is not None and (row.hip, row.note, row.edits_arguments) == ("hipCopy", "why", True)


def is_used(monkeypatch: pytest.MonkeyPatch) -> bool:
    """The tables come from the cache."""
    calls: list[str] = []
    compile_tables = packing.compile_tables
    with monkeypatch.context() as patch:
        patch.setattr(packing, "compile_tables", lambda folder: calls.append(folder) or compile_tables(folder))
        assert is_right()
    return not calls


def the_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_every_flipped_byte_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = the_file(folder).read_bytes()
    draw = random.Random(1)
    for place in [0, 7, 8, 11, 12, 13, *(draw.randrange(len(whole)) for _ in range(16)), len(whole) - 1]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << draw.randrange(8)
        the_file(folder).write_bytes(damaged)
        assert not is_used(monkeypatch)
        assert the_file(folder).read_bytes() == whole
    assert is_used(monkeypatch)


def test_every_missing_end_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = the_file(folder).read_bytes()
    for length in [0, 1, 8, 11, 12, 13, *range(20, len(whole), len(whole) // 8), len(whole) - 1]:
        the_file(folder).write_bytes(whole[:length])
        assert not is_used(monkeypatch)
        assert the_file(folder).read_bytes() == whole


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="NOT TESTED: this system has no owners and modes of files")
def test_what_others_may_write_is_not_trusted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for mode in (0o620, 0o602, 0o666):
        the_file(folder).chmod(mode)
        assert not is_used(monkeypatch)
        assert stat.S_IMODE(the_file(folder).stat().st_mode) == 0o600
        assert is_used(monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 12345)  # as if the file belonged to another user
        assert not is_used(monkeypatch)


def test_links_and_pipes_in_its_place_are_not_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = the_file(folder)
    elsewhere = tmp_path / "elsewhere"
    shutil.move(file, elsewhere)
    file.symlink_to(elsewhere)
    assert not is_used(monkeypatch)
    assert not file.is_symlink()
    file.unlink()
    os.mkfifo(file)
    assert not is_used(monkeypatch)
    assert file.is_file()
    file.unlink()
    file.mkdir()
    assert not is_used(monkeypatch)  # and a folder cannot be replaced
    assert [path.name for path in folder.iterdir()] == [file.name]


def test_two_installations_share_a_folder(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    shutil.copytree(tmp_path / "mappings", other)
    installations = [(str(place), version) for place in (tmp_path / "mappings", other) for version in ("1", "2")]
    for is_first in (True, False):
        for place, version in installations:
            monkeypatch.setattr(compiled, "mappings_dir", lambda place=place: place)
            monkeypatch.setattr("hipify_py.catalog.cache.VERSION", version)
            assert is_used(monkeypatch) is not is_first
    assert len(list(folder.iterdir())) == 1 + len(installations)


def test_the_folder_keeps_the_newest_and_no_leftovers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(40):
        cache.write_cache(f"old-{number}.bin", b"x")
        os.utime(folder / f"old-{number}.bin", (number, number))
    for name, age in (("killed.bin.x.new", 1e6), ("running.bin.y.new", 0)):
        (folder / name).write_bytes(b"")
        if age:
            os.utime(folder / name, (1, 1))
    cache.write_cache("last.bin", b"x")
    names = {path.name for path in folder.iterdir()}
    assert "killed.bin.x.new" not in names
    assert {"running.bin.y.new", "last.bin", "old-39.bin", the_catalog(folder)} <= names
    assert len(names) == 25


def the_catalog(folder: Path) -> str:
    (file,) = folder.glob("catalog-*")
    return file.name


def test_a_temporary_file_cannot_be_foreseen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda one, two: names.append(str(one)) or replace(one, two))
    for _ in range(3):
        cache.write_cache("a.bin", b"x")
    assert len(set(names)) == 3
    assert not any(str(os.getpid()) in Path(name).name for name in names)


def test_the_command_survives_a_damaged_folder(tmp_path: Path) -> None:
    """The shipped tables, from a process of its own: details flipped far behind the index."""
    code = "from hipify_py import translate; print(translate(b'void f() { cudaMemcpyToSymbol(a, b, 4); }').output.decode())"

    def run() -> str:
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "HIPIFY_PY_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    good = run()
    assert "hipMemcpyToSymbol(HIP_SYMBOL(a), b, 4)" in good
    (file,) = (tmp_path / "cache").glob("catalog-*")
    whole = file.read_bytes()
    for damaged in (whole[:-1000], whole[: len(whole) // 2], whole[:-5000] + bytes(5000), b""):
        file.write_bytes(damaged)
        assert run() == good
        assert file.read_bytes() == whole
