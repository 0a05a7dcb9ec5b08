"""What is converted without being asked is right with wavefronts of 32 and of 64 lanes."""

from __future__ import annotations

from pathlib import Path

import emulation
import pytest

pytestmark = pytest.mark.skipif(bool(emulation.why_not()), reason=f"NOT RUN: {emulation.why_not()}")

THREADS = 96
"""A wavefront of 64 lanes and half of another one."""

VALUES = [i * i % 37 for i in range(THREADS)]

HELPERS = """#pragma once
template <typename T> __device__ T first(T v) { return __shfl_sync(0xffffffff, v, 0); }
__device__ inline unsigned odd_lanes(int v) { return __ballot_sync(0xffffffff, v & 1); }
#define RANK(mask) __popc((mask) & ((1u << (threadIdx.x & 31)) - 1))
__device__ inline int sum(int v) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
  return v;
}
"""
RANKS = """#pragma once
#include "helpers.cuh"
__device__ inline int rank(unsigned m) { return RANK(m); }
"""
NARROW = {
    "first": "out[i] = first(in[i]) + 100 * (i % 32);",
    "ranks": "unsigned m = odd_lanes(in[i]); out[i] = RANK(m) + (i & 31) * 0;",
    "sums": "int lane = i & 31, s = sum(in[i]); if (lane == 0) out[i] = s;",
    "matches": "unsigned peers = __match_any_sync(0xffffffff, in[i] % 3); out[i] = __popc(peers) + i / 32 * 100;",
    "votes": "out[i] = __any_sync(~0u, !in[i] && i < 32) * 10 + __all_sync(~0u, in[i] < 37 && i > 31) + i / 32;",
    "handed_on": "unsigned m = odd_lanes(in[i]); out[i] = in[i] & 1 ? rank(m) + i / 32 * 32 : -1;",
}
"""Kernels that count in 32, with helpers of two headers."""

WIDE = {
    "total": "int lane = i % warpSize, v = in[i]; for (int d = 16; d > 0; d >>= 1)"
    " v += __shfl_down_sync(0xffffffff, v, d); if (lane == 0) atomicAdd(out, v);",
    "last": "int lane = i % warpSize; out[i] = __shfl_sync(0xffffffff, in[i], 31) + lane * 0;",
    "among": "int v = in[i] - 40; for (int d = warpSize / 2; d > 0; d >>= 1)"
    " v += __shfl_xor_sync(0xffffffff, v, d, 32); out[i] = v;",
    "region": "int v = in[i] - 40; if (threadIdx.x < 32) { for (int d = warpSize / 2; d > 0; d >>= 1)"
    " v = max(v, __shfl_xor_sync(0xffffffff, v, d)); out[i] = v; }",
}
"""Kernels of another file, which asks for no helpers, that name warpSize; they run with 64 threads."""

MAIN = """#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
void narrow(const char *name, int *in, int *out);
void wide(const char *name, int *in, int *out);
int main(int, char **argv) {
  int host[96], *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  for (int i = 0; i < 96; ++i) host[i] = i * i % 37;
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(host));
  narrow(argv[1], in, out);
  wide(argv[1], in, out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 96; ++i) printf("%d ", host[i]);
}
"""


def source(head: str, name: str, kernels: dict[str, str], threads: int) -> str:
    """A file with kernels, and the function that runs one of them by its name."""
    lines = [head, "#include <string.h>"]
    for kernel, body in kernels.items():
        lines.append(f"__global__ void {kernel}_k(const int *in, int *out) {{ int i = threadIdx.x; {body} }}")
    lines.append(f"void {name}(const char *name, int *in, int *out) {{")
    lines += [f'  if (!strcmp(name, "{kernel}")) {kernel}_k<<<1, {threads}>>>(in, out);' for kernel in kernels]
    return "\n".join([*lines, "  cudaDeviceSynchronize();", "}", ""])


def translated(folder: Path, *options: str) -> Path:
    files = {
        "main.cu": MAIN,
        "helpers.cuh": HELPERS,
        "ranks.cuh": RANKS,
        "narrow.cu": source('#include "ranks.cuh"', "narrow", NARROW, THREADS),
        "wide.cu": source("", "wide", WIDE, 64),
    }
    (folder / "in").mkdir()
    for name, text in files.items():
        (folder / "in" / name).write_text(text)
    emulation.translate(folder / "in", folder / "out", options)
    return folder / "out"


def built(folder: Path, lanes: int) -> Path:
    return emulation.build(folder, ["main.cu", "narrow.cu", "wide.cu"], lanes)


def numbers(program: Path, kernel: str) -> list[int]:
    """What each thread has in the end."""
    outcome = emulation.execute(program, arguments=[kernel])
    assert outcome.status == 0, outcome.messages
    return [int(word) for word in outcome.output.split()]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return translated(tmp_path_factory.mktemp("kept"))


@pytest.fixture(scope="module", params=(32, 64))
def lanes(request: pytest.FixtureRequest) -> int:
    width: int = request.param
    return width


@pytest.fixture(scope="module")
def program(sources: Path, lanes: int) -> Path:
    return built(sources, lanes)


def warps(size: int) -> list[list[int]]:
    return [VALUES[start : start + size] for start in range(0, THREADS, size)]


@pytest.mark.parametrize(
    ("kernel", "wanted"),
    [
        ("first", [w[0] + 100 * i for w in warps(32) for i in range(32)]),
        ("ranks", [sum(v % 2 for v in w[:i]) for w in warps(32) for i in range(32)]),
        ("sums", [0 if i else sum(w) for w in warps(32) for i in range(32)]),
        ("matches", [sum(o % 3 == v % 3 for o in w) + n * 100 for n, w in enumerate(warps(32)) for v in w]),
        ("votes", [10] * 32 + [2] * 32 + [3] * 32),
        (
            "handed_on",
            [
                sum(o % 2 for o in w[:i]) + n * 32 if w[i] % 2 else -1
                for n, w in enumerate(warps(32))
                for i in range(32)
            ],
        ),
    ],
)
def test_warps_that_count_in_32_are_kept_there(program: Path, kernel: str, wanted: list[int]) -> None:
    assert numbers(program, kernel) == wanted


def test_warp_size_is_32(program: Path) -> None:
    assert numbers(program, "total") == [sum(VALUES[:64])] + [0] * 95
    assert numbers(program, "last") == [w[31] for w in warps(32)[:2] for _ in range(32)] + [0] * 32


def test_without_the_fixes_64_lanes_give_something_else(tmp_path: Path) -> None:
    program = built(translated(tmp_path, "--no-fix", "wavefront"), 64)
    stopped = emulation.execute(program, arguments=["first"])
    assert "mask check: __shfl_sync in thread 64 names lanes" in stopped.messages
    assert numbers(program, "total") == [sum(VALUES[:32])] + [0] * 95


def test_warp_size_is_32_for_shuffles_among_32_lanes(program: Path) -> None:
    sums = [sum(v - 40 for v in w) for w in warps(32)[:2] for _ in range(32)]
    assert numbers(program, "among") == sums + [0] * 32
    assert numbers(program, "region") == [max(VALUES[:32]) - 40] * 32 + [0] * 64
