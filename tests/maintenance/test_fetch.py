"""Members of a remote archive: which of them are read together, and what comes out."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from hipify_py.maintenance.fetch import FetchError, HeaderSet, fetch, header_sets, is_complete, runs, unpack

MEMBERS = {"x/include/a.h": b"int a;\n" * 100, "x/lib/big.so": bytes(200_000), "x/include/b.h": b"int b;\n"}


@pytest.fixture
def archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in MEMBERS.items():
            kind = zipfile.ZIP_STORED if name.endswith(".so") else zipfile.ZIP_DEFLATED
            file.writestr(name, content, kind)
    return buffer.getvalue()


def members(archive: bytes) -> list[zipfile.ZipInfo]:
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return file.infolist()


def test_neighbours_are_read_in_one_run(archive: bytes) -> None:
    everything = members(archive)
    assert [[m.filename for m in run] for run in runs(everything)] == [list(MEMBERS)]
    headers = [member for member in everything if member.filename.endswith(".h")]
    assert [[m.filename for m in run] for run in runs(headers)] == [["x/include/a.h"], ["x/include/b.h"]]


def test_members_come_out_as_they_went_in(archive: bytes) -> None:
    for run in runs(members(archive)):
        start = run[0].header_offset
        for member in run:
            assert unpack(member, archive[start:], start) == MEMBERS[member.filename]


def test_a_damaged_archive_is_an_error(archive: bytes) -> None:
    member = members(archive)[1]
    with pytest.raises(FetchError, match=r"big\.so: the archive is damaged"):
        unpack(member, bytes(len(archive)), 0)
    spoilt = archive[: member.header_offset + 500] + b"x" + archive[member.header_offset + 501 :]
    with pytest.raises(FetchError, match="damaged"):
        unpack(member, spoilt, 0)


def test_the_sets_are_described_whole() -> None:
    sets = header_sets()
    assert {header_set.side for header_set in sets} == {"cuda", "rocm"}
    assert all(fields.get("version") for header_set in sets for fields in header_set.wheels.values())
    with pytest.raises(FetchError, match="no header set is called nowhere-1"):
        header_sets(("nowhere-1",))


def test_a_complete_set_is_left_alone(tmp_path: Path) -> None:
    header_set = HeaderSet("mine-1", "cuda", "1", {"project": {"version": "1.0"}})
    assert not is_complete(header_set, tmp_path)
    (tmp_path / ".complete").write_text(repr([("project", [("version", "1.0")])]))
    assert is_complete(header_set, tmp_path)
    assert list(fetch(header_set, tmp_path)) == []
    assert not is_complete(header_set._replace(wheels={"project": {"version": "2.0"}}), tmp_path)
