"""Names that `using namespace std;` in a header makes ambiguous."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import convert

KERNEL = '#include "common.h"\nstruct complex { float x; };\n__global__ void k(complex *p) { complex data = p[0]; p[1] = data; }\n'


@pytest.mark.parametrize(
    ("header", "is_qualified"),
    [
        ('#include "deeper.h"\n', True),
        ("// using namespace std\n", False),
    ],
)
def test_headers_that_open_std(tmp_path: Path, header: str, is_qualified: bool) -> None:
    files = {"a.cu": KERNEL, "common.h": header, "deeper.h": "#pragma once\nusing namespace std;\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    convert([tmp_path], output=tmp_path / "hip")
    kernel = (tmp_path / "hip" / "a.cu").read_text()
    plain = "void k(complex *p) { complex data = p[0]; p[1] = data; }"
    assert (plain.replace("complex", "::complex") if is_qualified else plain) in kernel
