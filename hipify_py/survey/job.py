"""What a worker gets for one repository."""

from __future__ import annotations

from typing import NamedTuple

from hipify_py.core.options import Options
from hipify_py.survey.targets import Target


class Bounds(NamedTuple):
    """The limits for one repository.

    Attributes:
        seconds: of time.
        memory: bytes of memory, of each of its processes.
        unpacked: bytes that an archive may hold, or that a file of a clone may have.
    """

    seconds: float = 1800.0
    memory: int = 4 << 30
    unpacked: int = 4 << 30


class Job(NamedTuple):
    """One repository to examine.

    Attributes:
        target: the repository; its source is an absolute path where it is none of git.
        options: how it is translated.
        tables: the user's own tables, by name, where the worker does not see their files.
        sent: the archive, or the sources of the folder as a tar archive; None where the worker sees them.
        is_packed: `sent` is a packed folder: what .gitignore names is not in it.
        output: the folder that takes the converted repository; empty where it is only looked at.
        build_files: translate build files with the sources.
        installation: the digest of the hipify-py that asks; empty where it is the worker's own.
    """

    target: Target
    options: Options
    bounds: Bounds
    tables: tuple[tuple[str, bytes], ...] = ()
    sent: bytes | None = None
    is_packed: bool = False
    output: str = ""
    build_files: bool = True
    installation: str = ""
