"""Outputs that are not files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hipify_py
from hipify_py.project.streams import is_stream, write_anywhere

_WRITES = "import sys; from hipify_py.project.streams import write_anywhere; write_anywhere(sys.argv[1], b'new\\n')"


def test_files_and_places_for_files_are_not_streams(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("file", "link", "loop", "absent", "."):
        assert not is_stream(str(tmp_path / name))


def test_a_link_to_a_file_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("file")
    write_anywhere(str(tmp_path / "link"), b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert (tmp_path / "link").is_symlink()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="NOT RUN: this system has no /proc/self/fd")
@pytest.mark.parametrize("number", [1, 2])
def test_a_descriptor_is_written_where_it_is(tmp_path: Path, number: int) -> None:
    """A link of the test's own leads there, so that a failure cannot replace one of the system's."""
    (tmp_path / "link").symlink_to(f"/proc/self/fd/{number}")
    root = str(Path(hipify_py.__file__).parents[1])
    with open(tmp_path / "log", "wb") as log:
        log.write(b"before\n")
        log.flush()
        streams = {"stdout" if number == 1 else "stderr": log}
        line = [sys.executable, "-c", _WRITES, str(tmp_path / "link")]
        subprocess.run(line, env={**os.environ, "PYTHONPATH": root}, check=True, **streams)  # type: ignore[call-overload]
    assert (tmp_path / "log").read_bytes() == b"before\nnew\n"
    assert os.readlink(tmp_path / "link") == f"/proc/self/fd/{number}"
