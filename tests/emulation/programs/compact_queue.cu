// Stream compaction: one atomic a warp, ranks by ballots. Order within a warp is kept, so each run can be checked.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__device__ __forceinline__ uint32_t lane_id() { return threadIdx.x & 31; }

__global__ void keep_odd(const uint32_t *in, int n, uint32_t *queue, uint32_t *size, uint32_t *warp_start) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool wanted = i < n && (in[i] & 1);
    uint32_t votes = __ballot_sync(0xffffffffu, wanted);
    uint32_t rank = __popc(votes & ((1u << lane_id()) - 1u));
    uint32_t base = 0;
    if (lane_id() == 0) {
        base = atomicAdd(size, (uint32_t)__popc(votes));
        warp_start[i / 32] = base;
    }
    base = __shfl_sync(0xffffffffu, base, 0);
    if (wanted) queue[base + rank] = in[i];
}

int main() {
    const int n = 500, threads = 160, blocks = (n + threads - 1) / threads, warps = blocks * threads / 32;
    uint32_t host[n], *in, *queue, *size, *start, result[n], count = 0, starts[warps];
    for (int i = 0; i < n; ++i) host[i] = i * 2654435761u >> 7;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&queue, sizeof(host));
    cudaMalloc(&size, 4);
    cudaMalloc(&start, sizeof(starts));
    cudaMemset(size, 0, 4);
    cudaMemset(queue, 0xff, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    keep_odd<<<blocks, threads>>>(in, n, queue, size, start);
    cudaMemcpy(result, queue, sizeof(host), cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, size, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(starts, start, sizeof(starts), cudaMemcpyDeviceToHost);
    int errors = 0;
    uint32_t odd = 0;
    for (int w = 0; w < warps; ++w) {
        uint32_t at = starts[w];
        for (int i = w * 32; i < w * 32 + 32 && i < n; ++i)
            if (host[i] & 1) {
                errors += at >= (uint32_t)n || result[at] != host[i];
                ++at;
                ++odd;
            }
    }
    errors += odd != count;
    printf("errors %d\n", errors);
    return errors != 0;
}
