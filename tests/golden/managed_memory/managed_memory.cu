// Managed memory: a linked list built on the host and walked on the device,
// __managed__ variables, and placement hints where the device takes them.
#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

#define CHECK_CUDA(call)                                                          \
    do                                                                            \
    {                                                                             \
        hipError_t e = (call);                                                   \
        if (e != hipSuccess)                                                     \
        {                                                                         \
            std::fprintf(stderr, "%s at line %d\n", hipGetErrorString(e), __LINE__); \
            std::exit(1);                                                         \
        }                                                                         \
    } while (0)

__managed__ int g_visited = 0;
__managed__ unsigned long long g_histogram[8];

// Objects of derived classes live in managed memory when made with new.
struct Managed
{
    static void *operator new(std::size_t bytes)
    {
        void *p = nullptr;
        CHECK_CUDA(hipMallocManaged(&p, bytes));
        return p;
    }
    static void operator delete(void *p)
    {
        CHECK_CUDA(hipDeviceSynchronize());
        CHECK_CUDA(hipFree(p));
    }
};

struct Node : Managed
{
    int value = 0;
    Node *next = nullptr;
};

__global__ void walk(Node *head, int factor)
{
    for (Node *n = head; n != nullptr; n = n->next)
    {
        n->value *= factor;
        ++g_visited;
    }
}

__global__ void classify(const std::uint32_t *data, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&g_histogram[data[i] & 7u], 1ull);
}

__global__ void fill(std::uint32_t *data, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] = static_cast<std::uint32_t>(i) * 2654435761u >> 7;
}

// CUDA 13 describes a place by a struct, earlier versions by a device number.
static void advise_and_prefetch(void *p, std::size_t bytes, int device, hipStream_t stream)
{
#if HIP_VERSION >= 13000
    struct hipMemLocation place = {};
    place.type = device == hipCpuDeviceId ? hipMemLocationTypeHost : hipMemLocationTypeDevice;
    place.id = device == hipCpuDeviceId ? 0 : device;
    CHECK_CUDA(hipMemAdvise_v2(p, bytes, hipMemAdviseSetPreferredLocation, place));
    CHECK_CUDA(hipMemPrefetchAsync_v2(p, bytes, place, 0, stream));
#else
    CHECK_CUDA(hipMemAdvise(p, bytes, hipMemAdviseSetPreferredLocation, device));
    CHECK_CUDA(hipMemPrefetchAsync(p, bytes, device, stream));
#endif
}

int main()
{
    int device = 0;
    CHECK_CUDA(hipGetDevice(&device));
    int concurrent = 0;
    CHECK_CUDA(hipDeviceGetAttribute(&concurrent, hipDeviceAttributeConcurrentManagedAccess, device));

    // 1. The list: 1, 2, ..., 50, each multiplied by 3 on the device.
    Node *head = nullptr;
    for (int v = 50; v >= 1; --v)
    {
        Node *n = new Node;
        n->value = v;
        n->next = head;
        head = n;
    }
    hipLaunchKernelGGL(walk, dim3(1), dim3(1), 0, 0, head, 3);
    CHECK_CUDA(hipGetLastError());
    CHECK_CUDA(hipDeviceSynchronize());

    long list_sum = 0;
    while (head != nullptr)
    {
        Node *next = head->next;
        list_sum += head->value;
        delete head;
        head = next;
    }

    // 2. An array filled on the device, read on the host and counted on both.
    const int n = 1 << 20;
    std::uint32_t *data = nullptr;
    CHECK_CUDA(hipMallocManaged(&data, n * sizeof(*data), hipMemAttachGlobal));
    if (concurrent)
        advise_and_prefetch(data, n * sizeof(*data), device, 0);

    hipLaunchKernelGGL(fill, dim3(160), dim3(256), 0, 0, data, n);
    hipLaunchKernelGGL(classify, dim3(160), dim3(256), 0, 0, data, n);
    CHECK_CUDA(hipGetLastError());
    CHECK_CUDA(hipDeviceSynchronize());

    if (concurrent)
    {
        advise_and_prefetch(data, n * sizeof(*data), hipCpuDeviceId, 0);
        CHECK_CUDA(hipDeviceSynchronize());
    }

    unsigned long long counts[8] = {0};
    bool same_data = true;
    for (int i = 0; i < n; ++i)
    {
        same_data = same_data && data[i] == (static_cast<std::uint32_t>(i) * 2654435761u >> 7);
        ++counts[data[i] & 7u];
    }
    bool same_counts = true;
    for (int b = 0; b < 8; ++b)
        same_counts = same_counts && counts[b] == g_histogram[b];

    CHECK_CUDA(hipFree(data));

    std::printf("list: visited %d, sum %ld\n", g_visited, list_sum);
    std::printf("array: %d words %s, bins", n, same_data ? "ok" : "WRONG");
    for (int b = 0; b < 8; ++b)
        std::printf(" %llu", g_histogram[b]);
    std::printf("\n");

    const bool ok = g_visited == 50 && list_sum == 3 * 50 * 51 / 2 && same_data && same_counts;
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
