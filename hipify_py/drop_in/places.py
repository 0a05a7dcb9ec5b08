"""Where the two tools write: standard output, a file, or the source itself with what it was as `NAME.prehip`.

Whatever is written is whole or not there (`hipify_py/project/write.py`), while the two tools open and fill files.
"""

from __future__ import annotations

import errno
import os

from hipify_py.drop_in.options import INLINE, SUPPORT
from hipify_py.project.result import FileResult
from hipify_py.project.streams import is_stream, write_to_stream
from hipify_py.project.support_header_writer import SupportHeaderWriter
from hipify_py.project.work import Task
from hipify_py.project.write import BACKUP_SUFFIX, copy_atomically, write_atomically
from hipify_py.support_header.inlined import with_inlined_header

_INSTEAD = f"use -{SUPPORT.name}={INLINE}"


class HeaderNotWritten(OSError):
    """The support header that an output includes could not be written."""


def keep_original(path: str) -> str:
    """Make sure that `PATH.prehip` exists, and return its path; an existing one stays, and is what gets translated.

    Source: `-inplace` in `bin/hipify-perl` of ROCm 6.3.

    Raises:
        OSError: if it cannot be made.
    """
    backup = path + BACKUP_SUFFIX
    if not os.path.exists(backup):
        copy_atomically(path, backup)
    return backup


def with_header_inside(result: FileResult) -> FileResult:
    """A result whose output includes no support header, as it holds what it uses of it."""
    output = with_inlined_header(result.output, result.support)
    return result._replace(output=output, support=frozenset(), support_header="")


def write_output(path: str, result: FileResult) -> None:
    """Write the HIP source of a result to a file, and what it includes of the support header beside it.

    A link is followed. A stream (`/dev/stdout`, a named pipe) gets what standard output gets: no header can be beside
    it. A file that has this content already gets a new time, as a rule of a makefile expects.

    Raises:
        HeaderNotWritten: if the support header cannot be written; the file is as it was.
        OSError: if the file cannot be written; its folder must exist.
    """
    if is_stream(path):
        write_to_stream(path, with_header_inside(result).output)
        return
    place = os.path.realpath(path)
    if not os.path.isdir(os.path.dirname(place)):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), place)
    if result.support:
        _write_header(place, result)
    write_atomically(place, result.output)
    os.utime(place)


def _write_header(place: str, result: FileResult) -> None:
    """Add the sections to the header beside an output."""
    headers = SupportHeaderWriter(written=True, way_out=_INSTEAD)
    headers.take(Task(result.path, target=place), result)
    for failed in headers.failures:
        raise HeaderNotWritten(failed.findings[0].message)
