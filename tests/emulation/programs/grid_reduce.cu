// A cooperative launch: warps reduce, blocks add, the grid waits, and all read the sum.
#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void normalise(const int *in, int *out, int n, int *sum) {
    cg::grid_group grid = cg::this_grid();
    const int i = grid.thread_rank();
    int v = i < n ? in[i] : 0;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if ((threadIdx.x & 31) == 0) atomicAdd(sum, v);
    grid.sync();
    const int total = __shfl_sync(0xffffffff, threadIdx.x % 32 == 0 ? *(volatile int *)sum : 0, 0);
    if (i < n) out[i] = total - in[i];
}
int main() {
    int n = 250, *in, *out, *sum, errors = 0, total = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&sum, sizeof(int));
    for (int i = 0; i < n; ++i) total += in[i] = i * 7 % 31;
    *sum = 0;
    void *arguments[] = {&in, &out, &n, &sum};
    cudaLaunchCooperativeKernel((void *)normalise, dim3(3), dim3(96), arguments, 0, 0);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) errors += out[i] != total - in[i];
    printf("errors %d\n", errors);
    return errors != 0;
}
