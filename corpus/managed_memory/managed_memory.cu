// Managed memory: a linked list built on the host and walked on the device,
// __managed__ variables, and placement hints where the device takes them.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

#define CHECK_CUDA(call)                                                          \
    do                                                                            \
    {                                                                             \
        cudaError_t e = (call);                                                   \
        if (e != cudaSuccess)                                                     \
        {                                                                         \
            std::fprintf(stderr, "%s at line %d\n", cudaGetErrorString(e), __LINE__); \
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
        CHECK_CUDA(cudaMallocManaged(&p, bytes));
        return p;
    }
    static void operator delete(void *p)
    {
        CHECK_CUDA(cudaDeviceSynchronize());
        CHECK_CUDA(cudaFree(p));
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
static void advise_and_prefetch(void *p, std::size_t bytes, int device, cudaStream_t stream)
{
#if CUDART_VERSION >= 13000
    struct cudaMemLocation place = {};
    place.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    place.id = device == cudaCpuDeviceId ? 0 : device;
    CHECK_CUDA(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, place));
    CHECK_CUDA(cudaMemPrefetchAsync(p, bytes, place, 0, stream));
#else
    CHECK_CUDA(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, device));
    CHECK_CUDA(cudaMemPrefetchAsync(p, bytes, device, stream));
#endif
}

int main()
{
    int device = 0;
    CHECK_CUDA(cudaGetDevice(&device));
    int concurrent = 0;
    CHECK_CUDA(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));

    // 1. The list: 1, 2, ..., 50, each multiplied by 3 on the device.
    Node *head = nullptr;
    for (int v = 50; v >= 1; --v)
    {
        Node *n = new Node;
        n->value = v;
        n->next = head;
        head = n;
    }
    walk<<<1, 1>>>(head, 3);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaDeviceSynchronize());

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
    CHECK_CUDA(cudaMallocManaged(&data, n * sizeof(*data), cudaMemAttachGlobal));
    if (concurrent)
        advise_and_prefetch(data, n * sizeof(*data), device, 0);

    fill<<<160, 256>>>(data, n);
    classify<<<160, 256>>>(data, n);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaDeviceSynchronize());

    if (concurrent)
    {
        advise_and_prefetch(data, n * sizeof(*data), cudaCpuDeviceId, 0);
        CHECK_CUDA(cudaDeviceSynchronize());
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

    CHECK_CUDA(cudaFree(data));

    std::printf("list: visited %d, sum %ld\n", g_visited, list_sum);
    std::printf("array: %d words %s, bins", n, same_data ? "ok" : "WRONG");
    for (int b = 0; b < 8; ++b)
        std::printf(" %llu", g_histogram[b]);
    std::printf("\n");

    const bool ok = g_visited == 50 && list_sum == 3 * 50 * 51 / 2 && same_data && same_counts;
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
