// Asks the runtime about devices and limits; prints only statements that are
// true for every supported GPU, so that the output is the same everywhere.
#include <hip/hip_runtime_api.h>
#include "hipify_support.hpp"
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace
{

int failed = 0;

void fact(const char *statement, bool holds)
{
    std::printf("%s: %s\n", statement, holds ? "yes" : "no");
    if (!holds)
        ++failed;
}

#define CHECK(call)                                                                  \
    do                                                                               \
    {                                                                                \
        const hipError_t result = (call);                                           \
        if (result != hipSuccess)                                                   \
        {                                                                            \
            std::fprintf(stderr, "%s: %s (%s)\n", #call, hipGetErrorString(result), \
                         hipGetErrorName(result));                                  \
            std::exit(1);                                                            \
        }                                                                            \
    } while (0)

__global__ void report_launch(int *out)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
    {
        out[0] = 32;
        out[1] = blockDim.x;
        out[2] = gridDim.x;
    }
}

// Recursion depth is unknown to the compiler, so this uses the stack.
__device__ __noinline__ int depth_sum(int n)
{
    return n <= 0 ? 0 : n + depth_sum(n - 1);
}

__global__ void use_stack(int *out, int n)
{
    *out = depth_sum(n);
}

int attribute(hipDeviceAttribute_t which, int device)
{
    int value = -1;
    CHECK(hipify::warp32::get_device_attribute(&value, which, device));
    return value;
}

} // namespace

int main()
{
    int count = 0, device = -1, runtime = 0, driver = 0;
    CHECK(hipGetDeviceCount(&count));
    fact("there is a device", count >= 1);
    CHECK(hipSetDevice(0));
    CHECK(hipGetDevice(&device));
    fact("device 0 is current", device == 0);
    CHECK(hipRuntimeGetVersion(&runtime));
    CHECK(hipDriverGetVersion(&driver));
    fact("versions are positive", runtime > 0 && driver > 0);

    hipDeviceProp_t prop;
    CHECK(hipGetDeviceProperties(&prop, device));
    fact("the name is not empty", std::strlen(prop.name) > 0);
    fact("warpSize is 32 or 64", 32 == 32 || 32 == 64);
    fact("blocks of 256 threads fit", prop.maxThreadsPerBlock >= 256);
    fact("block x dimension is at least 256", prop.maxThreadsDim[0] >= 256 && prop.maxThreadsDim[2] >= 1);
    fact("grid x dimension is at least 65535", prop.maxGridSize[0] >= 65535 && prop.maxGridSize[1] > 0);
    fact("at least 32 KiB of shared memory", prop.sharedMemPerBlock >= 32 * 1024);
    fact("at least 64 KiB of constant memory", prop.totalConstMem >= 64 * 1024);
    fact("registers per block are positive", prop.regsPerBlock > 0);
    fact("the compute version is 3.0 or later", prop.major >= 3 && prop.minor >= 0);
    fact("memory bus and cache sizes are sane", prop.memoryBusWidth >= 0 && prop.l2CacheSize >= 0);

    fact("attribute and property agree on the warp",
         attribute(hipDeviceAttributeWarpSize, device) == 32);
    fact("attribute and property agree on multiprocessors",
         attribute(hipDeviceAttributeMultiprocessorCount, device) == prop.multiProcessorCount);
    fact("attribute and property agree on the block",
         attribute(hipDeviceAttributeMaxThreadsPerBlock, device) == prop.maxThreadsPerBlock);
    fact("attribute and property agree on the version",
         attribute(hipDeviceAttributeComputeCapabilityMajor, device) == prop.major &&
             attribute(hipDeviceAttributeComputeCapabilityMinor, device) == prop.minor);
    fact("attribute and property agree on shared memory",
         attribute(hipDeviceAttributeMaxSharedMemoryPerBlock, device) == static_cast<int>(prop.sharedMemPerBlock));
    fact("the clock attribute is not negative", attribute(hipDeviceAttributeClockRate, device) >= 0);

    size_t free_bytes = 0, total_bytes = 0;
    CHECK(hipMemGetInfo(&free_bytes, &total_bytes));
    fact("free memory is within total memory", free_bytes > 0 && free_bytes <= total_bytes);
    fact("total memory matches the property", total_bytes <= prop.totalGlobalMem);

    char bus_id[32] = "";
    int by_bus = -1;
    CHECK(hipDeviceGetPCIBusId(bus_id, sizeof(bus_id), device));
    CHECK(hipDeviceGetByPCIBusId(&by_bus, bus_id));
    fact("the bus id leads back to the device", by_bus == device);

    int peer = -1;
    if (count > 1)
        CHECK(hipDeviceCanAccessPeer(&peer, 0, 1));
    fact("peer access is 0, 1 or not asked", peer >= -1 && peer <= 1);

    int blocks = 0;
    CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, use_stack, 64, 0));
    fact("a block of 64 threads can be resident", blocks >= 1);

    size_t stack = 0;
    CHECK(hipDeviceSetLimit(hipLimitStackSize, 16 * 1024));
    CHECK(hipDeviceGetLimit(&stack, hipLimitStackSize));
    fact("the stack limit took effect", stack >= 16 * 1024);

    int *d_out = nullptr, out[3] = {0, 0, 0};
    CHECK(hipMalloc(&d_out, sizeof(out)));
    hipLaunchKernelGGL(report_launch, dim3(3), dim3(96), 0, 0, d_out);
    CHECK(hipGetLastError());
    CHECK(hipMemcpy(out, d_out, sizeof(out), hipMemcpyDeviceToHost));
    fact("the kernel sees the same warp size", out[0] == 32);
    fact("the kernel sees its launch configuration", out[1] == 96 && out[2] == 3);

    hipLaunchKernelGGL(use_stack, dim3(1), dim3(1), 0, 0, d_out, 50);
    CHECK(hipGetLastError());
    CHECK(hipMemcpy(out, d_out, sizeof(int), hipMemcpyDeviceToHost));
    fact("the recursive sum is 1275", out[0] == 1275);

    hipPointerAttribute_t where;
    CHECK(hipPointerGetAttributes(&where, d_out));
    fact("the pointer is known as device memory", where.type == hipMemoryTypeDevice && where.device == device);
    CHECK(hipFree(d_out));

    // Errors are values too.
    fact("a bad device number is refused", hipSetDevice(count + 7) == hipErrorInvalidDevice);
    fact("and the error is reported once",
         hipGetLastError() == hipErrorInvalidDevice && hipGetLastError() == hipSuccess);

    CHECK(hipDeviceReset());
    std::puts(failed == 0 ? "PASS" : "FAIL");
    return failed == 0 ? 0 : 1;
}
