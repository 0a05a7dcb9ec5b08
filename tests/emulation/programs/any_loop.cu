// Escape times: a warp goes on while any of its lanes has not escaped; the rounds of each warp are counted.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void collatz(const unsigned *start, int n, int *steps, int *rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = i < n ? start[i] : 1;
    int own = 0, r = 0;
    do {
        if (v != 1) {
            v = v & 1 ? 3 * v + 1 : v / 2;
            ++own;
        }
        ++r;
        if (__all_sync(0xffffffff, v == 1)) break;
    } while (r < 500);
    if (i < n) steps[i] = own;
    if (threadIdx.x % 32 == 5) rounds[i / 32] = r;
}
int main() {
    const int n = 180, threads = 192;
    unsigned *start;
    int *steps, *rounds, errors = 0;
    cudaMallocManaged(&start, n * sizeof(unsigned));
    cudaMallocManaged(&steps, n * sizeof(int));
    cudaMallocManaged(&rounds, threads / 32 * sizeof(int));
    for (int i = 0; i < n; ++i) start[i] = i < 64 ? 1 + i % 8 : 1 + i / 3;
    collatz<<<1, threads>>>(start, n, steps, rounds);
    cudaDeviceSynchronize();
    for (int w = 0; w < threads / 32; ++w) {
        int most = 1;
        for (int i = w * 32; i < w * 32 + 32 && i < n; ++i) {
            int s = 0;
            for (unsigned v = start[i]; v != 1; ++s) v = v & 1 ? 3 * v + 1 : v / 2;
            errors += steps[i] != s;
            most = s > most ? s : most;
        }
        errors += rounds[w] != most;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
