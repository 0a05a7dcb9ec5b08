"""The macro that shuffles of bfloat16 numbers need."""

from __future__ import annotations

import pytest

from hipify_py import translate

MACRO = b"#define HIP_ENABLE_WARP_SYNC_BUILTINS"


@pytest.mark.parametrize(
    ("type", "is_needed"), [("__nv_bfloat16", True), ("__nv_bfloat162", True), ("T", True), ("float", False)]
)
def test_the_type_that_is_shuffled_decides(type: str, is_needed: bool) -> None:
    source = f"""#include <cuda_bf16.h>
__device__ __nv_bfloat16 g;
template <class T> __device__ void f({type} *p) {{ p[0] = __shfl_xor_sync(0xffffffff, p[1], 1); }}
"""
    once = translate(source, path="a.cu").output
    assert (MACRO in once) == is_needed
    assert translate(once, path="a.cu").output == once
