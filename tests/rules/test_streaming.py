"""Loads and stores of what is used once keep their hint."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify_py import Options, translate
from hipify_py.support_header.header import render

TREE = os.environ.get("HIPIFY_PY_ROCM_TREES", "")


def hip(source: str, *, support: bool = True) -> str:
    return translate(source, path="a.cu", options=Options(implicit_runtime=False, support=support)).output.decode()


@pytest.mark.parametrize(
    ("parameters", "cuda", "output"),
    [
        ("float *p", "__ldcs(p + 1)", "__builtin_nontemporal_load(p + 1)"),
        ("int n, const double *p", "__ldlu(n + p)", "__builtin_nontemporal_load(n + p)"),
        ("const unsigned long long (*p)[4]", "__ldcs(&p[1][2])", "__builtin_nontemporal_load(&p[1][2])"),
        ("float4 *p", "__ldcs((const int *)p)", "__builtin_nontemporal_load((const int *)p)"),
        ("S *s", "__ldcs(s->rows[3] + 1)", "__builtin_nontemporal_load(s->rows[3] + 1)"),
        ("real *p", "__ldcs(p)", "__builtin_nontemporal_load(p)"),
        ("std::uint16_t *p", "__stcs(p, 3)", "__builtin_nontemporal_store(3, p)"),
        (
            "int *p, int *q",
            "__stcs(p, __ldcs(q) + 1)",
            "__builtin_nontemporal_store(__builtin_nontemporal_load(q) + 1, p)",
        ),
        # of no type of the language's own, or of one that is not known here
        ("float4 *p", "__ldcs(p)", "hipify::load_streaming(p)"),
        ("int n, float4 *p", "__ldcs(n + p)", "hipify::load_streaming(n + p)"),
        ("half2 *p, half2 v", "__stcs(&p[1], v)", "hipify::store_streaming(&p[1], v)"),
        ("T *p", "__ldcs(p)", "hipify::load_streaming(p)"),
        ("Theirs s", "__stcs(s.data(), 1)", "hipify::store_streaming(s.data(), 1)"),
    ],
)
def test_a_hint_is_kept(parameters: str, cuda: str, output: str) -> None:
    head = "typedef float real;\nstruct S { short **rows; };\n"
    source = head + f"template <class T> __device__ auto f({parameters}) {{ return {cuda}; }}\n"
    assert f"{{ return {output}; }}" in hip(source)


def test_a_macro_serves_every_type() -> None:
    output = hip("#define ONCE(p) __ldcs(p)\n__device__ float f(float *p) { return ONCE(p); }\n")
    assert "#define ONCE(p) hipify::load_streaming(p)\n" in output


@pytest.mark.parametrize("name", ["__ldcs", "__ldlu"])
def test_without_the_support_header_other_types_are_loaded_plainly(name: str) -> None:
    source = f"__device__ float4 f(float4 *p, int *q) {{ {name}(q); return {name}(p); }}\n"
    output = hip(source, support=False)
    assert "__builtin_nontemporal_load(q); return (*p);" in output


@pytest.mark.parametrize(
    ("parameters", "cuda", "output"),
    [
        ("const int *p", "__ldcg(p)", "__hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)"),
        (
            "volatile unsigned *p",
            "__ldcg(&p[3])",
            "__hip_atomic_load(&p[3], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)",
        ),
        ("const float4 *p", "__ldcg(p)", "hipify::load_past_l1(p)"),
        ("const T *p", "__ldcg(p + 1)", "hipify::load_past_l1(p + 1)"),
    ],
)
def test_past_l1_is_what_other_blocks_wrote(parameters: str, cuda: str, output: str) -> None:
    """`while (__ldcg(flag) == 0);` ends in CUDA; a plain load is made once, and may come from the unit's own cache."""
    source = f"template <class T> __device__ void f({parameters}) {{ while ({cuda} == 0) {{}} }}\n"
    assert f"while ({output} == 0)" in hip(source)


def test_without_the_support_header_a_plain_load_says_what_it_lacks() -> None:
    source = "template <class T> __device__ T f(const T *p) { return __ldcg(p); }\n"
    result = translate(source, path="a.cu", options=Options(implicit_runtime=False, support=False))
    assert b"return (*p);" in result.output
    assert [finding.id for finding in result.findings] == ["HIP103"]


def test_what_the_caches_keep_stays_a_plain_access() -> None:
    """`__ldca` asks for all caches, as a plain load does; stores of AMD GPUs go to L2 anyway."""
    output = hip("__device__ void f(int *p) { __stcg(p, __ldca(p)); __stwb(p, 1); }\n")
    assert "nontemporal" not in output
    assert "atomic" not in output
    assert "hipify::" not in output


@pytest.mark.parametrize(
    ("cuda", "output"),
    [
        ("__stcg(o, __ldca(i));", "*o = (*i);"),
        ("if (n) __stwb(&o[n], n ? 1 : 2);", "if (n) *(&o[n]) = n ? 1 : 2;"),
        ("__stcg(s.p, n = 3);", "*s.p = n = 3;"),
        ("o[0] = __ldca(i + n) * 2;", "o[0] = (*(i + n)) * 2;"),
        ("__stcg(o, 1), n++;", "(*o = 1), n++;"),
        ("for (;;) __stcg(o++, __ldca(f(i)));", "for (;;) *(o++) = (*f(i));"),
    ],
)
def test_a_plain_access_reads_like_one(cuda: str, output: str) -> None:
    frame = "struct S {{ int *p; }};\n__device__ void g(int *o, const int *i, S s, int n) {{ {} }}\n"
    assert hip(frame.format(cuda)) == frame.format(output)


def test_a_macros_parameter_may_be_anything() -> None:
    source = "#define PUT(p, v) __stcg(p, v)\n#define GET(p) __ldca(p)\n__device__ int x;\n"
    assert hip(source) == "#define PUT(p, v) (*(p) = v)\n#define GET(p) (*(p))\n__device__ int x;\n"


PROGRAM = """
#include <cuda_fp16.h>
typedef float real;
template <class T> __global__ void any(T *to, const T *from) { __stcs(to, __ldcs(from)); }
template __global__ void any(float4 *, const float4 *);
template __global__ void any(half2 *, const half2 *);
__global__ void known(real *to, const unsigned char *from, int n) { __stcs(to + n, __ldlu(&from[n])); }
"""


@pytest.mark.compiler
@pytest.mark.parametrize(("arch", "mark"), [("gfx942", " nt"), ("gfx1100", " slc dlc")])
def test_amd_gpus_get_accesses_that_are_not_temporal(arch: str, mark: str, tmp_path: Path) -> None:
    clang = shutil.which("clang++-22")
    if not TREE or clang is None:
        pytest.skip("NOT COMPILED: HIPIFY_PY_ROCM_TREES or clang++-22 is missing")
    (tmp_path / "hipify_support.hpp").write_bytes(render(["streaming"]))
    source = tmp_path / "a.hip"
    source.write_bytes(translate(PROGRAM, path="a.cu").output)
    tree = f"{TREE}/rocm-7.1"
    command = [clang, "-x", "hip", f"--offload-arch={arch}", f"--rocm-path={tree}", "-isystem", f"{tree}/include"]
    command += ["-D__AMDGCN_WAVEFRONT_SIZE=64", "--cuda-device-only", "-std=c++17", "-O2", "-S", "-o", "-", str(source)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert run.returncode == 0, run.stderr
    accesses = [line for line in run.stdout.splitlines() if "\tglobal_load" in line or "\tglobal_store" in line]
    asked = [line for line in accesses if mark in line]
    assert len(asked) == len(accesses), accesses
    assert len(asked) >= 4  # of 16 and 4 bytes, of 1 and of 4; none is taken apart
    assert any("x4" in line or "b128" in line for line in asked)
