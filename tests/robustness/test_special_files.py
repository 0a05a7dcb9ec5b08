"""Includes that name devices, pipes and what the kernel makes up: reading those may never end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify_py.compile.includes import with_included
from hipify_py.project.source_store import bytes_of
from tests.cli.conftest import Run, process  # noqa: F401  (a fixture)

BODY = "__global__ void k(int *p) { p[0] = __shfl_sync(~0u, p[1], 0); }\nvoid f(void *p) { cudaFree(p); }\n"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files of POSIX")


@pytest.fixture
def special(tmp_path: Path) -> list[str]:
    """Absolute and relative paths of files that have no end, or never any content."""
    os.mkfifo(tmp_path / "pipe.h")
    found = [str(tmp_path / "pipe.h"), "pipe.h", "/dev/zero", "/dev/tty", "/proc/kmsg", "/proc/self/maps"]
    return [path for path in found if os.path.lexists(os.path.join(tmp_path, path))]


def test_nothing_of_them_is_read(tmp_path: Path, special: list[str]) -> None:
    for path in special:
        assert bytes_of(os.path.join(tmp_path, path)) == b""
    (tmp_path / "plain.h").write_bytes(b"int x;\n")
    (tmp_path / "link.h").symlink_to("plain.h")
    assert bytes_of(str(tmp_path / "link.h")) == b"int x;\n"


@pytest.mark.parametrize("paths", [["a.cu"], ["."]])
def test_a_source_that_includes_them_is_translated(
    tmp_path: Path,
    special: list[str],
    process: Run,  # noqa: F811
    paths: list[str],
) -> None:
    text = "".join(f'#include "{path}"\n#include <{path}>\n' for path in special) + BODY
    (tmp_path / "a.cu").write_text(text)
    (tmp_path / "b.cu").write_text(BODY)
    done = process("report", *paths, "--format", "json", "--semantics", "off", "--no-cache")
    assert b'"converted"' in done.stdout
    assert b"HIP905" not in done.stdout


def test_absolute_paths_lead_to_the_same_file_after_a_translation(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    for name, text in (("a.cu", f'#include "{tmp_path}/far/x.h"\n#include "y.h"\n'), ("y.h", ""), ("far/x.h", "")):
        (tmp_path / name).write_text(text)
    real = os.path.realpath(tmp_path)
    assert with_included([str(tmp_path / "a.cu")], []) == [f"{real}/a.cu", f"{real}/y.h"]
