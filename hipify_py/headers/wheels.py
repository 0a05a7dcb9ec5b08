"""Reads single members out of wheels on a package index, by parts of the file: never whole wheels.

What an index answers is not trusted: names lead nowhere outside of a set, and nothing unpacks to more than it may.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any, Protocol

LARGEST_MEMBER = 32 << 20
LARGEST_WHEEL = 256 << 20
"""Bytes that a member, and all that is taken of a wheel, may unpack to."""

_LOCAL_HEADER = 30
_LARGEST_GAP = 1 << 16
_LARGEST_RUN = 8 << 20
_STORED, _DEFLATED = 0, 8
_LICENCE = re.compile(r"[^/]+\.dist-info/(?:licenses/)?(?:[^/]*/)*(?:LICEN[CS]E|License|COPYING|NOTICE)[^/]*", re.ASCII)
_ACCOUNT = re.compile(r"//[^/@\s]+@")
_CHUNK = 1 << 16

NO_PARTS = "the index does not serve parts of files, and whole wheels are too large; name another with --index-url"


class FetchError(RuntimeError):
    """A wheel or the index could not be read; the message says which."""


class Member(Protocol):
    """What is used of a `zipfile.ZipInfo`."""

    filename: str
    header_offset: int
    compress_size: int
    file_size: int
    compress_type: int
    CRC: int


def read_wheel(session: Any, url: str, keep: str) -> dict[str, bytes]:
    """By their places in a set, the members of a wheel whose names `keep` fits, and the wheel's licences.

    Raises:
        FetchError: when the wheel cannot be read, or is not as it should be.
    """
    from zipfile import BadZipFile

    from remotezip import RemoteZip, RemoteZipError
    from requests import RequestException

    try:
        with RemoteZip(url, initial_buffer_size=1 << 18, session=session) as wheel:
            everything = [member for member in wheel.infolist() if not member.is_dir()]
        members = [member for member in everything if re.search(keep, member.filename)]
        if not members:
            raise FetchError(f"the wheel has nothing that matches {keep}")
        members += [member for member in everything if _LICENCE.fullmatch(member.filename)]
        _check(members)
        found = {}
        for run in runs(members):
            data = _read_range(session, url, run[0].header_offset, _end(run[-1]))
            for member in run:
                found[place_of(member.filename)] = unpack(member, data, run[0].header_offset)
    except (RemoteZipError, RequestException, BadZipFile, OSError, zlib.error, ValueError) as error:
        raise FetchError(reason_of(error)) from error
    return found


def reason_of(error: Exception) -> str:
    """An error of a request in one line, without the passwords that addresses may hold."""
    import requests
    from remotezip import RangeNotSupported, RemoteIOError

    if isinstance(error, RangeNotSupported):
        return NO_PARTS
    if isinstance(error, RemoteIOError) and isinstance(error.__context__, Exception):
        return reason_of(error.__context__)
    if isinstance(error, requests.exceptions.ProxyError):
        return "the proxy cannot be reached"
    if isinstance(error, requests.exceptions.SSLError):
        return "its certificate is not trusted"
    if isinstance(error, requests.exceptions.Timeout):
        return "it does not answer in time"
    if isinstance(error, requests.ConnectionError):
        return "there is no connection"
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"it answers {error.response.status_code} {error.response.reason}"
    return _ACCOUNT.sub("//", str(error)) or type(error).__name__


def place_of(member: str) -> str:
    """A member's place in the set: below the first `include/`, its file name for declarations of bindings or licences.

    Raises:
        FetchError: for a name that leads out of the wheel.
    """
    path = PurePosixPath(member)
    if ".." in path.parts or path.is_absolute() or "\\" in member or ":" in member or "\0" in member:
        raise FetchError(f"a wheel contains a path outside itself: {member!r}")
    if _LICENCE.fullmatch(member):
        return f"licences/{path.parts[0].removesuffix('.dist-info')}/{path.name}"
    if path.suffix == ".pxd":
        return f"pxd/{path.name}"
    parts = path.parts
    return "/".join(("include", *parts[parts.index("include") + 1 :]))


def runs(members: Iterable[Member]) -> Iterator[list[Member]]:
    """Members that are close to each other in the archive, for one request each."""
    run: list[Member] = []
    for member in sorted(members, key=lambda member: member.header_offset):
        if run and (
            member.header_offset - _end(run[-1]) > _LARGEST_GAP or _end(member) - run[0].header_offset > _LARGEST_RUN
        ):
            yield run
            run = []
        run.append(member)
    if run:
        yield run


def unpack(member: Member, data: bytes, start: int) -> bytes:
    """A member's content out of a part of the archive that begins at `start`.

    Raises:
        FetchError: when there is another member at that position.
    """
    place = member.header_offset - start
    head = data[place : place + _LOCAL_HEADER]
    if head[:4] != b"PK\x03\x04" or member.compress_type not in (_STORED, _DEFLATED):
        raise FetchError(f"{member.filename}: the archive is damaged")
    begin = place + _LOCAL_HEADER + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    content = data[begin : begin + member.compress_size]
    if member.compress_type == _DEFLATED:
        try:
            content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(content, member.file_size + 1)
        except zlib.error as error:
            raise FetchError(f"{member.filename}: the archive is damaged") from error
    if len(content) != member.file_size or zlib.crc32(content) != member.CRC:
        raise FetchError(f"{member.filename}: the archive is damaged")
    return content


def _check(members: Iterable[Member]) -> None:
    whole = 0
    for member in members:
        whole += member.file_size
        if max(member.file_size, member.compress_size) > LARGEST_MEMBER or whole > LARGEST_WHEEL:
            raise FetchError(f"{member.filename}: too large for headers, so it was not unpacked")


def _end(member: Member) -> int:
    """A position after the member: its local header may be a few bytes longer than the directory's."""
    return member.header_offset + _LOCAL_HEADER + len(member.filename.encode()) + member.compress_size + 512


def _read_range(session: Any, url: str, start: int, end: int) -> bytes:
    with session.get(url, headers={"Range": f"bytes={start}-{end - 1}"}, stream=True) as response:
        response.raise_for_status()
        if response.status_code != 206:
            raise FetchError(NO_PARTS)
        data = bytearray()
        for chunk in response.iter_content(_CHUNK):
            data += chunk
            if len(data) > end - start:
                raise FetchError("the index sent more than was requested")
    return bytes(data)
