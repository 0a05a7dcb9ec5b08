"""Fetches the header sets: reads the headers out of wheels on a package index, never whole wheels."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

import yaml

from hipify_py.maintenance.surface import STAMP
from hipify_py.records import NamedTuple

_DEFAULT_KEEP = r"(^|/)include/"
_SETS = Path(__file__).with_name("header_sets.yaml")

_LOCAL_HEADER = 30
_LARGEST_GAP = 1 << 16
_LARGEST_RUN = 8 << 20
_DEFLATED = 8


class HeaderSet(NamedTuple):
    """One version of one side: where its headers come from; a `minor` one only tells when symbols came."""

    name: str
    side: str
    version: str
    wheels: dict[str, dict[str, str]]
    minor: bool = False


class FetchError(RuntimeError):
    """A wheel or the index could not be read; the message says which."""


class Member(Protocol):
    """What is used of a `zipfile.ZipInfo`."""

    filename: str
    header_offset: int
    compress_size: int
    compress_type: int
    CRC: int


def header_sets(names: tuple[str, ...] = ()) -> list[HeaderSet]:
    """The header sets of `header_sets.yaml`, all of them or the named ones.

    Raises:
        FetchError: for a name that is none of them.
    """
    document: dict[str, Any] = yaml.safe_load(_SETS.read_text(encoding="utf-8"))
    sets = {name: HeaderSet(name, **fields) for name, fields in document.items()}
    strange = [name for name in names if name not in sets]
    if strange:
        raise FetchError(f"no header set is called {', '.join(strange)}; there are {', '.join(sets)}")
    return [sets[name] for name in names] if names else list(sets.values())


def is_complete(header_set: HeaderSet, folder: Path) -> bool:
    """True when `folder` holds a complete copy of this very set."""
    stamp = folder / STAMP
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == _stamp(header_set)


def fetch(header_set: HeaderSet, folder: Path) -> Iterator[str]:
    """Read a set's headers into `folder`, unless a complete copy of this very set lies there; yields what it does.

    Raises:
        FetchError: when the index or a wheel cannot be read; the folder then counts as incomplete.
    """
    if is_complete(header_set, folder):
        return
    (folder / STAMP).unlink(missing_ok=True)
    for project, fields in header_set.wheels.items():
        yield f"{header_set.name}: {project} {fields['version']}"
        _fetch_wheel(project, fields["version"], fields.get("keep", _DEFAULT_KEEP), folder)
    (folder / STAMP).write_text(_stamp(header_set), encoding="utf-8")


def _stamp(header_set: HeaderSet) -> str:
    return repr(sorted((project, sorted(fields.items())) for project, fields in header_set.wheels.items()))


def _fetch_wheel(project: str, version: str, keep: str, folder: Path) -> None:
    import requests
    from remotezip import RemoteIOError, RemoteZip

    try:
        url = _wheel_url(project, version)
        with requests.Session() as session:
            with RemoteZip(url, initial_buffer_size=1 << 18, session=session) as wheel:
                members = [m for m in wheel.infolist() if not m.is_dir() and re.search(keep, m.filename)]
            if not members:
                raise FetchError(f"{project} {version}: the wheel has nothing that fits {keep}")
            for run in runs(members):
                data = _read_range(session, url, run[0].header_offset, _end(run[-1]))
                for member in run:
                    _store(folder / _place(member.filename), unpack(member, data, run[0].header_offset))
    except (RemoteIOError, requests.RequestException, OSError, zlib.error) as error:
        raise FetchError(f"{project} {version}: {error}") from error


def runs(members: Iterable[Member]) -> Iterator[list[Member]]:
    """Members that lie near each other in the archive, for one request each."""
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
        FetchError: when what stands there is not this member.
    """
    place = member.header_offset - start
    head = data[place : place + _LOCAL_HEADER]
    if head[:4] != b"PK\x03\x04":
        raise FetchError(f"{member.filename}: the archive is damaged")
    begin = place + _LOCAL_HEADER + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    packed = data[begin : begin + member.compress_size]
    content = zlib.decompress(packed, -zlib.MAX_WBITS) if member.compress_type == _DEFLATED else packed
    if zlib.crc32(content) != member.CRC:
        raise FetchError(f"{member.filename}: the archive is damaged")
    return content


def _end(member: Member) -> int:
    """A place behind the member: its local header may carry more than the directory says, some bytes at most."""
    return member.header_offset + _LOCAL_HEADER + len(member.filename.encode()) + member.compress_size + 512


def _read_range(session: Any, url: str, start: int, end: int) -> bytes:
    response = session.get(url, headers={"Range": f"bytes={start}-{end - 1}"}, timeout=120)
    response.raise_for_status()
    if response.status_code != 206:
        raise FetchError(f"{url}: the index does not serve parts of a file")
    return bytes(response.content)


def _wheel_url(project: str, version: str) -> str:
    """The address of a project's wheel of that version for Linux on x86-64 (headers are the same everywhere)."""
    from pypi_simple import PYPI_SIMPLE_ENDPOINT, NoSuchProjectError, PyPISimple

    with PyPISimple(endpoint=os.environ.get("PIP_INDEX_URL") or PYPI_SIMPLE_ENDPOINT) as index:
        try:
            packages = index.get_project_page(project).packages
        except NoSuchProjectError as error:
            raise FetchError(f"the index has no project {project}") from error
    fitting = [
        package.url
        for package in packages
        if package.package_type == "wheel"
        and package.version == version
        and ("none-any" in package.filename or ("x86_64" in package.filename and "linux" in package.filename))
    ]
    if not fitting:
        raise FetchError(f"the index has no wheel {project} {version} for Linux on x86-64")
    return fitting[-1]


def _place(member: str) -> PurePosixPath:
    """A member's place in the set: below the last `include/`, or its file name for declarations of bindings."""
    path = PurePosixPath(member)
    if ".." in path.parts or path.is_absolute():
        raise FetchError(f"a wheel names a file outside of it: {member}")
    if path.suffix == ".pxd":
        return PurePosixPath("pxd") / path.name
    parts = path.parts
    return PurePosixPath("include").joinpath(*parts[parts.index("include") + 1 :])


def _store(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
