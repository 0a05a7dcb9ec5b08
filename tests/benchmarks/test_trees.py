"""What the benchmarks are made with: archives are read with care, and the tree of small files has each content once."""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path
from types import ModuleType

import pytest
import yaml

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def trees(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import trees

    return trees


def _archive(path: Path, members: dict[str, bytes], link: str = "") -> None:
    with tarfile.open(path, "w:gz") as tar:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
        if link:
            member = tarfile.TarInfo(link)
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(member)


def test_only_sources_within_the_tree_are_read(trees: ModuleType, tmp_path: Path) -> None:
    members = {
        "p-1/a/b.cu": b"one",
        "p-1/setup.py": b"no",
        "p-1/../../c.cu": b"no",
        "p-1/x/d.cu": b"no",
        "p-1/e.h": b"two",
    }
    _archive(tmp_path / "p.tar.gz", members, link="p-1/link.cu")
    found = {str(place): data for place, data in trees._sources(tmp_path / "p.tar.gz", "x/")}
    assert found == {"a/b.cu": b"one", "e.h": b"two"}


def test_another_archive_than_the_one_that_is_named_is_refused(
    trees: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _archive(tmp_path / "p.tar.gz", {"p-1/a.cu": b"one"})
    data = (tmp_path / "p.tar.gz").read_bytes()
    monkeypatch.setattr(trees, "_get", lambda name, version: data)
    with pytest.raises(trees.TreeError, match="checksum"):
        trees._distribution(tmp_path, "p", "1", "0" * 64)
    assert not (tmp_path / "p-1").exists()
    place = trees._distribution(tmp_path, "p", "1", hashlib.sha256(data).hexdigest())
    assert (place / "a.cu").read_bytes() == b"one"
    monkeypatch.delattr(trees, "_get")
    assert trees._distribution(tmp_path, "p", "1", "0" * 64) == place, "what is there is not fetched again"


def test_small_files_are_taken_once(trees: ModuleType, tmp_path: Path) -> None:
    parts = {"one": tmp_path / "one", "two": tmp_path / "two"}
    for name, part in parts.items():
        part.mkdir()
        (part / "same.cu").write_bytes(b"same")
        (part / "own.cuh").write_bytes(name.encode())
        (part / "large.cu").write_bytes(b"x" * 50_000)
        (part / "plain.cpp").write_bytes(b"plain")
    small = trees._small_files(tmp_path, parts)
    found = sorted(str(path.relative_to(small)) for path in small.rglob("*") if path.is_file())
    assert found == ["one/own.cuh", "one/same.cu", "two/own.cuh"]


def test_every_tree_has_a_version_and_a_checksum() -> None:
    listed = yaml.safe_load((FOLDER / "trees.yaml").read_text(encoding="utf-8"))
    for entry in (*listed["trees"].values(), *listed["small"].values()):
        assert isinstance(entry["version"], str)
        assert len(entry["sha256"]) == 64
