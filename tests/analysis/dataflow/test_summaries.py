"""What functions do to those who call them, as plain data that goes from file to file."""

from __future__ import annotations

import marshal

from hipify_py import translate
from hipify_py.analysis.dataflow.plain import (
    FLAG,
    LOCK,
    OBJECT,
    Place,
    Summary,
    WaitSummary,
    from_plain,
    merge_summaries,
)
from hipify_py.analysis.dataflow.summaries import function_summaries, summaries_of
from hipify_py.core.project_context import ProjectContext
from hipify_py.semantics.functions import functions_of
from tests.analysis.dataflow.units import unit_of


def summaries(source: str, project: ProjectContext | None = None) -> dict[bytes, Summary]:
    unit = unit_of(source, project or ProjectContext(), "a.cuh")
    plain = function_summaries(unit)
    assert marshal.loads(marshal.dumps(plain)) == plain
    return {name: from_plain(found) for name, found in plain.items()}


WAITS = "__device__ void wait_for(volatile int *f, int i) { while (f[i] == 0) { } }\n"
POSTS = "__device__ void post(volatile int *f, int i) { f[i] = 1; }\n"


def test_waits_and_writes_through_parameters() -> None:
    found = summaries(WAITS + POSTS)
    assert found[b"wait_for"].waits == {WaitSummary(FLAG, 0, b"", (1,))}
    assert found[b"post"].writes == {Place(0, b"", (1,))}
    assert not found[b"post"].waits


def test_fresh_looks_and_attempts() -> None:
    found = summaries(
        "__device__ int look(const int *p) { return *(const volatile int *)p; }\n"
        "__device__ bool taken(int *m) { if (atomicCAS(m, 0, 1) == 0) return true; return false; }\n"
        "__device__ int plain(const int *p) { return *p; }\n"
        "__device__ int passed_on(const int *p, int i) { return look(p + i); }\n"
    )
    assert found[b"look"].reads == {Place(0, b"", ())}
    assert found[b"taken"].attempts == {Place(0, b"", ())}
    assert found[b"passed_on"].reads == {Place(0, b"", (1,))}
    assert b"plain" not in found


def test_locks_of_objects_and_globals() -> None:
    found = summaries(
        "struct Mutex { int state_; __device__ void lock() { while (atomicCAS(&state_, 0, 1) != 0) { } }"
        " __device__ void unlock() { atomicExch(&state_, 0); } };\n"
        "__device__ int turn;\n__device__ void enter() { while (atomicExch(&turn, 1)) { } }\n"
    )
    assert found[b"lock"].waits == {WaitSummary(LOCK, OBJECT, b"state_", ())}
    assert found[b"unlock"].writes == {Place(OBJECT, b"state_", ())}
    assert found[b"enter"].waits == {WaitSummary(LOCK, b"turn", b"", ())}


def test_an_attempt_may_need_constants_of_its_caller() -> None:
    found = summaries(
        "__device__ int cas(int *p, int c, int v) { return atomicCAS((unsigned *)p, (unsigned)c, (unsigned)v); }\n"
        "__device__ bool grab(int *p, int owner) { return cas(p, 0, owner) == 0; }\n"
    )
    assert found[b"cas"].attempts == {Place(0, b"", (), (1,))}
    assert found[b"grab"].attempts == {Place(0, b"", ())}


def test_results_through_parameters() -> None:
    found = summaries(
        "__device__ void look(const int *p, int *v) { *v = *(const volatile int *)p; }\n"
        "__device__ void take(int *m, bool &got) { got = atomicCAS(m, 0, 1) == 0; }\n"
    )
    assert found[b"look"].outputs == {1}
    assert found[b"look"].reads == {Place(0, b"", ())}
    assert found[b"take"].outputs == {1}
    assert found[b"take"].attempts == {Place(0, b"", ())}


def test_members_of_the_object_that_only_other_members_look_at() -> None:
    found = summaries(
        "class Mutex { int m; public: __device__ bool try_lock() { return atomicCAS(&m, 0, 1) == 0; }"
        " __device__ void lock() { while (!try_lock()) ; } };\n"
    )
    assert found[b"try_lock"].attempts == {Place(OBJECT, b"m", ())}
    assert found[b"lock"].waits == {WaitSummary(LOCK, OBJECT, b"m", ())}


def test_what_is_compared_is_no_index() -> None:
    found = summaries("__device__ volatile int turn;\n__device__ void enter(int i) { while (turn != i) ; }\n")
    assert found[b"enter"].waits == {WaitSummary(FLAG, b"turn", b"", (), compared=(0,))}


def test_instructions_of_ptx_are_accesses() -> None:
    found = summaries(
        "__device__ int load(int *p) { int v;"
        ' asm volatile("ld.acquire.gpu.b32 %0, [%1+4];" : "=r"(v) : "l"(p)); return v; }\n'
        "__device__ bool take(int *p) { int ok; asm volatile("
        '"{ .reg .pred s; .reg .b32 x; atom.cas.b32 x, [%1], 0, 1; setp.eq.s32 s, x, 0; selp.b32 %0, 1, 0, s; }"'
        ' : "=r"(ok) : "l"(p)); return ok; }\n'
        '__device__ void give(int *p) { asm volatile("st.release.gpu.b32 [%0], 0;" :: "l"(p)); }\n'
    )
    assert found[b"load"].reads == {Place(0, b"", ())}
    assert found[b"take"].attempts == {Place(0, b"", ())}
    assert found[b"give"].writes == {Place(0, b"", ())}


def test_functions_that_call_each_other() -> None:
    found = summaries(
        WAITS
        + "__device__ void odd(volatile int *f, int n);\n"
        + "__device__ void even(volatile int *f, int n) { if (n > 0) odd(f, n - 1); }\n"
        + "__device__ void odd(volatile int *f, int n) { if (n > 0) even(f, n - 1); else wait_for(f, n); }\n"
    )
    assert {waiting.root for waiting in found[b"even"].waits} == {0}
    assert {waiting.root for waiting in found[b"odd"].waits} == {0}


def test_what_no_caller_has_to_know() -> None:
    found = summaries(
        "__device__ int sum(int v) { return v + __shfl_xor_sync(0xffffffff, v, 1); }\n"
        "__device__ int part(int v) { if (threadIdx.x % 32 < 3) v = __any_sync(0xffffffff, v); return v; }\n"
        "__device__ int twice(int v) { return 2 * v; }\n__device__ void set(int *p) { *p = 1; }\n"
        "void host(volatile int *f) { while (*f == 0) { } }\n"
    )
    assert found == {}


def test_macros_are_functions_of_their_parameters() -> None:
    found = summaries("#define LOCK(m) while (atomicCAS(m, 0, 1) != 0)\n#define N(x) (x + 1)\n")
    assert {waiting.root for waiting in found[b"LOCK"].waits} == {0}
    assert set(found) == {b"LOCK"}


def test_files_are_merged_by_name() -> None:
    one = function_summaries(unit_of(WAITS))
    other = function_summaries(unit_of("__device__ void wait_for(int *m) { atomicAdd(m, 1); }\n" + POSTS))
    together = {name: from_plain(plain) for name, plain in merge_summaries([one, other]).items()}
    assert set(together) == {b"wait_for", b"post"}
    assert together[b"wait_for"].waits == {WaitSummary(FLAG, 0, b"", (1,))}
    assert together[b"wait_for"].writes == {Place(0, b"", ())}
    assert merge_summaries([]) == {}


KERNEL = (
    "__global__ void k(volatile int *r, int *o) { int i = threadIdx.x; if (i > 0) wait_for(r, i - 1);"
    " o[i] = 1; post(r, i); }\n"
)


def ids(source: str, project: ProjectContext) -> list[str]:
    return [found.id for found in translate(source, path="a.cu", project=project).findings if found.id == "HIP311"]


def test_the_rule_asks_the_projects_other_files() -> None:
    project = ProjectContext(waiting_functions=function_summaries(unit_of(WAITS + POSTS, path="wait.cuh")))
    assert ids(KERNEL, ProjectContext()) == []
    assert ids(KERNEL, project) == ["HIP311"]
    assert ids(KERNEL.replace("post(r, i)", "post(o, i)"), project) == []
    assert ids(KERNEL.replace("if (i > 0)", "if (i == 0)"), project) == []


def test_a_loop_asks_the_projects_other_files() -> None:
    header = (
        "__device__ bool done(const int *p) { return *(const volatile int *)p != 0; }\n"
        "__device__ bool try_to_lock(int *m) { return atomicCAS(m, 0, 1) == 0; }\n"
    )
    project = ProjectContext(waiting_functions=function_summaries(unit_of(header)))
    flag = (
        "__global__ void k(int *r, int *o) { int i = threadIdx.x; while (i && !done(&r[i - 1])) { } o[i] = r[i] = 1; }"
    )
    lock = "__global__ void k(int *m, int *o) { while (!try_to_lock(m)) { } o[0]++; *m = 0; }"
    for source in (flag, lock):
        assert ids(source, project) == ["HIP311"]
        assert ids(source, ProjectContext()) == []


def test_a_header_hands_on_what_its_own_headers_do() -> None:
    first = function_summaries(unit_of(WAITS))
    second = "__device__ void await(volatile int *f, int i) { wait_for(f, i + 1); }\n"
    found = summaries(second, ProjectContext(waiting_functions=first))
    assert found[b"await"].waits == {WaitSummary(FLAG, 0, b"", (1,))}


def test_volatile_memory_that_another_file_declares() -> None:
    header = "__device__ volatile int turn;\nstruct Queue { volatile int length; };\n"
    project = ProjectContext(waiting_functions=function_summaries(unit_of(header)))
    turn = "__global__ void k(int *o) { while (turn != threadIdx.x) { } o[0]++; turn = threadIdx.x + 1; }"
    queue = "__global__ void k(Queue *q) { if (threadIdx.x) { while (q->length == 0) { } } else { q->length = 1; } }"
    for source in (turn, queue):
        assert ids(source, project) == ["HIP311"]
        assert ids(source, ProjectContext()) == []


def test_a_function_that_the_tree_has_lost_is_parsed_by_itself() -> None:
    unit = unit_of(
        "__global__ void first(int *a) {\n REDUCE(a, 1, +)\n if (a) { a[1] = a[0]; } }\n"
        "template <class T> __global__ void second(T *m) { while (atomicCAS(m, 0, 1) != 0) ; atomicExch(m, 0); }\n"
    )
    assert [function.node for function in functions_of(unit)] == [None, None]
    first, second = (summaries_of(unit).analyze(function) for function in functions_of(unit))
    assert first is not None
    assert second is not None
    assert [found.name for found in second.lowered.calls.values()] == [b"atomicCAS", b"atomicExch"]
    assert second.lowered.parameters
