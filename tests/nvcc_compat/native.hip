#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <cstdio>

#define CHECK(call)                                                                  \
    do {                                                                             \
        hipError_t status = (call);                                                  \
        if (status != hipSuccess) {                                                  \
            std::printf("%s: %s\n", hipGetErrorName(status), hipGetErrorString(status)); \
            return 1;                                                                \
        }                                                                            \
    } while (0)

__constant__ int offset;
__device__ int total;

template <typename T, int N>
__global__ void sum(const T *in, T *out) {
    HIP_DYNAMIC_SHARED(T, cell)
    unsigned long long lower = __ballot_sync(0xffffffffffffffffull, in[threadIdx.x] > T(0));
    T value = in[threadIdx.x] + T(offset) + T(N);
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffffffffffull, value, step, 32);
    cell[threadIdx.x] = value;
    __syncthreads();
    if (__lane_id() == 0 && __popcll(lower) > 0) {
        out[0] = cell[0];
        __hip_atomic_fetch_add(&total, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
        __hip_atomic_store(&total, __hip_atomic_load(&total, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) + 1,
                           __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
    }
    if (wall_clock64() == 0) __builtin_trap();
}

int main() {
    float *in = nullptr, *out = nullptr, *managed = nullptr;
    int one = 1;
    hipDeviceProp_t properties;
    CHECK(hipGetDeviceProperties(&properties, 0));
    CHECK(hipHostMalloc(&in, 32 * sizeof(float)));
    CHECK(hipHostMalloc((void **)&out, sizeof(float), hipHostMallocMapped));
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(offset), &one, sizeof one));
    CHECK(hipFuncSetAttribute(reinterpret_cast<const void *>(&sum<float, 2>), hipFuncAttributeMaxDynamicSharedMemorySize, 4096));
    hipLaunchKernelGGL((sum<float, 2>), dim3(1), dim3(32), 32 * sizeof(float), 0, in, out);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(sum<float, 3>), 1, 32, 32 * sizeof(float), 0, in, out);
    hipEvent_t event;
    CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    CHECK(hipMallocManaged(&managed, sizeof(float)));  // CUDA prefetches no pinned memory, which HIP does
    CHECK(hipMemPrefetchAsync(managed, sizeof(float), 0, nullptr));
    CHECK(hipDeviceSynchronize());
    return hipFree(0) != hipSuccess;
}
