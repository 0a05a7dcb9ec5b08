// A linked list and a table in managed memory, with managed variables that host and device both write.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

struct Managed {
    void *operator new(size_t bytes)
    {
        void *p = nullptr;
        if (hipMallocManaged(&p, bytes) != hipSuccess) throw std::bad_alloc();
        return p;
    }
    void operator delete(void *p) { hipFree(p); }
};

struct Node : Managed {
    int key;
    long long weight;
    char name[16];
    Node *next;
};

__device__ __managed__ int visits = 0;
__managed__ long long totals[4];
__device__ int hidden;

// One thread walks; pointers mean the same on both sides.
__global__ void walk(Node *head)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    for (Node *n = head; n != nullptr; n = n->next) {
        n->weight = (long long)n->key * n->key;
        n->name[0] = (char)('A' + n->key % 26);
        atomicAdd(&visits, 1);
    }
}

__global__ void accumulate(Node **table, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Node *node = table[i];
    atomicAdd((unsigned long long *)&totals[node->key & 3], (unsigned long long)node->weight);
    if (i == 0) hidden = visits;
}

int main()
{
    int device = 0, managed = 0;
    hipGetDevice(&device);
    hipDeviceGetAttribute(&managed, hipDeviceAttributeManagedMemory, device);
    if (!managed) {
        std::puts("no managed memory");
        return 1;
    }

    const int n = 700;
    Node *head = nullptr, **table = nullptr;
    if (hipMallocManaged((void **)&table, n * sizeof(Node *), hipMemAttachGlobal) != hipSuccess) return 1;
    for (int i = n - 1; i >= 0; --i) {
        Node *node = new Node;
        node->key = i * 13 % 997;
        node->weight = -1;
        std::snprintf(node->name, sizeof node->name, "?%d", i);
        node->next = head;
        table[i] = head = node;
    }

    visits = 1000;                     // the host writes first
    hipLaunchKernelGGL(walk, dim3(1), dim3(32), 0, 0, head);
    hipError_t e = hipDeviceSynchronize();
    const int after_walk = visits;
    if (e == hipSuccess) {
        hipLaunchKernelGGL(accumulate, dim3((n + 63) / 64), dim3(64), 0, 0, table, n);
        e = hipDeviceSynchronize();
    }
    int seen = 0;
    if (e == hipSuccess) e = hipMemcpyFromSymbol(&seen, HIP_SYMBOL(hidden), sizeof seen);
    if (e != hipSuccess) {
        std::printf("%s\n", hipGetErrorString(e));
        return 1;
    }

    int wrong = after_walk != 1000 + n || seen != after_walk, i = 0;
    long long want[4] = {0, 0, 0, 0};
    for (Node *node = head; node;) {
        char name[16];
        std::snprintf(name, sizeof name, "%c%d", 'A' + node->key % 26, i++);
        wrong += node->weight != (long long)node->key * node->key || std::strcmp(name, node->name) != 0;
        want[node->key & 3] += node->weight;
        Node *gone = node;
        node = node->next;
        delete gone;
    }
    wrong += std::memcmp(want, totals, sizeof want) != 0;
    std::printf("visits %d, nodes %d, totals %lld %lld %lld %lld\n", after_walk, i, totals[0], totals[1], totals[2], totals[3]);
    hipFree(table);
    std::puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
