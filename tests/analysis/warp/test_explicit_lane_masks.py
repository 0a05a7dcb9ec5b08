"""Masks that name a few lanes on purpose, where just these lanes get: right on 32 and on 64 lanes."""

from __future__ import annotations

import pytest

from tests.unfixed import Options, translate

KERNEL = "__global__ void k(int *o, int n) {{ int v = o[0]; {} o[1] = v; }}\n"
FEW = "__shfl_down_sync(0x000000FF, v, 4)"


def ids(body: str) -> list[str]:
    result = translate(KERNEL.format(body), path="a.cu", options=Options(implicit_runtime=False))
    return [finding.id for finding in result.findings if finding.severity != "note"]


@pytest.mark.parametrize(
    "body",
    [
        f"if (threadIdx.x < 8) v += {FEW};",
        "int tid = threadIdx.x; if (tid < 8) { for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xFFu, v, d); }",
        f"const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x; if (tid < 8u) v += {FEW};",
        f"int tid = threadIdx.x + blockDim.x * threadIdx.y; if (8 > tid) v += {FEW};",
        f"int t = (int)threadIdx.x; if (t >= 8) return; v += {FEW};",
        "if (threadIdx.x < 16 && n > 0) v += __shfl_xor_sync(0xffff, v, 1);",
        "if (threadIdx.x < 4) v += __shfl_xor_sync(15, v, 1);",
        f"if (threadIdx.y == 0) {{ v += {FEW}; }}",
        f"if (threadIdx.y != 0) return; v += {FEW};",
        f"if (!threadIdx.y) v += {FEW};",
    ],
)
def test_a_mask_of_just_the_lanes_that_are_there_is_right(body: str) -> None:
    assert ids(body) == []


@pytest.mark.parametrize(
    "body",
    [
        f"v += {FEW};",
        f"if (threadIdx.x < 16) v += {FEW};",
        f"if (n < 8) v += {FEW};",
        f"if (threadIdx.x % 32 < 8) v += {FEW};",  # two of the wavefront's warps get there
        f"if (threadIdx.y == 1) v += {FEW};",
        f"int t = threadIdx.x; t += 32; if (t < 8) v += {FEW};",
        "if (threadIdx.x < 8) v += __shfl_down_sync(0xF0, v, 4);",
    ],
)
def test_a_mask_of_other_lanes_is_reported(body: str) -> None:
    assert "HIP301" in ids(body)
