"""A rule's triggers are a gate and nothing else: with or without them a translation is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options, translate
from hipify_py.frontend.unit import Unit
from hipify_py.rules.registry import rules
from hipify_py.translator import passes

CORPUS = Path(__file__).parents[2] / "corpus"
SUFFIXES = (".cu", ".cuh", ".cpp", ".h", ".hpp")
SOURCES = sorted(path for path in CORPUS.rglob("*") if path.suffix in SUFFIXES)
EVERY = [Options(), Options(dual=True), Options(fixes=frozenset(), support=False)]


@pytest.mark.parametrize("options", EVERY, ids=["default", "dual", "no support header"])
def test_every_rule_finds_the_same_without_its_gate(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(SOURCES) > 100
    gated = [translate(path.read_bytes(), path=str(path), options=options) for path in SOURCES]
    monkeypatch.setattr(passes, "rules_for", _all_rules)
    different = []
    for path, before in zip(SOURCES, gated, strict=True):
        after = translate(path.read_bytes(), path=str(path), options=options)
        if (before.edits, before.findings) != (after.edits, after.findings):
            different.append(path.relative_to(CORPUS).as_posix())
    assert different == []


def _all_rules(unit: Unit) -> list[object]:
    return list(rules())


@pytest.mark.parametrize(
    "source",
    [
        "__device__ float f(const float *p) { return __ldg(p); }",
        "template <class T> __device__ T f(const T *p) { return __ldg(p); }",
        "// for bfloat16\ntemplate <class T> __device__ T f(const T *p) { return __ldg(p); }",
        "__device__ half f(const half *p) { return __ldg(p); }",
        "__device__ unsigned f(unsigned *p) { return atomicAnd(p, 1u); }",
        "__global__ void k(int *o) { uint32_t i = threadIdx.x; o[i] = __popc(i) + __ffsll(i); }",
        "void f(cudaDeviceProp p) { if (p.major < 3) return; }",
        "__global__ void k(int *o) { __shared__ int s[32]; s[threadIdx.x] = o[0]; __syncthreads(); o[0] = s[1]; }",
        "__global__ void k(int *o) { if (threadIdx.x < 32) { o[0] = __syncthreads_count(o[1]); } }",
        "#define WAIT __syncthreads()\n__global__ void k(int *o) { if (threadIdx.x < 32) { o[0] = 1; WAIT; } }",
        "#define FULL 4294967295u\n__global__ void k() { __syncwarp(FULL); }",
        "#define ALL -1\n#define VOTE(k) __##k##_sync(ALL, 1)\n__device__ int f() { return VOTE(any); }",
        "__device__ void f(int *m) { do { } while (atomicCAS(m, 0, 1) != 0); *m = 0; }",
        "#define LOCK(m) while (atomicCAS(m, 0, 1) != 0)\n__device__ void f(int *m) { LOCK(m); *m = 0; }",
        "__device__ void f(float *s, int t) { s[t] += s[t + 16]; s[t] += s[t + 8]; }",
    ],
)
def test_small_sources_too(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = translate(source, path="a.cu")
    monkeypatch.setattr(passes, "rules_for", _all_rules)
    after = translate(source, path="a.cu")
    assert (after.edits, after.findings) == (before.edits, before.findings)
