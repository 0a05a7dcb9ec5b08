"""Keeps what a run says, for the next one over the same folders to say again (see `replay.py`)."""

from __future__ import annotations

import io
import marshal
import os
import sys
from collections.abc import Callable
from typing import Any

from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.replay import Record
from hipify_py.project.results_cache import files
from hipify_py.witness import Witness, witness

_LARGEST = 32 << 20
"""Bytes that are said; what says more is run again."""


class _Heard(io.RawIOBase):
    """Passes on what is written to a stream, and notes it."""

    def __init__(self, stream: Any, number: int, said: list[tuple[int, bytes]]) -> None:
        super().__init__()
        self._stream = stream
        self._number = number
        self._said = said

    def write(self, data: Any) -> int:
        self._said.append((self._number, bytes(data)))
        self._stream.buffer.write(data)
        return len(data)

    def flush(self) -> None:
        self._stream.flush()
        self._stream.buffer.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return bool(self._stream.isatty())

    def fileno(self) -> int:
        return int(self._stream.fileno())


def recorded(record: Record, run: Callable[[], int]) -> int:
    """Do a run, and keep a record of it where the next one can tell whether anything has changed."""
    said: list[tuple[int, bytes]] = []
    seen = Witness()
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_heard(stream, number, said) for number, stream in enumerate(streams))
    before = witness(seen)
    try:
        status = run()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        witness(before)
        sys.stdout, sys.stderr = streams
    is_short = sum(len(data) for _, data in said) <= _LARGEST
    if status in (DONE, FINDINGS) and seen.runs == 1 and seen.is_sure and is_short:
        noted = (seen.stamps, seen.files, seen.present, seen.reals)
        image: Any = (record.key, noted, said, status, seen.written)
        files.write(os.path.basename(record.path).removesuffix(".bin"), marshal.dumps(image, 4))
    return status


def _heard(stream: Any, number: int, said: list[tuple[int, bytes]]) -> io.TextIOWrapper:
    heard: Any = _Heard(stream, number, said)
    return io.TextIOWrapper(heard, stream.encoding, stream.errors, line_buffering=True, write_through=True)
