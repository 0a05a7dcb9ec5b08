"""What a run has seen of the file system, so that the next one can tell at little cost whether all of it is as it was.

Whoever asks the file system for something that a run's outcome depends on asks by these functions, or says what was
seen. Files and folders are known again as git knows them: by their numbers, sizes and times of change. One that changed
so shortly before it was looked at that its times could stay the same makes the run no witness.
"""

from __future__ import annotations

import os
import stat
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Stamp = tuple[int, ...]
"""What changes when a file is written, replaced, or given to somebody else, or when a folder gets or loses an entry."""

_TICK = 50_000_000
"""Nanoseconds within which two changes may have the same time; clocks of file systems tick every 10 ms or faster."""

_COARSE_TICK = 2_000_000_000
"""The same for file systems that note no fractions of a second."""


class Witness:
    """What was seen.

    Attributes:
        stamps: of files and folders, by path; None for what was not there.
        files: whether paths led to regular files.
        present: whether anything was there.
        reals: where paths led.
        is_sure: nothing that was seen can have changed unnoticed.
        runs: how many runs that may be witnessed took place.
        written: what a conversion wrote to its output folder (see `project/restore_output.py`); None for any other run.
    """

    def __init__(self) -> None:
        self.stamps: dict[str, Stamp | None] = {}
        self.files: dict[str, bool] = {}
        self.present: dict[str, bool] = {}
        self.reals: dict[str, str] = {}
        self.folders: set[str] = set()
        self.is_sure = True
        self.runs = 0
        self.written: tuple[object, ...] | None = None

    def holds(self) -> bool:
        """All is as it was."""
        return (
            all(stamp_of(path) == seen for path, seen in self.stamps.items())
            and all(os.path.isfile(path) == found for path, found in self.files.items())
            and all(os.path.exists(path) == found for path, found in self.present.items())
            and all(os.path.realpath(path) == place for path, place in self.reals.items())
        )


_witness: Witness | None = None


def witness(new: Witness | None) -> Witness | None:
    """Let a witness see what is asked from now on, or none; returns the one before."""
    global _witness
    before, _witness = _witness, new
    return before


def stamp_of(path: str) -> Stamp | None:
    """A file's or folder's stamp; of a link its own and that of what it leads to."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    own = stamp(status)
    if not stat.S_ISLNK(status.st_mode):
        return own
    try:
        return own + stamp(os.stat(path))
    except OSError:
        return own


def stamp(status: os.stat_result) -> Stamp:
    """The stamp of what a status is of."""
    return (
        status.st_dev,
        status.st_ino,
        status.st_mode,
        status.st_uid,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )


def saw(path: str) -> None:
    """A file is going to be read, or a folder listed."""
    if _witness is not None and path not in _witness.stamps:
        seen = _witness.stamps[path] = stamp_of(path)
        if seen is None:
            return
        changed = max(seen[6], seen[-1])
        tick = _TICK if changed % 1_000_000 else _COARSE_TICK
        if time.time_ns() - changed < tick or os.name == "nt":  # whose files do not say when they changed
            _witness.is_sure = False


def saw_folder(path: str) -> None:
    """A folder is going to be listed, so that its stamp tells of all names in it."""
    saw(path)
    if _witness is not None:
        _witness.folders.add(os.path.abspath(path))


def is_file(path: str) -> bool:
    """`os.path.isfile`."""
    found = os.path.isfile(path)
    if _witness is not None and not _is_told(path, found):
        _witness.files[path] = found
    return found


def saw_no_files(paths: Iterable[str]) -> None:
    """No files are where paths lead, as the listings of their folders tell."""
    if _witness is not None:
        _witness.files.update(dict.fromkeys(paths, False))


def tells_of(folder: str) -> bool:
    """All names in a folder are told by what is known of it already."""
    return _witness is None or folder in _witness.folders


def exists(path: str) -> bool:
    """`os.path.exists`."""
    found = os.path.exists(path)
    if _witness is not None and not _is_told(path, found):
        _witness.present[path] = found
    return found


def real(path: str) -> str:
    """`os.path.realpath`."""
    place = os.path.realpath(path)
    if _witness is not None:
        _witness.reals[path] = place
    return place


def may_witness(*, sure: bool) -> None:
    """A run takes place; it is no witness where something about it is not seen."""
    if _witness is not None:
        _witness.runs += 1
        _witness.is_sure = _witness.is_sure and sure


def is_asked() -> bool:
    """There is a witness."""
    return _witness is not None


def wrote(written: tuple[object, ...]) -> None:
    """What the run wrote, as `project/restore_output.py` takes it."""
    if _witness is not None:
        _witness.written = written


def does_more() -> None:
    """The run does something besides what it says: a later one cannot do with saying it again."""
    if _witness is not None:
        _witness.is_sure = False


def _is_told(path: str, found: bool) -> bool:
    """What is not there is told by what is known of its folder."""
    if found or _witness is None:
        return False
    folder = os.path.dirname(path)
    if folder in _witness.folders:
        return not os.path.islink(path)
    known = _witness.present.get(folder)
    if known is None and not os.path.lexists(folder):
        known = _witness.present[folder] = False
    return known is False
