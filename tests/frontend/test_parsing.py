"""Parsing within bounds leaves nothing of a source in memory."""

from __future__ import annotations

import gc
import sys

import pytest

from hipify_py import translate
from hipify_py.frontend.parsing import SMALL

KERNEL = b"__global__ void k(int *p) { p[threadIdx.x] = __shfl_sync(0xffffffff, p[0], 0); }\n"


@pytest.mark.parametrize(
    "source",
    [KERNEL * 10, KERNEL * (SMALL // len(KERNEL) + 1), KERNEL * 2000, KERNEL + b"} ~ " * 5000],
    ids=["small", "in one piece", "in several pieces", "given up"],
)
def test_each_translation_lets_the_source_go(source: bytes) -> None:
    """What the last one still holds goes with the next."""

    def held() -> int:
        translate(source, path="a.cu")
        translate("int x;", path="b.cu")
        gc.collect()
        return sys.getrefcount(source)

    assert [held(), held(), held()] == [held()] * 3
