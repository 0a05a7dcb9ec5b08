"""Words that stand in front of declarations in CUDA and that HIP does without."""

from __future__ import annotations

from hipify_py import Options, translate


def test_a_grid_constant_is_deleted_and_const_stays() -> None:
    source = "struct P { int n; };\n__global__ void k(const __grid_constant__ P p, __grid_constant__ const int q) {}\n"
    result = translate(source, path="a.cu", options=Options(implicit_runtime=False))
    assert result.output == b"struct P { int n; };\n__global__ void k(const P p, const int q) {}\n"
    assert result.findings == []
