"""Lanes of one wavefront that wait for each other: whole programs, with locks and flags behind helpers and votes."""

from __future__ import annotations

import pytest

from hipify_py import translate

HEAD = "__global__ void k(int *m, int *o, volatile int *ready, const int *col, const int *ptr, int n) { "
LANE = "int lane = threadIdx.x & 31; "
SHARED_LOCK = "if (lane == 0) locked = atomicExch(m, 1) != 0; locked = __shfl_sync(0xffffffff, locked, 0{0}); "
TWO = "__global__ void k(int *a, int *b, int *m, int *o, volatile int *full, int n) { "
TAKE = (
    "__device__ bool take(int *p) { return atomicCAS(p, 0, 1) == 0; }\n"
    "__device__ void give(int *p) { __threadfence(); atomicExch(p, 0); }\n"
)
WORK = "o[0]++; if (lane == 0) atomicExch(m, 0); }"

SLOTS = (
    "constexpr long LOCKED = 7; struct Bucket { cuda::atomic<long> *keys_;"
    " __device__ cuda::atomic<long> *keys(int i) const { return keys_ + i; } };\n"
)

DEADLOCKS = {
    "a lock of every W threads, which a template parameter gives": (
        "template <int W> __device__ void lock(int *m) {\n"
        "  if (threadIdx.x % W == 0) { while (atomicCAS(m, 0, 1) != 0) {} }\n  __syncwarp();\n}\n"
        "template <int W> __device__ void unlock(int *m) { if (threadIdx.x % W == 0) atomicExch(m, 0); }\n"
        "__global__ void k(int *m, volatile int *c) { lock<32>(m); *c += 1; unlock<32>(m); }\n"
    ),
    "a lock of a tile whose size a template parameter gives": (
        "template <int N> __device__ void lock(const cg::thread_block_tile<N> &tile, volatile int &word) {\n"
        "  if (tile.thread_rank() == 0) { while (atomicCAS((int *)&word, 1, 0) == 0) {} }\n  tile.sync();\n}\n"
        "template <int N> __device__ void unlock(const cg::thread_block_tile<N> &tile, volatile int &word) {\n"
        "  tile.sync();\n  if (tile.thread_rank() == 0) atomicExch((int *)&word, 1);\n}\n"
        "__global__ void k(int *words, int *o) {\n"
        "  auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "  lock<32>(tile, words[o[0]]); o[1] += 1; unlock<32>(tile, words[o[0]]);\n}\n"
    ),
    "a lock in a function that only a macro of another file marks": "template <class T> DI void add(int *m, T *o) {"
    " while (atomicCAS(m, 0, 1) != 0) {} *o += 1; atomicExch(m, 0); }\n"
    "template <class T> KERNEL_OF(128) void k(int *m, T *o) { add(m, o); }\n"
    "__global__ void k(int *m, int *o) { add(m, o); }\n",
    "variables that are copies of each other": HEAD
    + "int a, b; for (int i = 0; i < n; ++i) { a = b; b = a; o[threadIdx.x % a] = i / b;"
    " while (atomicCAS(m, 0, a) == b) { } } " + WORK,
    "conditions that are copies of each other": HEAD
    + "bool a, b; for (int i = 0; i < n; ++i) { b = a && n; a = b; if (a) while (atomicCAS(m, 0, 1) != 0) { } } "
    + WORK,
    "masks that are copies of each other": HEAD
    + "unsigned a, b; for (int i = 0; i < n; ++i) { a = b; b = a; o[i] = __shfl_sync(a, i, 0);"
    " while (atomicCAS(m, 0, 1) != 0) { } } " + WORK,
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
    "a tile that asks again while its slot is locked": SLOTS
    + "__device__ int find(cg::thread_block_tile<32> g, Bucket *bucket, const long wanted, int &at) {"
    " long expected; unsigned vote; cuda::atomic<long> *slot = bucket->keys(g.thread_rank()); do { expected = wanted;"
    " bool got = slot->compare_exchange_strong(expected, LOCKED, order, order); vote = g.ballot(got);"
    " if (vote) { at = __ffs(vote) - 1; return 1; } vote = g.ballot(expected == LOCKED); } while (vote != 0);"
    " return 0; }",
    "a place that is told by reference": SLOTS
    + "__device__ int find(Bucket *bucket, long wanted, int &at) { at = threadIdx.x % 32; long found = wanted;"
    " if (bucket->keys(at)->compare_exchange_strong(found, LOCKED)) return 1;"
    " while ((found = bucket->keys(at)->load()) == LOCKED) { } return 0; }\n"
    "__global__ void k(Bucket *bucket, const long *wanted, int *o) { int at = -1; if (!find(bucket, wanted[0], at))"
    " return; o[at] = 1; bucket->keys(at)->store(wanted[0]); }",
    "roles of warps in a table, two in one wavefront": "enum class Role { Load = 1, Mma = 2, Compute = 3 };\n"
    "struct Ring { volatile int full; __device__ void acquire() { while (!full) { } } __device__ void give()"
    " { full = 1; } };\n__device__ Role role_of(int warp) { return static_cast<Role>((0x123333ull >> (4 * warp)) & 15); }\n"
    "__global__ void k(Ring *ring) { Role role = role_of(threadIdx.x / 32);"
    " if (role == Role::Load) ring->give(); else if (role == Role::Mma) ring->acquire(); }",
    "roles of warps in one of two tables": "enum class Role { Load = 1, Mma = 2, Compute = 3 };\n"
    "struct Ring { volatile int full; __device__ void acquire() { while (!full) { } } __device__ void give()"
    " { full = 1; } };\ntemplate <bool kAsync> struct K { static const unsigned long long kRoles = kAsync ?"
    " 0x1121'3333ull : 0x21'3333ull; static __device__ Role role_of(int warp) { return"
    " static_cast<Role>((kRoles >> (4 * warp)) & 0xF); } __device__ void operator()(Ring *ring) {"
    " Role role = role_of(threadIdx.x / 32); if (role == Role::Load) ring->give();"
    " else if (role == Role::Mma) ring->acquire(); } };",
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
    "a plain flag that a fence has loaded anew": "__global__ void k(int *left, double *x) {"
    " int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, t;"
    " if (lane == 0) { do { t = left[w]; __threadfence(); } while (t > 0); } __syncwarp(); x[w * 32 + lane] *= 2;"
    " for (int j = lane; j < 9; j += 32) atomicSub(&left[w + j + 1], 1); }",
    "a lock in a function that a macro of another file marks": "template <typename T> DI bool take(T *m) {"
    " while (atomicCAS(m, 0, 1)) { __nanosleep(100); } __threadfence(); return true; }\n",
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
    "a ticket lock": "__global__ void add(unsigned *next, unsigned *turn, int *sum, const int *v) {"
    " const unsigned t = atomicAdd(next, 1u); while (atomicAdd(turn, 0u) != t) { } *sum += v[threadIdx.x];"
    " __threadfence(); atomicAdd(turn, 1u); }",
    "a ticket lock read as volatile": "__global__ void k(unsigned *next, volatile unsigned *serving, int *sum) {"
    " unsigned mine = atomicInc(next, 0xffffffffu); for (;;) { if (*serving == mine) break; __nanosleep(8); }"
    " sum[0] += 1; *serving = mine + 1; }",
    "a flag of a helper with a negation": "__device__ int load_acquire(const int *p) { int v = *(const volatile int *)p;"
    " __threadfence(); return v; }\n__device__ void store_release(int *p, int v) { *(volatile int *)p = v; }\n"
    "__global__ void k(int *r, const int *ptr, const int *col, float *x) { int row = (blockIdx.x * blockDim.x +"
    " threadIdx.x) / 32, lane = threadIdx.x % 32; for (int k = ptr[row] + lane; k < ptr[row + 1]; k += 32)"
    " while (!load_acquire(&r[col[k]])) { } if (lane == 0) store_release(&r[row], 1); }",
    "an index asked of a member": "struct Rows { volatile int *flags; __device__ bool done(int i) const"
    " { return flags[i] != 0; } __device__ void finish(int i) { flags[i] = 1; } };\n"
    "__global__ void k(Rows rows, const int *before, float *x) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
    " while (!rows.done(before[i])) { } x[i] += x[before[i]]; rows.finish(i); }",
    "a load of PTX": "__device__ int acquire(const int *p) { int v;"
    ' asm volatile("ld.acquire.gpu.b32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }\n'
    "__global__ void k(int *f, float *x) { int t = threadIdx.x; if (t > 0) { while (acquire(f + t - 1) == 0); }"
    ' x[t] = 1; asm volatile("st.release.gpu.b32 [%0], %1;" :: "l"(f + t), "r"(1) : "memory"); }',
    "a load around the caches": "__global__ void k(int *f, float *x) { int t = threadIdx.x;"
    " do { } while (t > 0 && __ldcg(&f[t - 1]) == 0); x[t] = 1; __threadfence(); atomicExch(&f[t], 1); }",
    "a loop that works when the row is there": "__global__ void k(volatile int *r, const int *p, const int *c, float *x) {"
    " int i = blockIdx.x * blockDim.x + threadIdx.x; int j = p[i]; float s = 0; while (j < p[i + 1]) {"
    " if (r[c[j]] == 1) { s += x[c[j]]; ++j; } } x[i] = s; __threadfence(); r[i] = 1; }",
    "a row of a warp whose columns are read anew in each round": HEAD
    + "int row = threadIdx.x / 32, lane = threadIdx.x % 32, c, j = ptr[row] + lane; float s = 0;"
    " while (j < ptr[row + 1]) { c = col[j]; if (atomicAdd((int *)&ready[c], 0) == 1) { s += o[c]; j += 32; } }"
    " if (!lane) { o[row] = s; ready[row] = 1; } }",
    "a lock with a flag of its own, given back after the loop": HEAD
    + "bool got = false; do { if (atomicCAS(m, 0, 1) == 0) got = true; } while (!got); o[0]++; atomicExch(m, 0); }",
    "a lock in a loop without an end": HEAD
    + "for (;;) { if (atomicExch(m, 1) == 0) break; } o[0]++; __threadfence(); *m = 0; }",
    "a lock with rounds that are counted": HEAD
    + "for (int tries = 0; atomicCAS(m, 0, 1) != 0; ++tries) __nanosleep(20); o[0]++; atomicExch(m, 0); }",
    "a lock by the names of constants": "enum { kFree, kTaken };\n"
    + HEAD
    + "while (kFree != atomicCAS(&m[ptr[0]], kFree, kTaken)) { } o[0]++; atomicExch(&m[ptr[0]], kFree); }",
    "a bit as a lock": HEAD + "while (atomicOr(m, 1) & 1) { } o[0]++; atomicAnd(m, ~1); }",
    "a lock of the compiler's": HEAD + "while (__sync_lock_test_and_set(m, 1)) ; o[0]++; *m = 0; }",
    "an atomic flag": "#include <cuda/std/atomic>\n__device__ cuda::std::atomic_flag busy;\n"
    + HEAD
    + "while (busy.test_and_set(cuda::std::memory_order_acquire)) { } o[0]++; busy.clear(); }",
    "a compare_exchange that is set anew": "#include <cuda/atomic>\n"
    "__global__ void k(cuda::atomic<int> *a, int *o) { int expected = 0; while (!a->compare_exchange_weak(expected, 1))"
    " expected = 0; o[0]++; a->store(0); }",
    "a lock and its release in macros": "#define ACQUIRE(m) do { } while (atomicCAS(m, 0, 1) != 0)\n"
    "#define RELEASE(m) atomicExch(m, 0)\n" + HEAD + "ACQUIRE(&m[o[0]]); o[1]++; RELEASE(&m[o[0]]); }",
    "one lane of each warp with a tile": "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
    + HEAD
    + "auto tile = cg::tiled_partition<32>(cg::this_thread_block()); if (tile.thread_rank() == 0)"
    " while (atomicCAS(m, 0, 1) != 0) { } tile.sync(); o[0]++; if (tile.thread_rank() == 0) atomicExch(m, 0); }",
    "one lane of each row of a block": HEAD
    + "if (threadIdx.x == 0) { while (atomicCAS(m, 0, 1) != 0) { } o[threadIdx.y]++; atomicExch(m, 0); } }",
    "roles by warp over a flag": "__global__ void k(int *o) { __shared__ volatile int full; int warp = threadIdx.x / 32;"
    " if (warp == 0) { o[0] = 1; full = 1; } else if (warp == 1) { while (!full) { } o[1] = o[0]; } }",
    "a wait that is written after it": "__global__ void k(int *o) { __shared__ volatile int full; int w = threadIdx.x >> 5;"
    " if (w == 1) { while (full == 0) ; o[1] = o[0]; } if (w == 0) { o[0] = 1; full = 1; } }",
    "a switch over warps": "__global__ void k(int *o) { __shared__ volatile int full; switch (threadIdx.x / 32) {"
    " case 0: full = 1; break; case 1: while (!full) { } o[1] = 1; break; } }",
    "a barrier with roles": "#include <cuda/barrier>\n__global__ void k(int *o) {"
    " __shared__ cuda::barrier<cuda::thread_scope_block> ready; if (threadIdx.x < 32) { o[0] = 1; ready.arrive(); }"
    " else { ready.arrive_and_wait(); o[1] = o[0]; } }",
    "a barrier of PTX with roles": "__device__ void wait_for(unsigned bar, unsigned phase) {"
    ' asm volatile("{ .reg .pred P; W: mbarrier.try_wait.parity.shared.b64 P, [%0], %1; @P bra D; bra W; D: }"'
    ' :: "r"(bar), "r"(phase)); }\n__device__ void arrive(unsigned bar) {'
    ' asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(bar)); }\n'
    "__global__ void k(unsigned bar, int *o) { int warp = threadIdx.x / 32; if (warp == 0) { o[0] = 1; arrive(bar); }"
    " else { wait_for(bar, 0); o[warp] = o[0]; } }",
    "one member of the object is waited for and written": "struct Queue { volatile int head, tail; };\n"
    "__device__ void reserve(Queue *q) { while (q->tail == 0) { } }\n__device__ void submit(Queue *q) { q->tail = 1; }\n"
    + HEAD
    + "Queue *q = (Queue *)o; if (threadIdx.x < 9) reserve(q); submit(q); }",
    "a producer and a consumer in functions that wait for each other": "struct Queue { volatile int length; int *data; };\n"
    "__device__ void produce(Queue *q, int n) { for (int i = 0; i < n; ++i) { while (q->length != 0) { } q->length = 1; } }\n"
    "__device__ void consume(Queue *q, int n) { for (int i = 0; i < n; ++i) { while (q->length == 0) { } q->length = 0; } }\n"
    "__global__ void k(Queue *all, int n) { Queue *q = &all[blockIdx.x]; if (threadIdx.x < 32) produce(q, n);"
    " else { consume(q, n); } }",
    "a wait in a helper of a helper": "__device__ void spin(volatile int *f) { while (*f == 0) { } }\n"
    "__device__ void await(volatile int *f, int i) { spin(f + i); }\n"
    + HEAD
    + "int i = threadIdx.x; if (i > 0) await(ready, i - 1); o[i] = 1; ready[i] = 1; }",
    "a lock that PTX takes in a loop of its own": "__device__ void lock(int *p) {"
    ' asm volatile("{ .reg .pred q; .reg .b32 t; AGAIN: atom.global.cas.b32 t, [%0], 0, 1; setp.ne.s32 q, t, 0;'
    ' @q bra AGAIN; }" :: "l"(p) : "memory"); }\n'
    "__global__ void k(int *m, int *o) { lock(m); o[0]++; atomicExch(m, 0); }",
    "a lock of PTX that says by a register whether it is taken": "__device__ bool take(int *p) { int ok;"
    ' asm volatile("{ .reg .pred s; .reg .b32 x; atom.cas.b32 x, [%1], 0, 1; setp.eq.s32 s, x, 0;'
    ' selp.b32 %0, 1, 0, s; }" : "=r"(ok) : "l"(p)); return ok; }\n'
    + HEAD
    + "while (!take(m)) ; o[0]++; atomicExch(m, 0); }",
    "a lock of PTX that a macro is pasted into": '#define SCOPE ".gpu"\n__device__ int take(int *p) { int r;'
    ' asm volatile("atom.acquire" SCOPE ".cas.b32 %0, [%1], 0, 1;" : "=r"(r) : "l"(p)); return r; }\n'
    + HEAD
    + "while (take(m)) ; o[0]++; atomicExch(m, 0); }",
    "a turn by the lane's number from PTX": "__device__ int lane() { int r;"
    ' asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }\n'
    + HEAD
    + "while (*ready != lane()) ; o[0]++; *ready = lane() + 1; }",
    "a turn in a member of a global object": "struct State { volatile int turn; int sum; };\n__device__ State g;\n"
    "__device__ void enter(int i) { while (g.turn != i) ; }\n__device__ void leave(int i) { g.turn = i + 1; }\n"
    + HEAD
    + "enter(threadIdx.x); g.sum += 1; leave(threadIdx.x); }",
    "a ticket of a class with atomic members": "#include <cuda/atomic>\n"
    "struct Ticket { cuda::atomic<unsigned> next, serving; __device__ void lock() { unsigned mine = next.fetch_add(1);"
    " while (serving.load() != mine) { } } __device__ void unlock() { serving.fetch_add(1); } };\n"
    "__global__ void k(Ticket *t, int *o) { t->lock(); o[0]++; t->unlock(); }",
    "a flag that a parameter gives back": "__device__ void look(const int *p, int *v) { *v = *(const volatile int *)p; }\n"
    + HEAD
    + "int i = threadIdx.x, v; if (i) do { look(&m[i - 1], &v); } while (v == 0); o[i] = 1; atomicExch(&m[i], 1); }",
    "a warp that goes round until all that the others write is there": "__global__ void k(int *o, int n) {"
    " __shared__ volatile int tail[4]; const auto role = [=]() { return threadIdx.x / 32 == 3 ? 1 : 0; }();"
    " if (role == 0) { o[threadIdx.x] = 1; tail[threadIdx.x / 32] = n; } else { int left = n, last = 0;"
    " while (__any_sync(0xffffffff, left > 0)) { for (int i = 0; i < 3; ++i) { int now = tail[i];"
    " if (now == last) continue; left -= now - last; last = now; } } } }",
    "roles by warps that share one wavefront": "__global__ void k(int *o) { __shared__ volatile int full;"
    " int warp = threadIdx.x / 32; if (warp >= 4 && warp <= 8) { full = 1; }"
    " else if (warp == 9) { while (!full) { } o[1] = 1; } }",
    "turns of warps in a helper": "__device__ void enter(volatile int *turn) { while (*turn != threadIdx.x / 32) ; }\n"
    "__global__ void k(volatile int *turn, int *o) { enter(turn); o[threadIdx.x / 32]++;"
    " if (threadIdx.x % 32 == 0) *turn = threadIdx.x / 32 + 1; }",
    "the same part of an array, by another variable": "#define SYNC_OFFSET (RANKS)\n"
    "template <int RANKS> __global__ void k(volatile size_t *flags, int rank) {"
    " while (flags[SYNC_OFFSET + threadIdx.x] < 1) { } flags[SYNC_OFFSET + (rank ^ threadIdx.x)] = 1; }",
    "what stands an offset before": "#define ROW_OFFSET (W + 1)\n"
    "template <int W> __global__ void k(volatile int *f) { int i = threadIdx.x; while (f[i - ROW_OFFSET] == 0) { } f[i] = 1; }",
    "a flag that a thread of the same block may write": "__global__ void k(volatile int *flags, int n) {"
    " if (threadIdx.x == 0) { if (blockIdx.x < 2) flags[1] = n; } else if (blockIdx.x == 0) { while (flags[1] < n) { } } }",
    "a lock that those give back who go round again, by a vote": TWO
    + "while (true) { int seen = atomicCAS(m, 0, 1); if (__all_sync(~0u, seen == 0)) break;"
    " if (seen == 0) atomicExch(m, 0); } o[0]++; atomicExch(m, 0); }",
    "a lock of a cell that a warp gives back to one of higher rank": TWO
    + "int rank = threadIdx.x / 32 + 1, again = 1; int *cell = n > 3 ? m + o[0] : nullptr; while (true) {"
    " int other = (cell && again) ? atomicCAS(cell, 0, rank) : 0; if (__all_sync(0xffffffff, other == 0)) { break; } else {"
    " if (__any_sync(0xffffffff, other > rank)) { if (cell) *cell = 0; __threadfence(); again = 1; }"
    " else { again = (other > 0); } } } o[0]++; if (cell) *cell = 0; }",
    "a lock that all have by a ballot, or none": TWO
    + "for (;;) { const int seen = atomicExch(m, 1); const unsigned free = __ballot_sync(~0u, seen == 0);"
    " if (__popc(free) == 32) break; if (!seen) atomicExch(m, 0); } o[0]++; *m = 0; }",
    "a vote that ends the loop by its condition": TWO
    + "bool ok; do { bool got = !atomicExch(m, 1); ok = __all_sync(~0u, got); if (!ok && got) atomicExch(m, 0); }"
    " while (!ok); o[0]++; atomicExch(m, 0); }",
    "two locks, the first given back without the second": TWO
    + "while (1) { if (!atomicCAS(a, 0, 1)) { if (!atomicCAS(b, 0, 1)) break; atomicExch(a, 0); } } o[0]++;"
    " atomicExch(b, 0); atomicExch(a, 0); }",
    "two locks with the next round in a continue": TWO
    + "while (true) { if (atomicCAS(a, 0, 1) != 0) continue; if (atomicCAS(b, 0, 1) != 0) { atomicExch(a, 0); continue; }"
    " break; } o[0]++; *b = 0; *a = 0; }",
    "two locks with what was taken in variables": TWO
    + "bool one, other; do { one = atomicCAS(a, 0, 1) == 0; other = one && atomicCAS(b, 0, 1) == 0;"
    " if (one && !other) *a = 0; } while (!other); o[0]++; *b = 0; *a = 0; }",
    "two locks in the condition of a loop": TWO
    + "bool one = false; while (!(one = atomicCAS(a, 0, 1) == 0) || atomicCAS(b, 0, 1) != 0) { if (one) atomicExch(a, 0); }"
    " o[0]++; *a = *b = 0; }",
    "two locks behind helpers": TAKE
    + TWO
    + "while (1) { if (take(a)) { if (take(b)) break; give(a); } } o[0]++; give(b); give(a); }",
    "two locks of a class": "struct Lock { int word; __device__ bool try_lock() { return atomicCAS(&word, 0, 1) == 0; }"
    " __device__ void unlock() { atomicExch(&word, 0); } };\n__global__ void k(Lock *p, Lock *q, int *o) { while (true) {"
    " if (p->try_lock()) { if (q->try_lock()) break; p->unlock(); } } o[0]++; q->unlock(); p->unlock(); }",
    "two elements of one array of locks": TWO
    + "int i = o[threadIdx.x], j = o[i]; bool both = false; while (!both) { if (atomicCAS(&m[i], 0, 1) == 0) {"
    " if (atomicCAS(&m[j], 0, 1) == 0) both = true; else atomicExch(&m[i], 0); } } o[i]++; m[i] = m[j] = 0; }",
    "a lock that is given back before the function is left, and kept by a break": TWO
    + "while (1) { if (!atomicCAS(m, 0, 1)) { if (*full) { atomicExch(m, 0); return; } break; } } o[0]++;"
    " atomicExch(m, 0); }",
    "a lock that is given back where there is nothing to do": TWO
    + "bool done = false, idle = false; do { if (atomicExch(m, 1) == 0) { if (o[2] > n) { idle = true; atomicExch(m, 0);"
    " done = true; } else { done = true; } } } while (!done); if (!idle) { o[0]++; atomicExch(m, 0); } }",
    "a lock that is kept after much other work": TWO
    + "while (1) { if (!atomicExch(m, 1)) { "
    + "".join(f"if (a[{i}] > n) b[{i}]++; else b[{i}] -= n; " for i in range(12))
    + "if (*full) { *m = 0; continue; } break; } } o[0]++; *m = 0; }",
    "a lock that is given back for as long as a slot is full": TWO
    + "bool mine = false; while (!mine) { if (atomicCAS(m, 0, 1) == 0) { if (*full) atomicExch(m, 0); else mine = true; } }"
    " o[0]++; atomicExch(m, 0); }",
    "a helper that says by a number of its own whether the lock is taken": "__device__ int swap(int *p, int v) {"
    " return atomicCAS(p, -1, v); }\n"
    + TWO
    + "while (1) { if (swap(m, 5) == -1) { if (o[1] < n) break; *m = -1; } } o[0]++; *m = -1; }",
    "a first lane that shares what it got, and gives back at times": TWO
    + LANE
    + "int seen; while (1) { if (lane == 0) seen = atomicCAS(m, 0, 1); seen = __shfl_sync(~0u, seen, 0);"
    " if (seen == 0) { if (n > *full) break; if (lane == 0) atomicExch(m, 0); } } o[0]++; if (lane == 0) *m = 0; }",
}

SAFE = {
    "a sum of plain memory with a fence in its loop": "__global__ void k(int *f, int *n) { int i = threadIdx.x, s = 0;"
    " for (int j = 0; j < n[0]; ++j) { s += f[j]; __threadfence(); } f[i] = s; }",
    "a lock for the thread that a shared variable names": HEAD
    + "__shared__ int best; pick(&best); __syncthreads(); if (best == threadIdx.x) {"
    " while (atomicCAS(m, 0, 1) != 0) ; o[0]++; atomicExch(m, 0); } }",
    "one thread of a block of rows and columns by its number": HEAD
    + "int t = threadIdx.y * blockDim.x + threadIdx.x; if (!t) { while (atomicCAS(m, 0, 1) != 0) { } o[0]++; *m = 0; } }",
    "a barrier of the blocks, twice": "__device__ void meet(volatile int *arrived, int n) { arrived[blockIdx.x] = n;"
    " while (arrived[threadIdx.x] < n) { } }\n" + HEAD + "meet(ready, 1); o[threadIdx.x] = 1; meet(ready, 2); }",
    "another member of the object is written": "struct Queue { volatile int head, tail; };\n"
    "__device__ void reserve(Queue *q) { while (q->head == 0) { } }\n__device__ void submit(Queue *q) { q->tail = 1; }\n"
    + HEAD
    + "Queue *q = (Queue *)o; if (threadIdx.x < 9) reserve(q); submit(q); }",
    "a lock for each thread": HEAD
    + "int i = blockIdx.x * blockDim.x + threadIdx.x; while (atomicCAS(&m[i], 0, 1) != 0) { } o[i]++;"
    " atomicExch(&m[i], 0); }",
    "a place of each thread's own that the host empties": HEAD
    + "int i = threadIdx.x; while (ready[i] != -1) ; ready[i] = o[i]; }",
    "one thread of a block of several rows": HEAD
    + "if (threadIdx.x == 0 && threadIdx.y == 0) { while (atomicCAS(m, 0, 1) != 0) { } o[0]++; atomicExch(m, 0); } }",
    "the others of the block have left": HEAD
    + "if (threadIdx.x != 0) return; while (atomicCAS(m, 0, 1) != 0) { } o[0]++; atomicExch(m, 0); }",
    "the first thread by its name": HEAD
    + "const bool is_leader = threadIdx.x == 0; if (is_leader) { while (atomicExch(m, 1)) { } o[0]++; *m = 0; } }",
    "a thread that is no other": HEAD + "if (!threadIdx.x) { while (atomicExch(m, 1)) { } o[0]++; *m = 0; } }",
    "one thread of a block by its group": "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
    + HEAD
    + "auto block = cg::this_thread_block(); if (block.thread_rank() == 0) { while (atomicExch(m, 1)) { } o[0]++;"
    " *m = 0; } }",
    "a maximum by compare and swap": "__device__ float largest(float *p, float v) { int *a = (int *)p, old = *a, assumed;"
    " do { assumed = old; if (__int_as_float(assumed) >= v) break;"
    " old = atomicCAS(a, assumed, __float_as_int(v)); } while (assumed != old); return __int_as_float(old); }",
    "a push onto a list": "struct Node { Node *next; };\n__device__ void push(Node **head, Node *n) { Node *seen;"
    " do { seen = *(Node *volatile *)head; n->next = seen; } while ((Node *)atomicCAS((unsigned long long *)head,"
    " (unsigned long long)seen, (unsigned long long)n) != seen); }",
    "an update by compare_exchange": "#include <cuda/atomic>\n__device__ void twice(cuda::atomic<int> &a) {"
    " int seen = a.load(); while (!a.compare_exchange_weak(seen, seen * 2)) { } }",
    "a table that is probed in a loop without an end": "__device__ int put(int *keys, int n, int key) { int at = key % n;"
    " while (true) { int old = atomicCAS(&keys[at], -1, key); if (old == -1 || old == key) return at;"
    " at = (at + 1) % n; } }",
    "a place that the lanes look for together": "__device__ void put(int *slots, int key, int lane) { bool todo = true;"
    " while (__any_sync(0xffffffff, todo)) { int seen = slots[lane]; unsigned free = __ballot_sync(0xffffffff, seen == -1);"
    " if (free == 0) break; int at = __ffs(free) - 1; if (lane == at && todo)"
    " todo = atomicCAS(&slots[at], -1, key) != -1; } }",
    "the root of a tree is looked for": "__device__ int root(volatile int *parent, int x) {"
    " while (parent[x] != x) x = parent[x]; return x; }\n__global__ void k(int *parent, int *o) { int i = threadIdx.x;"
    " o[i] = root(parent, i); parent[i] = o[i]; }",
    "rounds of the whole block": "__global__ void k(int *o) { __shared__ volatile int changed; do { __syncthreads();"
    " changed = 0; __syncthreads(); if (o[threadIdx.x]-- > 0) changed = 1; __syncthreads(); } while (changed); }",
    "a list of work": HEAD + "while (true) { int i = atomicAdd(m, 1); if (i >= n) break; o[i] = ptr[i]; } }",
    "the block before has to be ready": HEAD
    + "__shared__ int sum; if (threadIdx.x == 0) { while (ready[blockIdx.x - 1] == 0) { } sum = o[0]; ready[blockIdx.x] = 1; }"
    " __syncthreads(); }",
    "one warp waits for the blocks before": HEAD
    + "if (threadIdx.x < 32) { int p = blockIdx.x - 1 - threadIdx.x; while (p >= 0 && ready[p] == 0) { } }"
    " __syncthreads(); if (threadIdx.x == 0) ready[blockIdx.x] = 1; }",
    "the arrivals of a barrier of the grid": HEAD
    + "__syncthreads(); if (threadIdx.x == 0) { atomicAdd(m, 1); while (*(volatile int *)m < n) { } } __syncthreads(); }",
    "all wait for the last block": HEAD
    + "if (threadIdx.x == 0) atomicAdd(m, 1); while (*(volatile int *)m < n) { } o[threadIdx.x] = 1; }",
    "a flag that was set before": "__global__ void k(int *o) { __shared__ volatile int full; full = 1;"
    " while (!full) { } o[threadIdx.x] = 1; }",
    "roles by wavefronts": "__global__ void k(int *o) { __shared__ volatile int full; if (threadIdx.x < 64) { o[0] = 1;"
    " full = 1; } else { while (!full) { } o[threadIdx.x] = o[0]; } }",
    "roles by groups of two warps": "__global__ void k(int *o) { __shared__ volatile int full; int warp = threadIdx.x / 32;"
    " if (warp / 2 == 0) full = 1; else { while (!full) { } o[threadIdx.x] = 1; } }",
    "a barrier that all come to": "#include <cuda/barrier>\n__global__ void k(int *o) {"
    " __shared__ cuda::barrier<cuda::thread_scope_block> all; o[0] = 1; all.arrive_and_wait(); o[threadIdx.x] = o[0]; }",
    "the neighbours have written before": HEAD
    + "int i = threadIdx.x; for (int t = 1; t < n; ++t) { ready[i] = t; while (ready[i ^ 1] < t) { } o[i] += t; } }",
    "a loop on the host": "#include <atomic>\nstd::atomic<int> GPUs;\nvoid hold(std::atomic_flag &f) {"
    " while (f.test_and_set()) { } }\n" + HEAD + "o[0] = 1; }",
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
    "a lock of a class that one thread of a block takes": "class Mutex { int m; public: __device__ bool try_lock() {"
    " return atomicCAS(&m, 0, 1) == 0; } __device__ void lock() { while (!try_lock()) ; }"
    " __device__ void unlock() { atomicExch(&m, 0); } };\n"
    "__global__ void k(Mutex *m, int *o) { if (threadIdx.x == 0) { m->lock(); o[0]++; m->unlock(); } }",
    "the blocks take turns": "__device__ volatile int turn;\n__device__ void enter(int i) { while (turn != i) ; }\n"
    "__device__ void leave(int i) { turn = i + 1; }\n"
    + HEAD
    + "if (threadIdx.x == 0) { enter(blockIdx.x); o[0]++; leave(blockIdx.x); } }",
    "an update through a wrapper": "__device__ unsigned cas(unsigned *p, unsigned c, unsigned v) {"
    " return atomicCAS(p, c, v); }\n__global__ void k(unsigned *p) { unsigned old = *p, seen;"
    " do { seen = old; old = cas(p, seen, seen + 1); } while (seen != old); }",
    "an update in PTX": "__global__ void k(unsigned *p) { unsigned old = *p, seen; do { seen = old;"
    ' asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(p), "r"(seen), "r"(seen + 1)); }'
    " while (seen != old); }",
    "a place in a table is looked for in PTX": "__device__ unsigned cas(unsigned *p, unsigned c, unsigned v) { unsigned r;"
    ' asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(p), "r"(c), "r"(v)); return r; }\n'
    "__global__ void k(unsigned *t, unsigned n) { unsigned h = threadIdx.x % n;"
    " while (cas(t + h, 0xffffffffu, threadIdx.x) != 0xffffffffu) h = (h + 1) % n; }",
    "a barrier of the grid": "__device__ volatile unsigned arrived, generation;\n__device__ void meet(unsigned n) {"
    " __syncthreads(); if (threadIdx.x == 0) { unsigned g = generation;"
    " if (atomicInc((unsigned *)&arrived, n - 1) == n - 1) generation = g + 1; else while (generation == g) ; }"
    " __syncthreads(); }\n" + HEAD + "meet(gridDim.x); o[0] = 1; meet(gridDim.x); }",
    "a tile that one thread of a block waits for": "struct Tile {"
    " static __device__ int load(int *p) { int v;"
    ' asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(v) : "l"(p)); return v; }'
    " static __device__ void wait(int *p, int thread, int value) { if (thread == 0) { while (load(p) != value) { } }"
    " __syncthreads(); } static __device__ void arrive(int *p, int thread) { __syncthreads(); if (thread == 0)"
    ' asm volatile("red.release.gpu.global.add.s32 [%0], 1;" :: "l"(p)); } };\n'
    + HEAD
    + "Tile::wait(m + blockIdx.x, threadIdx.x, 1); o[0]++; Tile::arrive(m + blockIdx.x, threadIdx.x); }",
    "a lock of a class that is tried once for each slot": "struct Mutex { int m; __device__ bool try_lock() {"
    " return atomicCAS(&m, 0, 1) == 0; } };\n__global__ void k(Mutex *m, int *o, int n) {"
    " for (int i = threadIdx.x; i < n; i += 32) if (m[i].try_lock()) { o[i] = 1; break; } }",
    "a value of a table that comes after its key": "struct Table { int2 *slots_; __device__ void wait_for(int &v) {"
    " while (*(volatile int *)&v == -1) ; } __device__ bool attempt(int2 *s, int key, int value) {"
    " if (atomicCAS(&s->x, -1, key) != -1) return false; atomicExch(&s->y, value); return true; }\n"
    "template <class G> __device__ void insert(G g, int key,"
    " int value, int n) { int at = key % n; while (true) { int2 slot = slots_[at]; auto const state = [&]() {"
    " for (int i = 0; i < 1; ++i) { if (slot.x == key) return 1; } return slot.x == -1 ? 2 : 0; }();"
    " auto const equal = g.ballot(state == 1); if (equal) { if (g.thread_rank() == __ffs(equal) - 1) {"
    " wait_for((slots_ + at)->y); } g.sync(); return; }"
    " if (g.ballot(state == 2)) { if (attempt(slots_ + at, key, value)) return; } else { ++at; } } } };",
    "a barrier of each warp's own": "__device__ void wait_for(unsigned long long *bar, int phase) { asm volatile("
    '"{ .reg .pred P; W: mbarrier.try_wait.parity.shared.b64 P, [%0], %1; @P bra D; bra W; D: }"'
    ' :: "r"(bar), "r"(phase)); }\n__device__ void arrive(unsigned long long *bar) {'
    ' asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(bar)); }\n'
    "__global__ void k(int *o, int n) { extern __shared__ unsigned long long buffer[]; int warp = threadIdx.x / 32;"
    " unsigned long long *mine = buffer + warp * 64; int phase = 0; for (int i = 0; i < n; ++i) {"
    " if (threadIdx.x % 32 == 0) arrive(mine); wait_for(mine, phase); phase ^= 1; }"
    " if (threadIdx.x % 32 == 0) arrive(mine); }",
    "what is done for one scope or for another": "enum Scope { Thread, Warp };\n"
    "__device__ void by_thread(volatile int *q) { unsigned mine = atomicAdd((int *)q, 1); while (q[1] != mine) { } }\n"
    "__device__ void by_warp(volatile int *q) { q[1] = 1; }\n"
    "template <Scope scope> __device__ void put(volatile int *q) { if (scope == Thread) by_thread(q);"
    " if (scope == Warp) by_warp(q); }",
    "objects that are made of the same index": "struct Link { volatile int *step; __device__ Link(int, int *at) :"
    " step(at) { } __device__ void wait() { while (*step == 0) ; } __device__ void post() { *step = 1; } };\n"
    "__device__ void receive(int tid, int *a) { Link link{tid, a}; link.wait(); }\n"
    "__device__ void send(int tid, int *b) { Link link{tid, b}; link.post(); }\n"
    "__global__ void k(int *a, int *b, int n) { int tid = threadIdx.x; if (tid < 32) receive(tid, a); else send(tid, b); }",
    "roles by warps that share no wavefront": "__global__ void k(int *o) { __shared__ volatile int full;"
    " int warp = threadIdx.x / 32; if (warp == 0) { o[0] = 1; } else if (warp >= 4 && warp <= 7) { full = 1; }"
    " else if (warp == 9) { while (!full) { } o[1] = 1; } }",
    "roles by warps that a shuffle tells of": "__global__ void k(int *o) { __shared__ volatile int full;"
    " int warp = __shfl_sync(0xffffffffu, threadIdx.x / 32, 0);"
    " if (warp >= 4 && warp <= 7) { full = 1; } else if (warp == 9) { while (!full) { } o[1] = 1; } }",
    "roles by warps that a shuffle of a helper tells of": "__device__ int same(int v) { int r; asm volatile("
    '"shfl.sync.idx.b32 %0, %1, 0, 0x1f, 0xffffffff;" : "=r"(r) : "r"(v)); return r; }\n'
    "__global__ void k(int *o) { __shared__ volatile int full; int warp = same(threadIdx.x / 32);"
    " if (warp >= 4 && warp <= 7) { full = 1; } else if (warp == 9) { while (!full) { } o[1] = 1; } }",
    "roles of warps in a table, each in wavefronts of its own": "enum class Role { Load = 1, Mma = 2, Compute = 3 };\n"
    "struct Ring { volatile int full; __device__ void acquire() { while (!full) { } } __device__ void give()"
    " { full = 1; } };\n__device__ Role role_of(int warp) { return static_cast<Role>((0x123333ull >> (4 * warp)) & 15); }\n"
    "__global__ void k(Ring *ring) { Role role = role_of(threadIdx.x / 32);"
    " if (role == Role::Load) ring->give(); else if (role == Role::Compute) ring->acquire(); }",
    "roles of warps in one of two tables, each in wavefronts of its own": "enum class Role { Load = 1, Compute = 3 };\n"
    "struct Ring { volatile int full; __device__ void acquire() { while (!full) { } } __device__ void give()"
    " { full = 1; } };\ntemplate <bool kAsync> struct K { static const unsigned long long kRoles = kAsync ?"
    " 0x1121'3333ull : 0x21'3333ull; static __device__ Role role_of(int warp) { return"
    " static_cast<Role>((kRoles >> (4 * warp)) & 0xF); } __device__ void operator()(Ring *ring) {"
    " Role role = role_of(threadIdx.x / 32); if (role == Role::Load) ring->give();"
    " else if (role == Role::Compute) ring->acquire(); } };",
    "a place of each thread's own in rows apart": "__global__ void k(volatile int *const *to, int *o, int rank, int n) {"
    " volatile int *own = to[rank]; int start = rank * n, i = threadIdx.x; for (; i < n; i += blockDim.x * gridDim.x) {"
    " for (int p = 0; p < 8; ++p) to[(rank + p) % 8][start + i] = 1;"
    " while (own[4 * n + i] == 0) { } own[4 * n + i] = 0; for (int p = 0; p < 8; ++p) to[(rank + p) % 8][start + i] = 2; } }",
    "a copy that the warp has asked for": "__device__ void wait_for(unsigned long long *bar, int phase) { asm volatile("
    '"{ .reg .pred P; W: mbarrier.try_wait.parity.shared.b64 P, [%0], %1; @P bra D; bra W; D: }"'
    ' :: "r"(bar), "r"(phase)); }\n__device__ void arrive_and_expect_tx(unsigned long long *bar, int bytes) {'
    ' asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(bar), "r"(bytes)); }\n'
    "__global__ void k(unsigned long long *bar, int phase) { int warp = threadIdx.x / 32; if (warp == 1) {"
    " if (elect_one_sync()) arrive_and_expect_tx(bar, 64); wait_for(bar, phase); } else {"
    " if (elect_one_sync()) arrive_and_expect_tx(bar, 64); wait_for(bar, phase); } }",
    "roles by threads that share no wavefront": "__global__ void k(int *o) { __shared__ volatile int full;"
    " if (threadIdx.x < 96) { if (threadIdx.x >= 64) { while (!full) { } o[1] = 1; } }"
    " if (threadIdx.x >= 160) { full = 1; } }",
    "parts of an array that named offsets divide": "#define SYNC_OFFSET (RANKS)\n#define DONE_OFFSET (RANKS + 32)\n"
    "template <int RANKS> __global__ void k(volatile size_t *flags, volatile size_t *remote, int rank) {"
    " while (flags[SYNC_OFFSET + threadIdx.x] < 1) { } flags[DONE_OFFSET + rank] = 1; }",
    "a flag that other blocks write": "__global__ void k(volatile int *flags, int n) { if (threadIdx.x == 0) {"
    " if (blockIdx.x > 0) flags[blockIdx.x] = n; } else if (blockIdx.x == 0) { while (flags[threadIdx.x] < n) { } } }",
    "given back in the loop where it has to be": TWO
    + "bool done = false; while (!done) { if (atomicCAS(m, 0, 1) == 0) { o[0]++; if (n) atomicExch(m, 0); done = true; } } }",
    "given back in the loop, and left by what the attempt said": TWO
    + "while (true) { int seen = atomicCAS(m, 0, 1); if (seen == 0) { o[0]++; atomicExch(m, 0); } if (seen == 0) break; } }",
    "given back in the loop, whose condition asks for what the attempt said": TWO
    + "int seen; do { seen = atomicCAS(m, 0, 1); if (!seen) { o[0]++; atomicExch(m, 0); } } while (seen != 0); }",
    "given back in the loop once the work is said to be done": TWO
    + "bool wants = true; while (wants) { if (atomicCAS(m, 0, 1) == 0) { o[0]++; wants = false; } if (!wants) *m = 0; } }",
    "given back in the loop after another loop": TWO
    + "bool got; do { got = !atomicExch(m, 1); if (got) { for (int i = 0; i < n; ++i) { o[i]++; if (o[i] > n) break; }"
    " atomicExch(m, 0); } } while (!got); }",
    "given back in the loop by the first lane for all": TWO
    + LANE
    + "int seen; bool done = false; while (!done) { if (lane == 0) seen = atomicCAS(m, 0, 1);"
    " seen = __shfl_sync(~0u, seen, 0); if (seen == 0) { o[lane]++; __syncwarp(); if (lane == 0) atomicExch(m, 0);"
    " done = true; } } }",
    "given back in the loop, which all lanes leave by a vote": TWO
    + "bool done = false; while (!__all_sync(~0u, done)) { if (!done && atomicCAS(m, 0, 1) == 0) { o[0]++; done = true;"
    " atomicExch(m, 0); } } }",
    "given back in the loop, which all lanes break by a vote": TWO
    + "bool done = false; while (true) { int seen = 1; if (!done) seen = atomicCAS(m, 0, 1); if (!done && seen == 0) {"
    " o[0]++; *m = 0; done = true; } if (__all_sync(~0u, done)) break; } }",
    "two locks given back on each way": TWO
    + "while (true) { if (atomicCAS(a, 0, 1) == 0) { bool got = atomicCAS(b, 0, 1) == 0; if (got) { o[0]++;"
    " atomicExch(b, 0); } atomicExch(a, 0); if (got) break; } } }",
    "given back before both exits": TWO
    + "while (true) { if (atomicCAS(m, 0, 1) == 0) { if (*full == n) { atomicExch(m, 0); return; } o[0]++;"
    " atomicExch(m, 0); break; } } }",
    "given back in the loop after a continue of the others": TWO
    + "for (bool got = false; !got;) { got = atomicCAS(m, 0, 1) == 0; if (!got) continue; o[0]++; atomicExch(m, 0); } }",
    "given back in the loop by a helper, which others leave as well": TAKE
    + TWO
    + "bool done = false; while (!done) { if (take(m)) { o[0]++; give(m); done = true; } else if (*full) break; } }",
    "given back in the loop by a helper, where the others go round": "__device__ int held(int *p) {"
    " return atomicCAS(p, 0, 1); }\n"
    + TAKE
    + TWO
    + "while (true) { if (held(m)) { if (*full) return; continue; } o[0]++; give(m); break; } }",
    "given back in the loop, which has a condition of two parts": TWO
    + "bool again = true; while (again && *full < n) { if (!atomicCAS(m, 0, 1)) { again = false; o[0]++;"
    " atomicExch(m, 0); } } }",
    "given back in a function of its own within the loop": TWO
    + "auto give = [&]() { atomicExch(m, 0); }; while (true) { if (atomicCAS(m, 0, 1) == 0) { o[0]++; give(); break; }"
    " else if (*full) atomicExch(m + 1, 0); } }",
    "given back in the loop after branches that do not matter": TWO
    + "while (true) { if (atomicCAS(m, 0, 1) == 0) { for (int i = 0; i < n; ++i) { if (o[i] > n) { o[i] = 0;"
    " if (i > 3) break; } else { o[i] += 2; } } if (n > 5) o[1]++; atomicExch(m, 0); if (o[2]) break; } } }",
    "given back in the loop by a flag in memory": TWO
    + "__shared__ int done; done = 0; while (!done) { if (atomicExch(m, 1) == 0) { o[0]++; if (n > 3) done = 1;"
    " else done = 1; if (done) atomicExch(m, 0); } } }",
    "given back in the next round": TWO
    + "bool got = false; while (true) { if (got) { o[0]++; atomicExch(m, 0); break; } got = atomicCAS(m, 0, 1) == 0; } }",
    "given back by a helper that may do so": "__device__ void finish(int *p, int n) { if (n > 3) atomicExch(p, 0); }\n"
    + TWO
    + "while (true) { if (atomicCAS(m, 0, 1) == 0) { o[0]++; finish(m, n); break; } } }",
    "given back in a case of a switch": TWO
    + "bool done = false; while (!done) { switch (atomicCAS(m, 0, 1)) { case 0: o[0]++; atomicExch(m, 0); done = true; break;"
    " default: break; } } }",
    "given back in one of two ways that the preprocessor chooses": TWO
    + "while (true) { if (atomicCAS(m, 0, 1) == 0) { o[0]++;\n#if FAST\n *m = 0; break;\n#else\n atomicExch(m, 0); break;\n#endif\n"
    " } } }",
}

_NOT_SEEN = (
    "a vote that ends the loop by its condition",
    "two locks with what was taken in variables",
    "two locks in the condition of a loop",
    "two locks behind helpers",
    "two locks of a class",
    "two elements of one array of locks",
    "a lock that is given back where there is nothing to do",
    "a lock that is given back for as long as a slot is full",
    "a helper that says by a number of its own whether the lock is taken",
)
MISSED = {name: DEADLOCKS.pop(name) for name in _NOT_SEEN}


def locks(source: str) -> list[str]:
    return [finding.severity for finding in translate(source, path="a.cu").findings if finding.id == "HIP311"]


@pytest.mark.parametrize("source", DEADLOCKS.values(), ids=DEADLOCKS.keys())
def test_a_wait_that_64_lanes_never_leave_is_a_warning(source: str) -> None:
    assert set(locks(source)) == {"warning"}


@pytest.mark.xfail(strict=True, reason="no break or return leaves with the lock, or a helper tells whether it is taken")
@pytest.mark.parametrize("source", MISSED.values(), ids=MISSED.keys())
def test_a_lock_that_is_kept_in_another_way_is_not_seen(source: str) -> None:
    assert set(locks(source)) == {"warning"}


@pytest.mark.parametrize("source", SAFE.values(), ids=SAFE.keys())
def test_a_wait_that_lockstep_does_no_harm(source: str) -> None:
    assert locks(source) == []


def test_a_wait_for_the_other_first_lane_says_so() -> None:
    source = HEAD + "if (threadIdx.x % 32 == 0) { while (atomicCAS(m, 0, 1) != 0) { } o[0]++; atomicExch(m, 0); } }"
    found = [finding.message for finding in translate(source, path="a.cu").findings if finding.id == "HIP311"]
    assert len(found) == 1
    assert "first lanes of both 32-lane warps" in found[0]
