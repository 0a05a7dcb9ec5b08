// Asks what the device can do, and chooses a kernel by compute capability.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifndef MINIMUM_MAJOR
#define MINIMUM_MAJOR 3
#endif

static void check(hipError_t status)
{
    if (status != hipSuccess) {
        std::fprintf(stderr, "%s (%s)\n", hipGetErrorString(status), hipGetErrorName(status));
        std::exit(EXIT_FAILURE);
    }
}

static int capability(const hipDeviceProp_t& prop) { return 100 * prop.major + 10 * prop.minor; }

// How many cores a multiprocessor of this architecture has; 0 when the table does not know it.
static int cores_per_multiprocessor(int major, int minor)
{
    struct { int sm, cores; } const table[] = {{0x30, 192}, {0x35, 192}, {0x50, 128}, {0x60, 64}, {0x61, 128}, {0x70, 64},
                                               {0x75, 64},  {0x80, 64},  {0x86, 128}, {0x89, 128}, {0x90, 128}, {-1, 0}};
    int i = 0;
    while (table[i].sm != -1 && table[i].sm != (major << 4) + minor) ++i;
    return table[i].cores;
}

__global__ void add_shared(const int* in, int* out, int n)
{
    extern __shared__ int part[];
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

__global__ void add_plain(const int* in, int* out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(out, in[i]);
}

int main()
{
    int count = 0;
    check(hipGetDeviceCount(&count));
    int best = -1, bestCapability = -1;
    for (int d = 0; d < count; ++d) {
        hipDeviceProp_t prop;
        check(hipGetDeviceProperties(&prop, d));
        if (prop.major < MINIMUM_MAJOR) continue;
        if (capability(prop) > bestCapability) {
            best = d;
            bestCapability = capability(prop);
        }
    }
    if (best < 0) {
        std::puts("no device is new enough");
        return EXIT_FAILURE;
    }
    check(hipSetDevice(best));

    hipDeviceProp_t prop;
    int major = 0, minor = 0, threads = 0, shared = 0;
    check(hipGetDeviceProperties(&prop, best));
    check(hipDeviceGetAttribute(&major, hipDeviceAttributeComputeCapabilityMajor, best));
    check(hipDeviceGetAttribute(&minor, hipDeviceAttributeComputeCapabilityMinor, best));
    check(hipDeviceGetAttribute(&threads, hipDeviceAttributeMaxThreadsPerBlock, best));
    check(hipDeviceGetAttribute(&shared, hipDeviceAttributeMaxSharedMemoryPerBlock, best));
    const bool same = major == prop.major && minor == prop.minor && threads == prop.maxThreadsPerBlock && (size_t)shared == prop.sharedMemPerBlock;
    std::printf("properties and attributes %s\n", same ? "agree" : "differ");
    std::printf("compute capability of at least %d.0: %s\n", MINIMUM_MAJOR, prop.major >= MINIMUM_MAJOR ? "yes" : "no");
    std::printf("cores: %s\n", prop.multiProcessorCount * cores_per_multiprocessor(prop.major, prop.minor) > 0 ? "counted" : "not in the table");
    const bool sane = prop.totalGlobalMem > (1u << 28) && prop.multiProcessorCount > 0 && prop.regsPerBlock > 0 && prop.maxGridSize[0] > 65535;
    std::printf("memory, multiprocessors, registers, grid: %s\n", sane ? "sane" : "odd");

    const int n = 100000;
    std::vector<int> in(n);
    int want = 0, got = 0, *d_in, *d_out;
    for (int i = 0; i < n; ++i) want += in[i] = i % 19 - 9;
    check(hipMalloc(&d_in, n * sizeof(int)));
    check(hipMalloc(&d_out, sizeof(int)));
    check(hipMemset(d_out, 0, sizeof(int)));
    check(hipMemcpy(d_in, in.data(), n * sizeof(int), hipMemcpyHostToDevice));
    const int block = 256;
    if (prop.major >= 5 || (prop.major == 3 && prop.minor >= 5))
        hipLaunchKernelGGL(add_shared, dim3(2 * prop.multiProcessorCount), dim3(block), block * sizeof(int), 0, d_in, d_out, n);
    else
        hipLaunchKernelGGL(add_plain, dim3(64), dim3(block), 0, 0, d_in, d_out, n);
    check(hipGetLastError());
    check(hipMemcpy(&got, d_out, sizeof(int), hipMemcpyDeviceToHost));
    std::printf("sum %d\n", got);
    check(hipFree(d_in));
    check(hipFree(d_out));
    const bool ok = same && sane && got == want;
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
