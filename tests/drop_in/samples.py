"""Small sources of our own, and what they become."""

from __future__ import annotations

from pathlib import Path

PLAIN = """\
#include <cuda_runtime.h>
int main() {
    float *data;
    cudaMalloc(&data, 4);
    cudaThreadSynchronize();
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
"""
PLAIN_HIP = """\
#include <hip/hip_runtime.h>
int main() {
    float *data;
    hipMalloc(&data, 4);
    hipDeviceSynchronize();
    hipDeviceSynchronize();
    hipFree(data);
    return 0;
}
"""

LAUNCH = """\
#include <cuda_runtime.h>
__global__ void twice(float *x) {
    x[threadIdx.x] = sqrtf(2.0f * x[threadIdx.x]);
    __syncthreads();
}
void run(float *x) { twice<<<1, 32>>>(x); }
"""

LEFT = """\
#include <cuda_runtime.h>
void f(void *p) {
    cudaNoSuchThing(p);
    cudaFree(p);
    cudaGraphConditionalHandleCreate(0, 0, 0, 0);
}
"""

VOTE = """\
#include <cuda_runtime.h>
__global__ void vote(unsigned *x) { x[0] = __match_any_sync(0xffffffffu, x[threadIdx.x]); }
"""
"""It needs the support header."""


def write(folder: Path, **sources: str) -> None:
    """Write sources into a folder, each to `NAME.cu`."""
    for name, text in sources.items():
        (folder / f"{name}.cu").write_text(text, encoding="utf-8")
