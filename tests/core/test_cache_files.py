"""Files of the cache folder: trusted only when they are whole and the user's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify_py.core.cache_files import read_file, write_file

BODY = bytes(range(256)) * 64


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "kept.bin"
    write_file(str(path), BODY)
    return path


def test_what_was_stored_comes_back(stored: Path) -> None:
    assert read_file(str(stored)) == BODY


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


@pytest.mark.parametrize("harm", [_empty, _cut_off, _cut_in_the_head, _spoil, Path.unlink, _make_a_folder])
def test_what_is_damaged_or_missing_is_not_there(stored: Path, harm: object) -> None:
    assert callable(harm)
    harm(stored)
    assert read_file(str(stored)) is None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of another kind")
def test_what_others_may_write_and_links_are_not_trusted(stored: Path) -> None:
    link = stored.with_name("link.bin")
    link.symlink_to(stored)
    assert read_file(str(link)) is None
    stored.chmod(0o666)
    assert read_file(str(stored)) is None
