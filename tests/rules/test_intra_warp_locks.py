"""Lanes of one wavefront that wait for each other: whole programs, with locks and flags behind helpers and votes."""

from __future__ import annotations

import pytest

from hipify_py import translate

HEAD = "__global__ void k(int *m, int *o, volatile int *ready, const int *col, const int *ptr, int n) { "
LANE = "int lane = threadIdx.x & 31; "
SHARED_LOCK = "if (lane == 0) locked = atomicExch(m, 1) != 0; locked = __shfl_sync(0xffffffff, locked, 0{0}); "
WORK = "o[0]++; if (lane == 0) atomicExch(m, 0); }"

DEADLOCKS = {
    "a lock for each 32 lanes, shared by a shuffle": HEAD
    + LANE
    + "int locked = 1; while (locked) { "
    + SHARED_LOCK.replace("{0}", ", 32")
    + "} "
    + WORK,
    "a lock for each 32 lanes, shared by a vote": HEAD
    + LANE
    + "bool got = false; while (!__any_sync(0xffffffff, got)) { if (lane == 0) got = atomicCAS(m, 0, 1) == 0; } "
    + WORK,
    "a lock taken by a helper": "__device__ bool try_lock(int *m) { return atomicCAS(m, 0, 1) == 0; }\n"
    + HEAD
    + "while (!try_lock(m)) ; o[0]++; atomicExch(m, 0); }",
    "a lock of a class": "struct Mutex { int *m; __device__ void lock() { while (atomicCAS(m, 0, 1) != 0) ; }"
    " __device__ void unlock() { atomicExch(m, 0); } };\n" + HEAD + "Mutex q{m}; q.lock(); o[0]++; q.unlock(); }",
    "a lock in a macro": "#define LOCK(m) while (atomicCAS(m, 0, 1) != 0)\n"
    + HEAD
    + "LOCK(m); o[0]++; atomicExch(m, 0); }",
    "a lock of the standard's atomics": "#include <cuda/atomic>\n"
    + HEAD
    + "cuda::atomic_ref<int, cuda::thread_scope_device> a(*m); while (a.exchange(1) != 0) ; o[0]++; a.store(0); }",
    "a row of a triangular solver for each warp of 32": HEAD
    + "int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; "
    + LANE
    + "for (int j = ptr[row] + lane; j < ptr[row + 1]; j += 32) { while (ready[col[j]] == 0) ; o[row] += 1; }"
    " __syncwarp(); if (lane == 0) ready[row] = 1; }",
    "a row of a triangular solver for each thread": HEAD
    + "int i = blockIdx.x * blockDim.x + threadIdx.x; for (int j = ptr[i]; j < ptr[i + 1]; ++j) {"
    " while (atomicAdd((int *)&ready[col[j]], 0) == 0) ; } atomicExch((int *)&ready[i], 1); }",
    "a wait in a helper that is given a place": "__device__ void wait_for(volatile int *f)"
    " { while (*f == 0) { __nanosleep(20); } }\n"
    + HEAD
    + "int i = threadIdx.x; if (i > 0) wait_for(&ready[i - 1]); ready[i] = 1; }",
    "a wait and a signal in helpers that are given an index": "__device__ void wait_for(volatile int *f, int i)"
    " { while (f[i] == 0) ; }\n__device__ void post(volatile int *f, int i) { f[i] = 1; }\n"
    + HEAD
    + "int i = threadIdx.x; if (i > 0) wait_for(ready, i - 1); post(ready, i); }",
}

SAFE = {
    "one lane of a wavefront takes the lock for all": HEAD
    + "int lane = threadIdx.x % warpSize; int locked = 1; while (locked) { "
    + SHARED_LOCK.replace("{0}", "")
    + "} "
    + WORK,
    "one thread of a block waits for the block before": HEAD
    + "if (threadIdx.x == 0) { int p = blockIdx.x - 1; while (p >= 0 && ready[p] == 0) ; ready[blockIdx.x] = 1; } }",
    "all threads of a block wait for another block": HEAD
    + "while (ready[blockIdx.x + 1] == 0) ; __syncthreads(); o[0] = 1; }",
    "the lock is given back in the loop": HEAD
    + "bool done = false; while (!done) { if (atomicCAS(m, 0, 1) == 0) { o[0]++; atomicExch(m, 0); done = true; } } }",
    "an update without a lock": HEAD
    + "int old = *m, seen; do { seen = old; old = atomicCAS(m, seen, seen + n); } while (seen != old); }",
    "lanes that cannot go on do the round again": HEAD
    + "int i = threadIdx.x, j = ptr[i]; while (j < ptr[i + 1]) { if (ready[col[j]] == 1) j++;"
    " else if (col[j] == i) { ready[i] = 1; j++; } } }",
    "a place in a table is looked for": HEAD
    + "int h = threadIdx.x % n; while (atomicCAS(&m[h], -1, threadIdx.x) != -1) h = (h + 1) % n; o[h] = 1; }",
    "a place in a table is looked for, so many times": HEAD
    + "for (int i = 0; i < n; ++i) { if (atomicCAS(&m[i], -1, 7) == -1) break; } }",
    "a lock in a macro that one thread uses": "#define LOCK(m) while (atomicCAS(m, 0, 1) != 0)\n"
    + HEAD
    + "if (threadIdx.x == 0) { LOCK(m); o[0]++; atomicExch(m, 0); } }",
}


def locks(source: str) -> list[str]:
    return [finding.severity for finding in translate(source, path="a.cu").findings if finding.id == "HIP311"]


@pytest.mark.parametrize("source", DEADLOCKS.values(), ids=DEADLOCKS.keys())
def test_a_wait_that_64_lanes_never_leave_is_a_warning(source: str) -> None:
    assert locks(source) == ["warning"]


@pytest.mark.parametrize("source", SAFE.values(), ids=SAFE.keys())
def test_a_wait_that_lockstep_does_no_harm(source: str) -> None:
    assert locks(source) == []
