"""What the support header has was run beside CUDA's own on an NVIDIA GPU: tests/support_header/equal/run.sh.

The record is the program's output. Names are read from the sections, so that a new one is missed here.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hipify_py.support_header.header import section_names

HERE = Path(__file__).parent
RECORD = HERE / "recorded.txt"
SECTIONS = HERE.parents[1] / "hipify_py" / "support_header" / "sections"
WITHOUT_NVCC = {
    "algorithm": "loops, as the C++ standard has them",
    "atomic": "under nvcc it is CUDA's own",
    "barrier": "under nvcc it is CUDA's own",
    "bit": "under nvcc it is CUDA's own",
    "convert": "under nvcc it is a static_cast",
    "cub_debug": "host code",
    "devices": "host code",
    "dispatch": "under nvcc it is CUDA's own",
    "either": "a macro",
    "error_text": "under nvcc it is CUDA's own",
    "extrema": "under nvcc it is CUDA's own",
    "graph_update": "host code",
    "host_bits": "under nvcc it is CUDA's own",
    "host_math": "under nvcc it is CUDA's own",
    "lane_reduce": "what the reductions are made of",
    "latch": "under nvcc it is CUDA's own",
    "legacy_blas": "host code",
    "memcpy_batch": "host code",
    "nvtx": "host code",
    "roctx": "host code",
    "one_side": "a macro",
    "pipeline": "under nvcc it is CUDA's own",
    "sincos": "it calls CUDA's own by another name",
    "streaming": "under nvcc it is CUDA's own",
    "tuple": "under nvcc it is CUDA's own",
    "uncached": "under nvcc it is CUDA's own",
    "variant": "under nvcc it is CUDA's own",
    "uncontracted": "under nvcc it is CUDA's own",
    "uninitialized": "a place for an object, of which CUDA has nothing by another name",
    "vector_bindings": "under nvcc the language has them",
    "warp32": "under nvcc it is CUDA's own",
    "warp32_groups": "under nvcc it is CUDA's own",
    "warp32_host": "host code",
    "words": "a part of the shuffles of groups and structures",
}
"""Sections of which nothing is compared, and why."""
OF_PTX = ("ptx_", "shared_address")
"""How the sections begin that stand for PTX: they have a record of their own."""
HELPERS = {
    "add_two_bytes": "a part of atomic_add",
    "count_part": "a part of labeled_partition and divide_tile; under nvcc it is CUDA's own",
    "rank_of_part": "a part of labeled_partition; under nvcc it is CUDA's own",
    "reduce_masked": "a part of the reductions",
    "tile_of_tile": "what divide_tile gives; under nvcc it is CUDA's own",
    "divide_tile": "under nvcc it is CUDA's own",
    "copy_pieces": "a part of memcpy_async",
    "copy_share": "a part of memcpy_async",
    "scan_update_old": "a part of the scans",
    "proclaim_copyable_arguments": "gives its argument back",
    "remove_cvref_t": "remove_cvref, spelled shorter",
    "dpx_max": "a part of the functions of three numbers",
    "dpx_min": "a part of the functions of three numbers",
    "dpx_max2": "a part of the functions of three numbers",
    "dpx_min2": "a part of the functions of three numbers",
    "dpx_sum": "a part of the functions of three numbers",
    "dpx_sum2": "a part of the functions of three numbers",
    "packed_parts": "a part of the SIMD functions",
    "packed_parts_saturated": "a part of the SIMD functions",
    "packed_equal": "a part of the SIMD functions",
    "packed_unequal": "a part of the SIMD functions",
    "packed_at_least": "a part of the SIMD functions",
    "packed_greater": "a part of the SIMD functions",
    "packed_at_most": "a part of the SIMD functions",
    "packed_less": "a part of the SIMD functions",
    "packed_half_sum": "a part of the SIMD functions",
    "packed_mask": "a part of the SIMD functions",
    "fp8_magnitude": "a part of the conversions",
    "fp8_encode": "a part of the conversions",
    "fp8_storage": "an unsigned char",
    "fp8x2_storage": "an unsigned short",
    "fp8x4_storage": "an unsigned int",
    "fp8_interpretation": "the compiler's own type",
    "fp8_saturation": "the compiler's own type",
    "rounding": "names of the three ways",
    "next_number": "a part of the rounded arithmetic",
    "corrected": "a part of the rounded arithmetic",
    "sum_remainder": "a part of the rounded arithmetic",
    "sign_of_rest": "a part of the rounded arithmetic",
    "fma_excess": "a part of the rounded arithmetic",
    "fma_rounded": "a part of the rounded arithmetic",
    "product_rounded": "a part of the rounded arithmetic",
    "quotient_rounded": "a part of the rounded arithmetic",
    "root_rounded": "a part of the rounded arithmetic",
    "pair_mask": "a part of the comparisons that give a mask",
    "to_unit": "a part of the saturated arithmetic",
    "bfloat16": "the compiler's own type",
    "bfloat162": "the compiler's own type",
    "e4m3": "the compiler's own constant",
    "saturated": "the compiler's own constant",
    "fp8": "fp8_e4m3 and fp8_e5m2 are made of it",
    "fp8x2": "fp8x2_e4m3 and fp8x2_e5m2 are made of it",
    "fp8x4": "fp8x4_e4m3 and fp8x4_e5m2 are made of it",
}
_NAMES = (
    re.compile(r"^(?:struct|class|using) (?:alignas\(\d+\) )?(\w+)", re.M),
    re.compile(r"^constexpr \w+ (\w+) =", re.M),
    re.compile(r"^(?:__host__ __device__|__device__|HIPIFY_EVERYWHERE) [^;{(]*?(\w+)\(", re.M),
)
"""What begins in the first column is a definition of the namespace's own."""


_LISTED = re.compile(r"\bX\((\w+)\)")


def _names(section: str) -> set[str]:
    """The types, constants and functions that a section defines in its namespace."""
    text = (SECTIONS / f"{section}.hpp").read_text(encoding="utf-8").partition("namespace hipify {")[2]
    return {name for pattern in _NAMES for name in pattern.findall(text)} - HELPERS.keys()


def _compared(program: str) -> set[str]:
    """The names that a program compares: those that it spells in its lines, and those of its lists."""
    return set(re.findall(r'"(\w+)"', program)) | set(_LISTED.findall(program))


@pytest.mark.parametrize(
    "section", [name for name in section_names() if not name.startswith(OF_PTX) and name not in WITHOUT_NVCC]
)
def test_every_name_of_a_section_is_compared(section: str) -> None:
    program = "".join(path.read_text(encoding="utf-8") for path in sorted((HERE / "equal").glob("*.cu")))
    names = _names(section)
    assert names
    assert names - _compared(program) == set(), "add a comparison to tests/support_header/equal/equal.cu"


def test_the_record_says_that_all_are_equal() -> None:
    if not RECORD.is_file():
        pytest.skip("NOT RECORDED: run tests/support_header/equal/run.sh where there is an NVIDIA GPU")
    lines = RECORD.read_text(encoding="utf-8").splitlines()
    compared = [line for line in lines if " values " in line]
    assert all(line.endswith(" equal") for line in compared)
    program = (HERE / "equal" / "equal.cu").read_text(encoding="utf-8")
    wanted = set(re.findall(r'(?:compare<.*?>|COMPARE_TILES|line)\("(\w+)"', program))
    wanted |= set(_LISTED.findall(program))
    recorded = {line.split()[0] for line in compared}
    assert recorded - wanted == set()
    if wanted - recorded:
        pytest.xfail(f"not yet compared on a GPU: {', '.join(sorted(wanted - recorded))}")
