"""Headers of a project that are included within a namespace."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import convert

CLIP = "__device__ inline unsigned clip(int a, unsigned b) { return min(a, b); }\n"
KERNEL = "__global__ void k(unsigned *p) { p[0] = 0; }\n"


@pytest.mark.parametrize(
    ("source", "is_before"),
    [
        ('namespace tools {\n#include "clip.h"\n}\n', True),
        ("namespace tools {\nnamespace inner {\n#include <clip.h>\n}\n}\n", True),
        ('#include "clip.h"\nnamespace tools {}\n', False),
        ("namespace tools {\n#include <vector>\n}\n", False),
    ],
)
def test_the_support_header_comes_before_the_namespace(tmp_path: Path, source: str, is_before: bool) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "clip.h").write_text(CLIP)
    (folder / "k.cu").write_text(source + KERNEL)
    convert([folder], output=tmp_path / "1", jobs=1)
    convert([tmp_path / "1"], output=tmp_path / "2", jobs=1)
    output = (tmp_path / "1/k.cu").read_text()
    assert ("hipify_support.hpp" in output.partition("namespace")[0]) is is_before
    assert (tmp_path / "2/k.cu").read_text() == output
