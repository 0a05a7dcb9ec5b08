"""A CUDA project that a C++ compiler alone can build, once it is HIP: HIP's header is a small one of the tests' own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

HIP_HEADER = """\
#pragma once
#define __global__
#define __device__
struct dim3 { unsigned x, y, z; dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {} };
typedef int hipError_t;
inline hipError_t hipMalloc(void *, unsigned long) { return 0; }
inline hipError_t hipFree(void *) { return 0; }
inline hipError_t hipDeviceSynchronize() { return 0; }
#define hipLaunchKernelGGL(kernel, blocks, threads, bytes, stream, ...) kernel(__VA_ARGS__)
"""

SOURCES: Mapping[str, str] = {
    "include/lib/sum.cuh": '#pragma once\n#include <cuda_runtime.h>\n#include "depth.h"\nvoid sum(float *p, int n);\n',
    "include/lib/depth.h": "#pragma once\n#define DEPTH 1\n",
    "src/local.h": "#pragma once\n#include <cuda_runtime.h>\n__device__ inline float twice(float x) { return 2 * x; }\n",
    "src/sum.cu": """\
#include <cuda.h>
#include "lib/sum.cuh"
#include "local.h"
__global__ void kernel(float *p, int n) { for (int i = 0; i < n; ++i) p[i] = twice(p[i]) * DEPTH; }
void sum(float *p, int n) { kernel<<<1, 64>>>(p, n); }
""",
    "src/main.cpp": """\
#include <cuda_runtime.h>
#include "lib/sum.cuh"
int main() { float p[1] = {2}; sum(p, 1); cudaFree(p); return p[0] == 4 ? 0 : 1; }
""",
}


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write the project and more files; its HIP header is in `stand-in`, beside the folder."""
    for name, text in {**SOURCES, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    header = folder.parent / "stand-in/hip/hip_runtime.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(HIP_HEADER)
    return folder


def run(command: Sequence[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command, with the stand-in's header on the compiler's path."""
    paths = {"CPLUS_INCLUDE_PATH": str(folder.parent / "stand-in")}
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **paths, **environment}, capture_output=True, text=True
    )


def run_well(command: Sequence[str], folder: Path, **environment: str) -> str:
    """Run a command that has to succeed; returns all that it printed."""
    result = run(command, folder, **environment)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr
