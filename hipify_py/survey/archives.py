"""Unpacks untrusted archives, within a folder and within limits."""

from __future__ import annotations

import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

_BLOCK = 1 << 20


class Limits(NamedTuple):
    """The limits of an archive: total bytes, and files and folders."""

    bytes: int = 4 << 30
    members: int = 500_000


DEFAULT_LIMITS = Limits()

_UNREADABLE = (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, UnicodeError, RuntimeError, ValueError)
"""What the readers raise for broken, encrypted or unsupported archives."""


class BadArchive(Exception):
    """An archive cannot be unpacked, or must not be; the message says why."""


def unpack(path: str, folder: str, limits: Limits = DEFAULT_LIMITS) -> int:
    """Unpack an archive into an empty folder; returns how many links were left out because they lead out of it.

    An archive with a file that would be outside, or that is a device, is hostile, and unpacking stops.

    Raises:
        BadArchive: when it cannot be read, is hostile, or holds more than the limits.
        OSError: when something cannot be written.
    """
    try:
        if path.lower().endswith((".zip", ".whl")):
            return _unpack_zip(path, folder, limits)
        return _unpack_tar(path, folder, limits)
    except _UNREADABLE as error:
        raise BadArchive(f"the archive cannot be read: {error or type(error).__name__}") from error
    except OSError as error:
        if error.errno is None or type(error).__name__ in ("BadGzipFile", "LZMAError"):
            raise BadArchive(f"the archive cannot be read: {error}") from error
        raise


class _Room:
    """What is left of the limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._size = self._count = 0

    def take(self, size: int) -> None:
        """Take up a file or folder.

        Raises:
            BadArchive: when it is too much.
        """
        self._size += size
        self._count += 1
        if self._size > self._limits.bytes:
            raise BadArchive(f"the archive holds more than {self._limits.bytes:,} bytes")
        if self._count > self._limits.members:
            raise BadArchive(f"the archive holds more than {self._limits.members:,} files")


def _unpack_tar(path: str, folder: str, limits: Limits) -> int:
    if not hasattr(tarfile, "data_filter"):
        raise BadArchive("this Python cannot unpack archives safely; use 3.10.12, 3.11.4, 3.12 or later")
    room = _Room(limits)
    links: list[tuple[str, str, bool]] = []
    with tarfile.open(path, "r|*") as archive:  # in one go: nothing is read twice, and no list of members is made first
        for member in archive:
            room.take(member.size if member.isreg() else 0)
            if member.issym() or member.islnk():
                links.append((member.name, member.linkname, member.issym()))
                continue
            try:
                archive.extract(member, folder, filter="data")
            except tarfile.FilterError as error:
                what = "is a device" if isinstance(error, tarfile.SpecialFileError) else "would be outside its folder"
                raise BadArchive(f"the archive is hostile: {member.name!r} {what}") from error
            archive.members = []  # type: ignore[attr-defined]  # else it keeps them all
    return sum(not _link(folder, *link) for link in links)


def _link(folder: str, name: str, leads_to: str, is_symbolic: bool) -> bool:
    """Make a link after all files are there; False for one that leads out, to nothing, or by another link.

    Links come last, so that no file is ever written through one.
    """
    place = os.path.normpath(os.path.join(folder, name))
    goal = os.path.normpath(os.path.join(os.path.dirname(place) if is_symbolic else folder, leads_to))
    if not (_is_plain(os.path.dirname(place), folder) and _is_plain(goal, folder)) or os.path.lexists(place):
        return False
    if is_symbolic:
        os.symlink(os.path.relpath(goal, os.path.dirname(place)), place)
    elif os.path.isfile(goal):
        os.link(goal, place)
    return True


def _is_plain(path: str, folder: str) -> bool:
    """Something is there within the folder, and no link is on the way."""
    if path != folder and not path.startswith(folder + os.sep):
        return False
    parts = os.path.relpath(path, folder).split(os.sep)
    ways = [os.path.join(folder, *parts[: number + 1]) for number in range(len(parts))]
    return all(os.path.lexists(way) and not os.path.islink(way) for way in ways)


def _unpack_zip(path: str, folder: str, limits: Limits) -> int:
    room = _Room(limits)
    left_out = 0
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            room.take(member.file_size)
            place = _place(member.filename, folder)
            if stat.S_ISLNK(member.external_attr >> 16):
                left_out += 1
            elif member.is_dir():
                os.makedirs(place, exist_ok=True)
            else:
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with archive.open(member) as packed, open(place, "xb") as file:
                    for block in _blocks(packed, member.file_size):
                        file.write(block)
    return left_out


def _place(name: str, folder: str) -> str:
    """Where a member of a zip file goes.

    Raises:
        BadArchive: when that is outside of the folder.
    """
    parts = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in name:
        raise BadArchive(f"the archive is hostile: {name!r} would be outside its folder")
    return os.path.join(folder, *parts)


def _blocks(packed: IO[bytes], size: int) -> Iterator[bytes]:
    """The content of a member, of which no more is taken than it says that it has."""
    while size > 0 and (block := packed.read(min(size, _BLOCK))):
        size -= len(block)
        yield block
