// A branch for AMD that only names the platform and adds a fence; the warps stay at 32 lanes in both.
#include <cstdio>
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIPCC__)
#include <hip/hip_runtime.h>
#define PLATFORM "AMD"
#else
#include <cuda_runtime.h>
#define PLATFORM "NVIDIA"
#endif

#ifdef __HIP_PLATFORM_AMD__
__device__ void publish() { __threadfence_system(); }
#else
__device__ void publish() { __threadfence(); }
#endif

__global__ void runs(const int *in, int *lengths) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int left = __shfl_up_sync(0xffffffff, in[i], 1);
    unsigned heads = __ballot_sync(0xffffffff, lane == 0 || left != in[i]);
    unsigned above = heads & ~((2u << lane) - 1);
    int end = above ? __ffs(above) - 1 : 32;
    lengths[i] = (heads >> lane & 1) ? end - lane : 0;
    publish();
}

int main() {
    const int n = 192;
    int host[n], got[n], *in, *out, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = i / 5 + (i % 11 == 0);
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(got));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    runs<<<2, 96>>>(in, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        int want = 0;
        if (i % 32 == 0 || host[i] != host[i - 1]) {
            want = 1;
            while ((i + want) % 32 && host[i + want] == host[i]) ++want;
        }
        errors += got[i] != want;
    }
    printf("on %s: errors %d\n", PLATFORM, errors);
    return errors != 0;
}
