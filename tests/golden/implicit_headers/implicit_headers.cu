// Charge of particles onto a grid. Relies on what nvcc includes by itself, and on dim3 and uint3 being kin.
#include <hip/hip_runtime.h>
#include <cstring>
#include <math.h>
#include "hipify_support.hpp"
#include <stdio.h>

#include "deposit.cuh"

static const int3 dims = {16, 12, 10};

__global__ void deposit(const Particle *p, int n, unsigned int *grid, int3 d)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&grid[cell_of(p[i].x, d)], (unsigned int)rintf(p[i].q * 64.0f));
}

__global__ void smooth(const unsigned int *in, unsigned int *out, int3 d)
{
    uint3 at = make_uint3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z);
    if (at.x >= d.x || at.y >= d.y) return;
    unsigned int sum = 0;
    for (int dx = -1; dx <= 1; dx++) {
        int x = ((int)at.x + dx + d.x) % d.x;
        sum += in[(at.z * d.y + at.y) * d.x + x];
    }
    out[(at.z * d.y + at.y) * d.x + at.x] = sum;
}

static float unit(unsigned int *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) * (1.0f / 16777216.0f);
}

int main()
{
    const int n = 20000;
    const int cells = dims.x * dims.y * dims.z;
    Particle *p = (Particle *)malloc(n * sizeof(Particle));
    unsigned int *want = (unsigned int *)calloc(cells, sizeof(unsigned int)), *got = (unsigned int *)malloc(cells * sizeof(unsigned int));
    unsigned int state = 7;
    for (int i = 0; i < n; i++) {
        p[i].x = make_float3(unit(&state), unit(&state), unit(&state));
        p[i].q = (float)(i % 5) * 0.25f;
        if (!isfinite(p[i].x.x) || isnan(p[i].q)) return 3;
        want[cell_of(p[i].x, dims)] += (unsigned int)(p[i].q * 64.0f);
    }

    Particle *dp;
    unsigned int *d_grid, *d_smooth;
    must(hipMalloc(&dp, n * sizeof(Particle)), "particles");
    must(hipMalloc(&d_grid, cells * sizeof(unsigned int)), "grid");
    must(hipMalloc(&d_smooth, cells * sizeof(unsigned int)), "smooth");
    must(hipMemset(d_grid, 0, cells * sizeof(unsigned int)), "clear");
    must(hipMemcpy(dp, p, n * sizeof(Particle), hipMemcpyHostToDevice), "copy");

    const uint3 shape = make_uint3(8, 4, 1);
    dim3 threads = dim3(shape.x, shape.y, shape.z);
    dim3 blocks = dim3((dims.x + threads.x - 1) / threads.x, (dims.y + threads.y - 1) / threads.y, dims.z);
    hipLaunchKernelGGL(deposit, dim3((n + 127) / 128), dim3(128), 0, 0, dp, n, d_grid, dims);
    hipLaunchKernelGGL(smooth, blocks, threads, 0, 0, d_grid, d_smooth, dims);
    must(hipGetLastError(), "kernels");
    must(hipMemcpy(got, d_grid, cells * sizeof(unsigned int), hipMemcpyDeviceToHost), "back");

    bool same = memcmp(got, want, cells * sizeof(unsigned int)) == 0;
    unsigned int total = 0;
    for (int c = 0; c < cells; c++) total += got[c];
    printf("deposited %u, grids %s\n", total, same ? "agree" : "differ");

    must(hipMemcpy(got, d_smooth, cells * sizeof(unsigned int), hipMemcpyDeviceToHost), "back");
    int wrong = 0;
    for (int c = 0; c < cells; c++) {
        int x = c % dims.x, row = c - x;
        wrong += got[c] != want[c] + want[row + (x + 1) % dims.x] + want[row + (x + dims.x - 1) % dims.x];
    }
    float smallest = 3.0f, spread = (float)fabs((double)wrong), root = sqrtf(fmaxf(spread, 0.0f));
    smallest = min(smallest, root);
    printf("smoothed: wrong %d, root %.1f\n", wrong, smallest);

    must(hipFree(dp), "free");
    must(hipFree(d_grid), "free");
    must(hipFree(d_smooth), "free");
    free(p);
    free(want);
    free(got);
    bool ok = same && wrong == 0;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
