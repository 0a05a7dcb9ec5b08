// Groups whose size is a value: tiled_partition(group, n) of the block and of the threads together; thread_group.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
using namespace cooperative_groups;

__device__ int sum_of(thread_group g, int *scratch, int v) {
    const int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        scratch[lane] = v;
        g.sync();
        if (lane < i) v += scratch[lane + i];
        g.sync();
    }
    return v;
}
__global__ void sums(const int *in, int *out, int width) {
    __shared__ int scratch[128];
    thread_block block = this_thread_block();
    thread_group tile = tiled_partition(block, width);
    const int start = threadIdx.x / width * width;
    const int s = sum_of(tile, scratch + start, in[threadIdx.x]);
    if (tile.thread_rank() == 0) out[threadIdx.x / width] = s;
}
int main() {
    const int n = 128;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = (i * 5) % 37;
    for (int width = 4; width <= 32; width *= 2) {
        sums<<<1, n>>>(in, out, width);
        cudaDeviceSynchronize();
        for (int g = 0; g < n / width; ++g) {
            int want = 0;
            for (int i = g * width; i < (g + 1) * width; ++i) want += in[i];
            errors += out[g] != want;
        }
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
