"""Fetches header sets into a temporary folder, which replaces the set's own when it is complete and correct.

A stopped run therefore leaves nothing that counts, and of two concurrent runs one wins.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from hipify_py.headers.index import Index, new_session, wheel_address
from hipify_py.headers.places import STAMP
from hipify_py.headers.sets import HeaderSet, digests
from hipify_py.headers.wheels import FetchError, read_wheel

__all__ = ["FetchError", "Step", "digest_of", "fetch", "is_complete"]

_DEFAULT_KEEP = r"(^|/)include/"
_AT_A_TIME = 6
_UNFINISHED = ".new"
_LEFT_OVER = 3600.0


class Step(NamedTuple):
    """A wheel that has been read, the `number`th `of` so many, with the bytes that were taken of it.

    It is `pinned` where its checksum was known and has been verified.
    """

    project: str
    version: str
    number: int
    of: int
    size: int
    pinned: bool = True


def is_complete(header_set: HeaderSet, folder: Path) -> bool:
    """True when `folder` holds a complete copy of this very set."""
    stamp = folder / STAMP
    return stamp.is_file() and stamp.read_bytes() == _stamp(header_set)


def fetch(
    header_set: HeaderSet,
    folder: Path,
    index: Index,
    expected: Mapping[str, str] | None = None,
    *,
    unpinned: bool = False,
) -> Iterator[Step]:
    """Read a set's headers into `folder`, unless a complete copy of this very set lies there; yields each wheel.

    Args:
        header_set: the set.
        folder: the set's own; what lies there is replaced when all has come.
        index: where the wheels are.
        expected: by wheel, the digest of what is taken of it; None takes the ones that are known.
        unpinned: also take wheels without a known digest, as the index has them; their steps say so.

    Raises:
        FetchError: when the index or a wheel cannot be read, or a wheel has not what it should have.
        OSError: when the set cannot be written.
    """
    if is_complete(header_set, folder):
        return
    expected = digests().get(header_set.name, {}) if expected is None else expected
    strange = [_project(name, fields) for name, fields in header_set.wheels.items() if name not in expected]
    if strange and not unpinned:
        raise FetchError(f"no checksum is known for {', '.join(strange)}, so it is not fetched")
    folder.parent.mkdir(parents=True, exist_ok=True)
    _sweep(folder.parent)
    work = _unfinished(folder)
    work.mkdir()
    try:
        for number, (name, files) in enumerate(fetch_wheels(header_set, index), 1):
            fields = header_set.wheels[name]
            known = expected.get(name)
            if known is not None and known != digest_of(files):
                raise FetchError(
                    f"{_project(name, fields)} {fields['version']}: the index has a different file than was published "
                    "(checksum mismatch)"
                )
            for place, content in files.items():
                path = work / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            size = sum(map(len, files.values()))
            yield Step(
                _project(name, fields), fields["version"], number, len(header_set.wheels), size, known is not None
            )
        (work / STAMP).write_bytes(_stamp(header_set))
        _put(work, folder, header_set)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def remove(folder: Path) -> None:
    """Remove a set atomically.

    Raises:
        OSError: when it cannot be removed.
    """
    old = _unfinished(folder)
    os.rename(folder, old)
    shutil.rmtree(old)


def digest_of(files: Mapping[str, bytes]) -> str:
    """The SHA-256 of files with their places."""
    lines = (f"{hashlib.sha256(content).hexdigest()} {place}\n" for place, content in sorted(files.items()))
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def fetch_wheels(header_set: HeaderSet, index: Index) -> Iterator[tuple[str, dict[str, bytes]]]:
    """The wheels' files, in the order of the set, several wheels at a time."""
    from concurrent.futures import ThreadPoolExecutor

    def read(wheel: tuple[str, dict[str, str]]) -> tuple[str, dict[str, bytes]]:
        name, fields = wheel
        try:
            with new_session(index) as session:
                url = wheel_address(session, index, _project(name, fields), fields["version"])
                return name, read_wheel(session, url, fields.get("keep", _DEFAULT_KEEP))
        except FetchError as error:
            raise FetchError(f"{_project(name, fields)} {fields['version']}: {error}") from error

    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        try:
            yield from pool.map(read, header_set.wheels.items())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _project(name: str, fields: Mapping[str, str]) -> str:
    return fields.get("project", name)


def _put(work: Path, folder: Path, header_set: HeaderSet) -> None:
    """Let the finished folder take the place of whatever is there, unless another run was faster."""
    with contextlib.suppress(OSError):
        os.rename(work, folder)
        return
    if is_complete(header_set, folder):
        return
    old = _unfinished(folder)
    os.rename(folder, old)
    os.rename(work, folder)
    shutil.rmtree(old, ignore_errors=True)


def _unfinished(folder: Path) -> Path:
    """A temporary folder next to the set's own."""
    return folder.parent / f".{folder.name}.{secrets.token_hex(8)}{_UNFINISHED}"


def _sweep(parent: Path) -> None:
    """Remove what killed runs have left."""
    for path in parent.glob(f".*{_UNFINISHED}"):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < time.time() - _LEFT_OVER:
                shutil.rmtree(path, ignore_errors=True)


def _stamp(header_set: HeaderSet) -> bytes:
    return repr(sorted((name, sorted(fields.items())) for name, fields in header_set.wheels.items())).encode()
