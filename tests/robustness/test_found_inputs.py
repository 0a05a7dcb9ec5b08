"""The inputs that `tools/fuzz.py` found, cut down: what broke a law once must not break it again, by any options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from hipify_py import Options, translate
from hipify_py.catalog import Targeting
from hipify_py.core.edits import apply
from hipify_py.core.options import GROUPS

INPUTS = Path(__file__).parent / "found_inputs"
FOUND_WITH: dict[str, dict[str, Any]] = yaml.safe_load((INPUTS / "options.yaml").read_text())
EVERY_FIX = {"fixes": list(GROUPS)}
ALSO_WITH: tuple[dict[str, Any], ...] = (
    {},
    {"annotate": True, **EVERY_FIX},
    {"fixes": [], "rocm": "6.2"},
    {"support": False, "implicit_runtime": False, **EVERY_FIX},
)


def options_of(chosen: dict[str, Any]) -> Options:
    versions = {key: chosen[key] for key in ("cuda", "rocm", "target") if key in chosen}
    others = {key: value for key, value in chosen.items() if key not in versions}
    if "fixes" in others:
        others["fixes"] = frozenset(others["fixes"])
    return Options(**others, targeting=Targeting(**{"cuda": "", "rocm": "", "target": "hip", "tables": ()} | versions))


def test_each_input_has_its_options() -> None:
    assert sorted(path.name for path in INPUTS.iterdir() if path.suffix != ".yaml") == sorted(FOUND_WITH)


@pytest.mark.parametrize("also", [None, *ALSO_WITH], ids=["as found", "defaults", "annotated", "no fix", "no support"])
@pytest.mark.parametrize("name", sorted(FOUND_WITH))
def test_what_was_found(name: str, also: dict[str, Any] | None) -> None:
    options = options_of(FOUND_WITH[name] if also is None else also)
    data = (INPUTS / name).read_bytes()
    result = translate(data, path=name, options=options)
    assert apply(data, result.edits) == result.output
    again = translate(result.output, path=name, options=options)
    assert again.output.decode() == result.output.decode()


@pytest.mark.parametrize(
    "first",
    [
        "__global__ void f() {}",
        '#include "own.h"\n__global__ void f() {}',
        "// nothing of CUDA\n",
        "#pragma once\n__device__ int f(int v) { return __shfl_sync(0xffffffff, v, 0); }",
    ],
)
@pytest.mark.parametrize("suffix", [".cu", ".cuh", ".h", ".cpp"])
@pytest.mark.parametrize(
    "second",
    [
        "constexpr unsigned all_lanes_mask = 0xffffffffu;",
        "#define WARP_FULL_MASK (~0u)",
        "__device__ int g(int v, unsigned m) { return __any_sync(m, v) + __popc(__ballot_sync(~0u, v)); }",
        "template <typename T> __device__ T h(T v, unsigned m) { return __shfl_down_sync(m, v, 1) / warpSize; }",
        '__device__ int s[warpSize]; static_assert(warpSize == 32, "");',
        "#define BELOW(v, ...) __shfl_up_sync(__activemask(), v, ##__VA_ARGS__)",
    ],
)
def test_what_stays_cuda_is_not_changed_again(first: str, second: str, suffix: str) -> None:
    """An unknown symbol keeps a translated source from being taken for HIP: it is read as CUDA once more."""
    for chosen in (*ALSO_WITH, {"fixes": ["warp-size"], "annotate": True}):
        options = options_of(chosen)
        source = f"{first}\n{second}\nvoid stays() {{ cudaNotYetKnown(); }}\n".encode()
        once = translate(source, path=f"a{suffix}", options=options).output
        assert translate(once, path=f"a{suffix}", options=options).output.decode() == once.decode()
