"""Files of the cache folder that are mapped: trusted, and given back, as those that are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hipify_py.cache_files import map_file, map_files, write_file
from hipify_py.catalog import load_catalog
from hipify_py.catalog.compiled import _load

BODY = bytes(range(256)) * 64


@pytest.fixture(params=[False, True], ids=["read", "mapped"])
def is_mapped(request: pytest.FixtureRequest) -> Iterator[bool]:
    map_files(request.param)
    yield request.param
    map_files(False)


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "kept.bin"
    write_file(str(path), BODY)
    return path


def test_what_was_stored_comes_back(stored: Path, is_mapped: bool) -> None:
    found = map_file(str(stored))
    assert found == BODY
    assert isinstance(found, memoryview) is (is_mapped and sys.platform != "win32")


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _cut_in_the_head(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5])


def _spoil(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-9] ^= 1
    path.write_bytes(data)


def _make_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.usefixtures("is_mapped")
@pytest.mark.parametrize("harm", [_empty, _cut_off, _cut_in_the_head, _spoil, Path.unlink, _make_a_folder])
def test_what_is_damaged_or_missing_is_not_there(stored: Path, harm: object) -> None:
    assert callable(harm)
    harm(stored)
    assert map_file(str(stored)) is None


@pytest.mark.usefixtures("is_mapped")
@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of another kind")
def test_what_others_may_write_and_links_are_not_trusted(stored: Path) -> None:
    link = stored.with_name("link.bin")
    link.symlink_to(stored)
    assert map_file(str(link)) is None
    stored.chmod(0o666)
    assert map_file(str(stored)) is None


@pytest.mark.usefixtures("is_mapped")
def test_tables_are_the_same_either_way() -> None:
    load_catalog()  # compiles them
    found = _load()
    assert {
        name: row.hip for name in (b"cudaMalloc", b"cublasSgemm", b"cudaMemcpyToSymbol") if (row := found.row(name))
    } == {
        b"cudaMalloc": "hipMalloc",
        b"cublasSgemm": "hipblasSgemm",
        b"cudaMemcpyToSymbol": "hipMemcpyToSymbol",
    }
    assert found.row(b"no_such_name") is None
    assert found.names == load_catalog().names
