"""The count of instructions is right, and the support header adds none where a wavefront has 32 lanes."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
TREE = os.environ.get("HIPIFY_PY_ROCM_TREES", "")
BODY = """
; %bb.0:
\ts_load_b64 s[0:1], s[0:1], 0x0
\ts_delay_alu instid0(VALU_DEP_1)
\ts_cbranch_scc1 .LBB0_2
; %bb.1:
\tv_mov_b32_e32 v1, 0
\tv_mov_b32_e32 v2, 0
\ts_branch .LBB0_3
.LBB0_2:
\tv_mov_b32_e32 v1, 1
.LBB0_3:                                ; =>This Inner Loop Header: Depth=1
\tv_add_nc_u32_e32 v1, v1, v1
\ts_cbranch_execnz .LBB0_3
; %bb.4:
\ts_endpgm
"""


@pytest.fixture
def warp_functions(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import warp_functions

    return warp_functions


def test_the_shortest_way_takes_one_side_of_a_branch_and_one_round_of_a_loop(warp_functions: ModuleType) -> None:
    assert warp_functions.instructions_of(BODY) == (9, 6)


@pytest.mark.compiler
def test_the_header_adds_no_instruction_where_a_wavefront_has_32_lanes(warp_functions: ModuleType) -> None:
    clang = shutil.which("clang++-22")
    if not TREE or clang is None:
        pytest.skip("NOT COMPILED: HIPIFY_PY_ROCM_TREES or clang++-22 is missing")
    counts = warp_functions.counted(clang, os.path.join(TREE, "rocm-7.1"), "gfx1100")
    assert {"ballot", "sum", "match_any", "match_all", "reduce_add"} <= counts.keys()
    assert {name: sides for name, sides in counts.items() if sides["support"][1] > sides["hand"][1]} == {}
