// The lane and the lane masks from special registers, in the helpers that many projects carry with them.
#include <cstdio>
#include <cuda_runtime.h>

namespace util {
struct LaneId {
    __device__ __forceinline__ operator unsigned() const {
        unsigned ret;
        asm volatile("mov.u32 %0, %%laneid;" : "=r"(ret));
        return ret;
    }
};
__device__ __forceinline__ unsigned lanemask_lt() {
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}
__device__ __forceinline__ unsigned lanemask_ge() {
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(mask));
    return mask;
}
__device__ __forceinline__ unsigned warp_id() {
    unsigned ret;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(ret));
    return ret;
}
}  // namespace util

__global__ void ranks(const int *in, int *before, int *after, unsigned *lanes) {
    int i = threadIdx.x;
    unsigned votes = __ballot_sync(0xffffffff, in[i] > 10);
    before[i] = __popc(votes & util::lanemask_lt());
    after[i] = __popc(votes & util::lanemask_ge());
    lanes[i] = util::LaneId();
}

int main() {
    const int n = 128;
    int host[n], b[n], a[n], *in, *before, *after;
    unsigned l[n], *lanes;
    for (int i = 0; i < n; ++i) host[i] = (i * 11) % 29;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&before, sizeof(b));
    cudaMalloc(&after, sizeof(a));
    cudaMalloc(&lanes, sizeof(l));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    ranks<<<1, n>>>(in, before, after, lanes);
    cudaMemcpy(b, before, sizeof(b), cudaMemcpyDeviceToHost);
    cudaMemcpy(a, after, sizeof(a), cudaMemcpyDeviceToHost);
    cudaMemcpy(l, lanes, sizeof(l), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int i = 0; i < n; ++i) {
        int lo = 0, hi = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
            if (j < i) lo += host[j] > 10;
            else hi += host[j] > 10;
        }
        errors += b[i] != lo || a[i] != hi || l[i] != (unsigned)(i % 32);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
