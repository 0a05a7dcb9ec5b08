"""Macros that are attributes in the pass for GPUs only."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from hipify_py import Options, translate

CLANG = shutil.which("clang++-22")
SPLIT = """#if defined(__CUDA_ARCH__)
#define ON_GPU __device__
#define ON_CPU __host__
#else
#define ON_GPU
#define ON_CPU
#endif
"""
JOINED = SPLIT + "#define ANYWHERE ON_CPU ON_GPU\n"
DEVICE_ONLY = SPLIT.replace("#define ON_CPU __host__\n", "").replace("#define ON_CPU\n", "")


def converted(source: str) -> str:
    return translate(source, path="a.h", options=Options(implicit_runtime=False)).output.decode()


@pytest.mark.parametrize(
    ("source", "acts"),
    [
        (JOINED, True),
        (SPLIT, False),
        (DEVICE_ONLY, False),
        (JOINED + "ON_GPU int twice(int a);\n", False),
        (JOINED + "#define GPU_INLINE inline ON_GPU\n", False),
    ],
)
def test_only_macros_for_both_sides_depend_on_the_compiler(source: str, acts: bool) -> None:
    once = converted(source)
    assert ("__HIPCC__" in once) is acts
    assert ("__HIP_DEVICE_COMPILE__" in once) is not acts
    assert converted(once) == once


@pytest.mark.compiler
@pytest.mark.parametrize("arguments", [("--cuda-host-only",), ("--cuda-device-only",)])
def test_host_and_device_call_what_such_a_macro_declares(arguments: tuple[str, ...]) -> None:
    if CLANG is None:
        pytest.skip("NOT COMPILED: there is no clang++-22")
    attributes = [f"-D__{name}__=__attribute__(({name}))" for name in ("host", "device", "global")]
    functions = "ANYWHERE inline int twice(int a) { return 2 * a; }\n__global__ void f(int *p) { *p = twice(*p); }\n"
    command = [CLANG, "-x", "hip", "-nogpuinc", "-nogpulib", "--offload-arch=gfx90a", "-fsyntax-only", *attributes]
    code = converted(JOINED + functions + "int main() { return twice(3); }\n")
    result = subprocess.run([*command, *arguments, "-"], input=code, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
