// Threads beyond the end return before the warp works together; the rest use the mask of those that are left.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void reduce_tail(const int *in, int n, int *sum, int *least, int *ranks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned mask = __activemask();
    const int lane = threadIdx.x & 31, last = 31 - __clz(mask);
    int s = in[i], m = in[i];
    for (int d = 16; d > 0; d /= 2) {
        const int other_s = __shfl_down_sync(mask, s, d), other_m = __shfl_down_sync(mask, m, d);
        if (lane + d <= last) {
            s += other_s;
            m = min(m, other_m);
        }
    }
    if (lane == 0) {
        atomicAdd(sum, s);
        atomicMin(least, m);
    }
    ranks[i] = __popc(__ballot_sync(mask, in[i] > 3) & ((1 << lane) - 1));
}

int main() {
    int errors = 0;
    for (int n = 1; n <= 200; n += 23) {
        int host[200], ranks[200], *in, *sum, *least, *d_ranks, got_sum, got_least, want_sum = 0, want_least = 1 << 20;
        for (int i = 0; i < n; ++i) {
            host[i] = (i * 3 + n) % 10 + 1;
            want_sum += host[i];
            want_least = host[i] < want_least ? host[i] : want_least;
        }
        cudaMalloc(&in, sizeof(host));
        cudaMalloc(&sum, 4);
        cudaMalloc(&least, 4);
        cudaMalloc(&d_ranks, sizeof(host));
        cudaMemset(sum, 0, 4);
        cudaMemset(least, 0x3f, 4);
        cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
        reduce_tail<<<(n + 127) / 128, 128>>>(in, n, sum, least, d_ranks);
        cudaMemcpy(&got_sum, sum, 4, cudaMemcpyDeviceToHost);
        cudaMemcpy(&got_least, least, 4, cudaMemcpyDeviceToHost);
        cudaMemcpy(ranks, d_ranks, n * sizeof(int), cudaMemcpyDeviceToHost);
        errors += got_sum != want_sum || got_least != want_least;
        for (int i = 0, r = 0; i < n; ++i) {
            if (i % 32 == 0) r = 0;
            errors += ranks[i] != r;
            r += host[i] > 3;
        }
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
