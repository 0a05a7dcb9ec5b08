"""Runs over folders that are as an earlier run found them: says again what that said, and writes what it wrote.

Next to nothing of hipify-py is loaded for it, and nothing is read but the record of the earlier run, and what is to be
written: what that run saw of the file system has to be as it was, to the last file of hipify-py itself.
"""

from __future__ import annotations

import marshal
import os
import sys

from hipify_py.cache_files import cache_dir, read_file, short_name
from hipify_py.witness import Witness

FORMAT = 3
FOLDER = "results"
_COMMANDS = ("check", "report", "convert")
_NEVER = frozenset({"-", "--no-cache", "--in-place", "--compile", "--interactive"})
_ENVIRONMENT = (
    "HOME",
    "USERPROFILE",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "LINES",
    "TTY_COMPATIBLE",
    "TTY_INTERACTIVE",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "HIPIFY_PY_ROCM",
    "ROCM_PATH",
    "HIP_PATH",
    "PATH",
    "HIPIFY_PY_SEMANTICS",
    "HIPIFY_PY_LIBCLANG",
    "HIPIFY_PY_HEADERS_DIR",
    "CONDA_PREFIX",
    "CUDA_HOME",
    "CUDA_PATH",
    "LOCALAPPDATA",
    "XDG_DATA_HOME",
)
"""What of the environment can change what a run says."""


class Record:
    """Where the record of a run lies, and all that the run began with."""

    def __init__(self, arguments: list[str]) -> None:
        sizes = [os.get_terminal_size(stream.fileno()) for stream in (sys.stdout, sys.stderr) if stream.isatty()]
        began = (
            FORMAT,
            arguments,
            os.getcwd(),
            sys.version,
            sys.executable,
            sys.path,
            [os.environ.get(name) for name in _ENVIRONMENT],
            [(stream.isatty(), stream.encoding, stream.errors) for stream in (sys.stdout, sys.stderr)],
            [tuple(size) for size in sizes],
        )
        self.key = repr(began).encode("utf-8", "surrogatepass")
        self.path = os.path.join(cache_dir(), FOLDER, f"runs-{short_name(self.key)}{len(self.key) % 2**32:08x}.bin")


def record_of(arguments: list[str]) -> Record | None:
    """The record of a run with these arguments; None for a run that none is kept of."""
    if arguments[:1] == [] or arguments[0] not in _COMMANDS or not _NEVER.isdisjoint(arguments):
        return None
    if any(name.startswith("_HIPIFY_PY") for name in os.environ):  # completion asks, not the user
        return None
    if not any(os.path.isdir(argument) for argument in arguments[1:]):
        return None
    try:
        return Record(arguments)
    except (OSError, AttributeError, ValueError):
        return None  # no current folder, or streams that are none


def replay(record: Record) -> int | None:
    """Say and write again what the run said and wrote, and return its exit status; None where the record is void."""
    body = read_file(record.path)
    if body is None:
        return None
    image = marshal.loads(body)  # the user's own, and whole  # nosec B302
    if image[0] != record.key:
        return None
    _, seen, said, status, written = image
    before = Witness()
    before.stamps, before.files, before.present, before.reals = seen
    if not before.holds():
        return None
    if written is not None:
        from hipify_py.cli.signals import Ended, heed_signals
        from hipify_py.project.restore_output import write_again

        try:
            heed_signals()
            if not write_again(before.stamps, *written):
                return None
        except Ended as error:
            return error.status
    for number, data in said:
        stream = (sys.stdout, sys.stderr)[number]
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    os.utime(record.path)
    return int(status)
