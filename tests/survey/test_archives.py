"""Archives that nobody has vouched for are unpacked within a folder, or are refused."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from hipify_py.survey.child import BadArchive, Limits, unpack

SOURCE = b"void f(float *p) { cudaFree(p); }\n"


def tar(path: Path, members: list[tuple[str, bytes | tarfile.TarInfo]]) -> str:
    with tarfile.open(path, "w:gz") as archive:
        for name, what in members:
            if isinstance(what, bytes):
                member = tarfile.TarInfo(name)
                member.size = len(what)
                archive.addfile(member, io.BytesIO(what))
            else:
                archive.addfile(what)
    return str(path)


def special(name: str, kind: bytes, leads_to: str = "") -> tuple[str, tarfile.TarInfo]:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, leads_to
    return name, member


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "deep" / "folder"
    made.mkdir(parents=True)
    return made


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()}


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz", ""])
def test_tar_archives(tmp_path: Path, folder: Path, ending: str) -> None:
    path = tmp_path / f"a.tar{'.' if ending else ''}{ending}"
    with tarfile.open(path, f"w:{ending}") as archive:  # type: ignore[call-overload]
        member = tarfile.TarInfo("a-1.0/src/a.cu")
        member.size = len(SOURCE)
        archive.addfile(member, io.BytesIO(SOURCE))
    assert unpack(str(path), str(folder)) == 0
    assert (folder / "a-1.0/src/a.cu").read_bytes() == SOURCE


def test_links_within_are_made_and_those_that_lead_out_are_left_out(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "secret.cu").write_bytes(b"secret")
    path = tar(
        tmp_path / "a.tar.gz",
        [
            special("early.cu", tarfile.SYMTYPE, "src/a.cu"),
            ("src/a.cu", SOURCE),
            special("same.cu", tarfile.LNKTYPE, "src/a.cu"),
            special("src/up.cu", tarfile.SYMTYPE, "../../../secret.cu"),
            special("absolute.cu", tarfile.SYMTYPE, str(tmp_path / "secret.cu")),
            special("hard.cu", tarfile.LNKTYPE, "../../secret.cu"),
            special("nowhere.cu", tarfile.SYMTYPE, "none.cu"),
            special("way", tarfile.SYMTYPE, ".."),
            special("chain.cu", tarfile.SYMTYPE, "early.cu"),
        ],
    )
    assert unpack(path, str(folder)) == 6
    assert names(folder) == {"src/a.cu", "early.cu", "same.cu"}
    assert (folder / "early.cu").read_bytes() == SOURCE


def test_nothing_is_written_through_a_link(tmp_path: Path, folder: Path) -> None:
    path = tar(
        tmp_path / "a.tar.gz",
        [special("out", tarfile.SYMTYPE, "../.."), ("out/planted.cu", SOURCE), special("b", tarfile.SYMTYPE, "out")],
    )
    unpack(path, str(folder))
    assert not (tmp_path / "planted.cu").exists()
    assert (folder / "out" / "planted.cu").read_bytes() == SOURCE


@pytest.mark.parametrize("name", ["../a.cu", "x/../../../a.cu", "../folder2/a.cu"])
def test_a_file_that_would_be_outside(tmp_path: Path, folder: Path, name: str) -> None:
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    path = tar(tmp_path / "a.tar.gz", [("fine.cu", SOURCE), (name, SOURCE)])
    with pytest.raises(BadArchive, match="hostile"):
        unpack(path, str(folder))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(name, SOURCE)
    with pytest.raises(BadArchive, match="hostile"):
        unpack(str(tmp_path / "a.zip"), str(folder))
    after = {path for path in tmp_path.rglob("*") if path.is_file()} - before
    assert after == {folder / "fine.cu", tmp_path / "a.tar.gz", tmp_path / "a.zip"}


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_devices_and_pipes(tmp_path: Path, folder: Path, kind: bytes) -> None:
    with pytest.raises(BadArchive, match="hostile"):
        unpack(tar(tmp_path / "a.tar.gz", [special("dev", kind)]), str(folder))
    assert names(folder) == set()


def test_bombs(tmp_path: Path, folder: Path) -> None:
    large = tar(tmp_path / "large.tar.gz", [(f"{number}.cu", bytes(1000)) for number in range(20)])
    with pytest.raises(BadArchive, match="more than 5,000 bytes"):
        unpack(large, str(folder), Limits(bytes=5000))
    many = tar(tmp_path / "many.tar.gz", [(f"m{number}.cu", b"") for number in range(20)])
    with pytest.raises(BadArchive, match="more than 7 files"):
        unpack(many, str(folder), Limits(members=7))
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.cu", bytes(3_000_000))
    with pytest.raises(BadArchive, match="more than 1,000,000 bytes"):
        unpack(str(tmp_path / "bomb.zip"), str(folder), Limits(bytes=1_000_000))
    assert not (folder / "a.cu").exists()


def test_a_zip_that_lies_about_its_sizes(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.cu", bytes(3_000_000))
    data = path.read_bytes()
    path.write_bytes(data.replace((3_000_000).to_bytes(4, "little"), (1000).to_bytes(4, "little")))
    with pytest.raises(BadArchive, match="cannot be read"):
        unpack(str(path), str(folder), Limits(bytes=1_000_000))
    assert (folder / "a.cu").stat().st_size <= 1000


def test_a_link_in_a_zip_is_left_out(tmp_path: Path, folder: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        link = zipfile.ZipInfo("link.cu")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("sub/a.cu", SOURCE)
    assert unpack(str(tmp_path / "a.zip"), str(folder)) == 1
    assert names(folder) == {"sub/a.cu"}


@pytest.mark.parametrize("name", ["a.tar.gz", "a.tar.xz", "a.tar", "a.zip"])
@pytest.mark.parametrize("data", [b"", b"nonsense" * 1000, b"\x1f\x8b\x08\x00", b"PK\x03\x04" + bytes(40)])
def test_what_is_no_archive(tmp_path: Path, folder: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadArchive, match="cannot be read"):
        unpack(str(tmp_path / name), str(folder))


def test_archives_that_are_cut_off(tmp_path: Path, folder: Path) -> None:
    whole = Path(tar(tmp_path / "a.tar.gz", [("a.cu", SOURCE * 1000)])).read_bytes()
    (tmp_path / "b.tar.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadArchive, match="cannot be read"):
        unpack(str(tmp_path / "b.tar.gz"), str(folder))
