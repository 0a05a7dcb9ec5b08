// The author has ported the warps already: the width and the type of masks follow the target.
#include <cstdio>
#include <cstdint>
#include <cuda_runtime.h>

#if defined(__HIP_PLATFORM_AMD__)
#if defined(__GFX9__)
#define WARP_SIZE 64
#else
#define WARP_SIZE 32
#endif
typedef unsigned long long lane_mask_t;
#define FULL_MASK 0xffffffffffffffffull
#define POPC_MASK __popcll
#define FFS_MASK __ffsll
#else
#define WARP_SIZE 32
typedef unsigned lane_mask_t;
#define FULL_MASK 0xffffffffu
#define POPC_MASK __popc
#define FFS_MASK __ffs
#endif

__global__ void compact(const int *in, int n, int *out, int *count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % WARP_SIZE;
    bool keep = i < n && in[i] % 4 == 1;
#if defined(__HIP_PLATFORM_AMD__)
    lane_mask_t votes = __ballot(keep);
#else
    lane_mask_t votes = __ballot_sync(FULL_MASK, keep);
#endif
    if (votes == 0) return;
    int leader = FFS_MASK(votes) - 1, base = 0;
    if (lane == leader) base = atomicAdd(count, POPC_MASK(votes));
#if defined(__HIP_PLATFORM_AMD__)
    base = __shfl(base, leader);
#else
    base = __shfl_sync(FULL_MASK, base, leader);
#endif
    if (keep) out[base + POPC_MASK(votes & (((lane_mask_t)1 << lane) - 1))] = in[i];
}

int main() {
    const int n = 333;
    int host[n], got[n], *in, *out, *count, counted, want = 0, errors = 0;
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        host[i] = i * 7;
        if (host[i] % 4 == 1) ++want, sum += host[i];
    }
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    compact<<<3, 128>>>(in, n, out, count);
    cudaMemcpy(&counted, count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    errors += counted != want;
    for (int i = 0; i < counted && i < n; ++i) sum -= got[i];
    errors += sum != 0;
    printf("errors %d\n", errors);
    return errors != 0;
}
