"""Writes inline PTX as HIP, and reports what has no counterpart."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import CompositeEdit, Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import NO_FIXES, Example, Rule, Support
from hipify_py.rules.ptx.rewriting import converted_source
from hipify_py.rules.triggers import words


class InlineAssembly(Rule):
    """PTX is NVIDIA's assembly language: an AMD compiler reads the template as its own assembly and fails.

    A statement whose instructions all have counterparts becomes HIP or plain C++ with the same meaning: a single
    statement for one instruction, otherwise a block that reads its inputs first. Any other statement stays as it is,
    with a finding that names the obstacle. A statement with an empty template is a compiler barrier and stays valid,
    and so does the assembly of other machines.
    """

    id = "HIP201"
    triggers = words("*asm*")
    fixes = NO_FIXES
    VALID = (
        Example('__device__ void f() { asm volatile("" ::: "memory"); }'),
        Example('__device__ void f() { asm volatile("s_waitcnt vmcnt(0)"); }'),
        Example('unsigned long long f() { unsigned a, d; __asm__("rdtsc" : "=a"(a), "=d"(d)); return a; }'),
    )
    INVALID = (
        Example(
            '__device__ int f() { int r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }',
            "__device__ int f() { int r; r = __lane_id(); return r; }",
        ),
        Example(
            '__device__ unsigned f(unsigned x) { unsigned r; asm("brev.b32 %0, %1;" : "=r"(r) : "r"(x)); return r; }',
            "__device__ unsigned f(unsigned x) { unsigned r; r = __brev(x); return r; }",
        ),
        Example(
            '__device__ void f(int r) { asm("frobnicate.b32 %0, %0; mov.b32 %0, 1;" : "+r"(r)); }', None, ("HIP201",)
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | CompositeEdit | Finding | Support]:
        yield from converted_source(unit).items
