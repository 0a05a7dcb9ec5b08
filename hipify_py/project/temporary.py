"""The temporary files of a run: each in a hidden folder next to its target, until it is renamed over the target.

The folder ignores itself in git, no walk enters it, and the next run removes what a killed run leaves.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import time
import zlib
from collections.abc import Iterable

_FOLDER = re.compile(r"\.hipify-py-([0-9a-f]{8})-([0-9a-f]+)-[0-9a-f]+")
_DAY = 86_400.0  # seconds
_NAME_LIMIT = 200  # bytes of the target's name that go into the temporary one; file systems allow 255


def run_token() -> str:
    """Identifies the temporary files of this run: the machine, the process, the time."""
    return f"{_host():08x}-{os.getpid():x}-{time.time_ns() & 0xFFFFFFFFFF:x}"


def staging_name(target: str, token: str) -> str:
    """The temporary name for a target, on the same file system."""
    folder, name = os.path.split(target)
    encoded = os.fsencode(name)
    short = os.fsdecode(encoded[:_NAME_LIMIT])  # a checksum distinguishes long names, and all from the .gitignore
    return os.path.join(folder, f".hipify-py-{token}", f"{short}.{zlib.crc32(encoded):08x}")


def is_temporary(name: str) -> bool:
    """Whether the name is that of a folder for temporary files."""
    return _FOLDER.fullmatch(name) is not None


def make_folder_of(staged: str) -> None:
    """Create the folder for a temporary file.

    Raises:
        OSError: if it cannot be made.
    """
    folder = os.path.dirname(staged)
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    with contextlib.suppress(FileExistsError), open(os.path.join(folder, ".gitignore"), "xb") as file:
        file.write(b"*\n")


def clear(staged: Iterable[str]) -> None:
    """Remove the folders of temporary files, with everything left in them."""
    for folder in {os.path.dirname(path) for path in staged}:
        _remove(folder)


def sweep(folders: Iterable[str]) -> None:
    """Remove what killed runs have left in the folders that this run writes to."""
    for folder in set(folders):
        with contextlib.suppress(OSError), os.scandir(folder or os.curdir) as entries:
            left = [entry.path for entry in entries if is_temporary(entry.name) and _is_left(entry)]
            for path in left:
                _remove(path)


def _is_left(entry: os.DirEntry[str]) -> bool:
    """Whether the run that made the folder is over: its process is gone, or it is older than any run."""
    match = _FOLDER.fullmatch(entry.name)
    if match is None or not entry.is_dir(follow_symlinks=False):
        return False
    if time.time() - entry.stat(follow_symlinks=False).st_mtime > _DAY:
        return True
    return int(match[1], 16) == _host() and not _is_running(int(match[2], 16))


def _is_running(process: int) -> bool:
    if os.name == "nt":
        return True  # asking would end the process; the folder's age decides
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # another user's process
    return True


def _remove(folder: str) -> None:
    """Remove a folder of files; if a link is in its place, nothing is removed through it."""
    if os.path.islink(folder):
        return
    with contextlib.suppress(OSError):
        with os.scandir(folder) as entries:
            paths = [entry.path for entry in entries]
        for path in paths:
            os.unlink(path)
        os.rmdir(folder)


def _host() -> int:
    return zlib.crc32(platform.node().encode())
