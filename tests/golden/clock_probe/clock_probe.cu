// Clocks in kernels: they only go forward, work takes longer than none, the rate can be asked for.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECKED(call)                                                                 \
    do {                                                                              \
        const hipError_t status = call;                                              \
        if (hipSuccess != status) {                                                  \
            std::printf("%s returned %s\n", #call, hipGetErrorString(status));       \
            std::exit(1);                                                             \
        }                                                                             \
    } while (0)

struct Probe { long long start, middle, stop; clock_t narrow_start, narrow_stop; unsigned long long global_start, global_stop; };

__device__ __forceinline__ unsigned long long global_timer()
{
    unsigned long long t;
    t = wall_clock64() * 10ull;
    return t;
}

__device__ __forceinline__ unsigned multiprocessor()
{
    unsigned id;
    id = __smid();
    return id;
}

__global__ void probe(Probe *out, float *sink, int work)
{
    Probe p;
    p.global_start = global_timer();
    p.narrow_start = clock();
    p.start = clock64();
    float x = threadIdx.x;
    for (int i = 0; i < work; ++i) x = x * 1.0001f + 0.5f;
    p.middle = clock64();
    for (int i = 0; i < 50 * work; ++i) x = x * 0.9999f + 0.25f;
    p.stop = clock64();
    p.narrow_stop = clock();
    p.global_stop = global_timer();
    sink[blockIdx.x * blockDim.x + threadIdx.x] = x;
    if (threadIdx.x == 0) out[blockIdx.x] = p;
}

// Waits a number of ticks, as tests of streams do
__global__ void spin(clock_t ticks, int *done)
{
    const clock_t begin = clock();
    while ((unsigned)(clock() - begin) < (unsigned)ticks) { }
    if (threadIdx.x == 0) atomicAdd(done, 1);
}

__global__ void where(unsigned *largest)
{
    if (threadIdx.x == 0) atomicMax(largest, multiprocessor());
}

int main()
{
    const int blocks = 40, threads = 64;
    int rate = 0, device = 0;
    CHECKED(hipGetDevice(&device));
    CHECKED(hipDeviceGetAttribute(&rate, hipDeviceAttributeClockRate, device));
    hipDeviceProp_t prop;
    CHECKED(hipGetDeviceProperties(&prop, device));

    std::vector<Probe> probes(blocks);
    Probe *d_probes;
    float *d_sink;
    int *d_done, done = 0;
    unsigned *d_largest, largest = 0;
    CHECKED(hipMalloc(&d_probes, blocks * sizeof(Probe)));
    CHECKED(hipMalloc(&d_sink, blocks * threads * sizeof(float)));
    CHECKED(hipMalloc(&d_done, sizeof(int)));
    CHECKED(hipMalloc(&d_largest, sizeof(unsigned)));
    CHECKED(hipMemset(d_done, 0, sizeof(int)));
    CHECKED(hipMemset(d_largest, 0, sizeof(unsigned)));
    hipLaunchKernelGGL(probe, dim3(blocks), dim3(threads), 0, 0, d_probes, d_sink, 400);
    hipLaunchKernelGGL(spin, dim3(4), dim3(32), 0, 0, 20000, d_done);
    hipLaunchKernelGGL(where, dim3(2000), dim3(32), 0, 0, d_largest);
    CHECKED(hipGetLastError());
    CHECKED(hipMemcpy(probes.data(), d_probes, blocks * sizeof(Probe), hipMemcpyDeviceToHost));
    CHECKED(hipMemcpy(&done, d_done, sizeof done, hipMemcpyDeviceToHost));
    CHECKED(hipMemcpy(&largest, d_largest, sizeof largest, hipMemcpyDeviceToHost));

    int backwards = 0, longer = 0, global_backwards = 0;
    for (const Probe &p : probes) {
        backwards += !(p.start <= p.middle && p.middle < p.stop);
        longer += p.stop - p.middle > p.middle - p.start;
        global_backwards += p.global_stop < p.global_start;
    }
    std::printf("clock64: backwards %d, longer work took longer in %d of %d blocks\n", backwards, longer, blocks);
    std::printf("global timer: backwards %d\n", global_backwards);
    std::printf("clock rate %s, %d blocks waited\n", rate > 0 ? "known" : "unknown", done);
    const bool placed = largest < (unsigned)prop.multiProcessorCount;
    std::printf("multiprocessor numbers: %s\n", placed ? "in range" : "out of range");
    CHECKED(hipFree(d_probes));
    CHECKED(hipFree(d_sink));
    CHECKED(hipFree(d_done));
    CHECKED(hipFree(d_largest));
    const bool ok = backwards == 0 && longer == blocks && global_backwards == 0 && rate > 0 && done == 4 && placed;
    std::puts(ok ? "PASS" : "FAIL");
    return !ok;
}
