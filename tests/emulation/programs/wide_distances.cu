// Shuffles over distances below 0 and from 32 on: five bits of a distance count.
#include <cstdio>
#include <cuda_runtime.h>
#define LATER(v, by) __shfl_down_sync(0xffffffffu, v, by)
enum Way { DOWN, UP, XOR, DOWN_8, XOR_16, BY_MACRO, BY_PTX, BY_LOOP, BY_STEP, BY_TEMPLATE, WAYS };
template <int By> __device__ int fixed(int v) { return __shfl_up_sync(0xffffffffu, v, By); }
__device__ int doubling(int v, int rounds) {
    int by = 1, sum = 0;
    do {
        sum += __shfl_xor_sync(0xffffffffu, v, by);
        by *= 2;
    } while (--rounds > 0);
    return sum;
}
__device__ int behind_first(int v, unsigned votes) {
    int pivot = __ffs(votes);
    pivot--;
    return __shfl_down_sync(0xffffffffu, v, pivot, 32);
}
__global__ void shuffles(int by, int *out) {
    const int t = threadIdx.x, n = blockDim.x;
    int v = 1000 + t, r;
    out[DOWN * n + t] = __shfl_down_sync(0xffffffffu, v, by);
    out[UP * n + t] = __shfl_up_sync(0xffffffffu, v, by);
    out[XOR * n + t] = __shfl_xor_sync(0xffffffffu, v, by);
    out[DOWN_8 * n + t] = __shfl_down_sync(0xffffffffu, v, by, 8);
    out[XOR_16 * n + t] = __shfl_xor_sync(0xffffffffu, v, by, 16);
    out[BY_MACRO * n + t] = LATER(v, by + 1);
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(v), "r"(by));
    out[BY_PTX * n + t] = r;
    out[BY_LOOP * n + t] = doubling(v, 7);
    out[BY_STEP * n + t] = behind_first(v, by < 0 ? 0u : 1u << (by & 31));
    out[BY_TEMPLATE * n + t] = fixed<35>(v);
}
static int read_from(Way way, int lane, int by, int width) {
    const int bits = by & 31, segment = ~(width - 1) & 31;
    const int last = (lane & segment) | (31 & ~segment), first = lane & segment;
    const int from = way == UP ? lane - bits : way == XOR ? lane ^ bits : lane + bits;
    return (way == UP ? from >= first : from <= last) ? from : lane;
}
static int wanted(int way, int t, int by) {
    const int warp = 1000 + (t & ~31), lane = t & 31;
    switch (way) {
        case DOWN: return warp + read_from(DOWN, lane, by, 32);
        case UP: return warp + read_from(UP, lane, by, 32);
        case XOR: case BY_PTX: return warp + read_from(XOR, lane, by, 32);
        case DOWN_8: return warp + read_from(DOWN, lane, by, 8);
        case XOR_16: return warp + read_from(XOR, lane, by, 16);
        case BY_MACRO: return warp + read_from(DOWN, lane, by + 1, 32);
        case BY_STEP: return warp + read_from(DOWN, lane, by < 0 ? -1 : by & 31, 32);
        case BY_TEMPLATE: return warp + read_from(UP, lane, 35, 32);
    }
    int sum = 0;
    for (int round = 0, step = 1; round < 7; ++round, step *= 2) sum += warp + read_from(XOR, lane, step, 32);
    return sum;
}
int main() {
    const int threads = 128, distances[] = {-33, -32, -1, 0, 1, 5, 31, 32, 33, 47, 63, 64, 100};
    int *out, errors = 0;
    cudaMallocManaged(&out, WAYS * threads * sizeof(int));
    for (int by : distances) {
        shuffles<<<1, threads>>>(by, out);
        cudaDeviceSynchronize();
        for (int way = 0; way < WAYS; ++way)
            for (int t = 0; t < threads; ++t) errors += out[way * threads + t] != wanted(way, t, by);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
