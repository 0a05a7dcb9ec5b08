"""Texture references that one file declares and another uses stay textures in both."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import convert

DECLARATION = (
    "texture<int, 1, cudaReadModeElementType> table;\n"
    "__global__ void get(int *out) { out[0] = tex1Dfetch(table, 1); }\n"
)


@pytest.mark.parametrize(
    ("user", "finding"),
    [
        ('#include "kernels.cu"\nvoid f(int *p) { cudaBindTexture(0, table, p, 64); }\n', "HIP251"),
        ('#include "kernels.cu"\nvoid f() { table.normalized = false; }\n', "HIP251"),
        ('#include "all.h"\nvoid f() { cudaUnbindTexture(table); }\n', "HIP251"),
        ('#include "kernels.cu"\nvoid f(int *p) { cudaBindTexture(0, other, p, 64); }\n', "HIP250"),
        ('#include "kernels.cu"\nint table(int);\n', "HIP250"),
        ("void f(int *p) { cudaUnbindTexture(table); }\n", "HIP250"),
    ],
)
def test_one_decision_for_all_files(tmp_path: Path, user: str, finding: str) -> None:
    bound = DECLARATION + "void bind(int *p) { cudaBindTexture(0, table, p, 64); }\n"
    for name, text in {"kernels.cu": bound, "all.h": '#include "kernels.cu"\n', "user.cu": user}.items():
        (tmp_path / name).write_text(text)
    report = convert([tmp_path], output=tmp_path / "hip")
    (kernels,) = (result for result in report.results if result.path.endswith("kernels.cu"))
    ids = {each.id for each in kernels.findings}
    assert finding in ids
    assert ("__device__ const int *table;" in (tmp_path / "hip" / "kernels.cu").read_text()) == (finding == "HIP250")
