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


class BuildSettings(NamedTuple):
    """How to build a converted repository.

    Attributes:
        rocm: the folder of the ROCm to build with; empty for the installed one.
        arch: GPUs to build for; none for those of the machine, or a default.
        seconds: the time limit for all builds of one repository.
        cuda: the CUDA toolkit that builds the repository as it is where its conversion does not build; empty to leave
            that out.
    """

    rocm: str
    arch: tuple[str, ...]
    seconds: float
    cuda: str = ""


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
        builds: how to build the result; None to leave it at the translation.
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
    builds: BuildSettings | None = None
    installation: str = ""
