"""Writes again what an earlier conversion of the same tree wrote, each file from its source, which has not changed."""

from __future__ import annotations

import contextlib
import os
import stat

from hipify_py.project.places import is_within
from hipify_py.project.temporary import clear, make_folder_of, run_token, staging_name, sweep
from hipify_py.witness import Stamp, stamp

_Edit = tuple[int, int, bytes]
_File = tuple[str, str, tuple[_Edit, ...], bool]
"""Where a file goes, its source, the edits that lead to it, and whether it gets the permissions again, as copies do."""


class _Changed(Exception):
    """A source is no longer as it was."""


def write_again(
    stamps: dict[str, Stamp | None],
    output: str,
    files: list[_File],
    headers: list[tuple[str, bytes]],
    links: list[tuple[str, str]],
) -> bool:
    """Write the files of an output folder that are not there or hold something else.

    Args:
        stamps: of the sources.
        output: the folder.
        files: what goes there.
        headers: the support headers, with their text.
        links: symbolic links, with what they hold.

    Returns:
        False where a conversion has to do it, for it may have something to say: of a file that it must not replace, a
        link that leads out of the folder, a full disk. Each file is then as it was, or whole and new.
    """
    folders = {os.path.dirname(file[0]) for file in files} | {os.path.dirname(path) for path, _ in links}
    header_folders = {os.path.dirname(place) for place, _ in headers}
    if not _may_write(output, folders, files, headers):
        return False
    token = run_token()
    try:
        sweep(folders | header_folders)
        for place, text in headers:
            if _bytes_of(place) != text:
                _write(place, text, 0o644, staging_name(place, token))
        for target, source, edits, is_copy in files:
            text, mode = _text(source, stamps.get(source), edits)
            mode |= stat.S_IWUSR
            if _bytes_of(target) != text or (is_copy and stat.S_IMODE(os.lstat(target).st_mode) != mode):
                _write(target, text, mode, staging_name(target, token))
        for path, to in links:
            make_link(path, to)
    except (OSError, _Changed):
        return False
    finally:
        clear(staging_name(os.path.join(folder, "x"), token) for folder in folders | header_folders)
    return True


def make_link(path: str, target: str) -> None:
    """Make a symbolic link, unless it is there.

    Raises:
        OSError: when it cannot be made.
    """
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    if os.path.islink(path):
        if os.readlink(path) == target:
            return
        os.unlink(path)
    os.symlink(target, path)


def _may_write(output: str, folders: set[str], files: list[_File], headers: list[tuple[str, bytes]]) -> bool:
    """A conversion would write all files, and have nothing to say about it."""
    if os.path.lexists(output) and not os.path.isdir(output):
        return False
    real = os.path.realpath(output)
    if any(not is_within(os.path.realpath(folder), real) for folder in folders):
        return False
    for target, *_ in files:
        with contextlib.suppress(FileNotFoundError):
            mode = os.lstat(target).st_mode
            if not stat.S_ISREG(mode) or not mode & 0o222:
                return False
    return all(_bytes_of(place) in (None, text) for place, text in headers)


def _text(source: str, seen: Stamp | None, edits: tuple[_Edit, ...]) -> tuple[bytes, int]:
    """What a source becomes, and its permissions."""
    with open(source, "rb") as file:
        status = os.fstat(file.fileno())
        data = file.read()
        if seen is None or stamp(status) != seen[-7:] or stamp(os.fstat(file.fileno())) != seen[-7:]:
            raise _Changed
    pieces: list[bytes] = []
    done = 0
    for start, end, text in edits:
        pieces += (data[done:start], text)
        done = end
    return b"".join((*pieces, data[done:])) if edits else data, stat.S_IMODE(status.st_mode)


def _write(target: str, text: bytes, mode: int, staged: str) -> None:
    folder = os.path.dirname(target)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(staged, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(folder or ".", exist_ok=True)
        make_folder_of(staged)
        descriptor = os.open(staged, flags, 0o600)
    with open(descriptor, "wb", buffering=0) as file:
        view = memoryview(text)
        while view:
            view = view[file.write(view) :]
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, mode)
    os.replace(staged, target)


def _bytes_of(path: str) -> bytes | None:
    """What a file holds; None for one that is not there."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
