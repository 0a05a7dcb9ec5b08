// Lane masks that travel: through a struct's member, a parameter, a template argument.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"

#include <cstdio>
#include <vector>

#include "warp_group.h"

#define GPU(call)                                                                      \
    if (hipError_t err = (call); err != hipSuccess) {                                \
        std::printf("%s failed: %s\n", #call, hipGetErrorString(err));                \
        return 1;                                                                      \
    }

static const unsigned kFullWarp = 0xFFFFFFFF;

// Lanes with a value above the limit number themselves and learn the leader's value.
__global__ void among_the_large(const int *in, int limit, int *rank, int *lead, int *size)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = in[i];
    const unsigned large = hipify::warp32::ballot_sync(kFullWarp, v > limit);
    rank[i] = -1;
    lead[i] = -1;
    size[i] = 0;
    if (v > limit) {
        WarpGroup group(large);
        rank[i] = group.rank;
        lead[i] = group.from_leader(v);
        size[i] = group.any(v <= limit) || !group.all(v > limit) ? -1 : group.size;
        group.sync();
    }
}

__global__ void sums(const int *in, int *sum, int *even)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] = sum_of(in[i]);
    const int votes = votes_for<0xffffffffu>(in[i] % 2 == 0);
    if (threadIdx.x % 32 == 0) even[i / 32] = votes;
}

int main()
{
    const int n = 2048, block = 64, limit = 60;
    std::vector<int> in(n), rank(n), lead(n), size(n), sum(n), even(n);
    for (int i = 0; i < n; ++i) in[i] = (i * 37 + i / 32 * 11) % 101;

    int *d[6];
    for (int *&p : d) GPU(hipMalloc(&p, n * sizeof(int)));
    GPU(hipMemcpy(d[0], in.data(), n * sizeof(int), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(among_the_large, dim3(n / block), dim3(block), 0, 0, d[0], limit, d[1], d[2], d[3]);
    GPU(hipGetLastError());
    hipLaunchKernelGGL(sums, dim3(n / block), dim3(block), 0, 0, d[0], d[4], d[5]);
    GPU(hipGetLastError());
    std::vector<int> *results[] = {&rank, &lead, &size, &sum, &even};
    for (int k = 0; k < 5; ++k)
        GPU(hipMemcpy(results[k]->data(), d[k + 1], n * sizeof(int), hipMemcpyDeviceToHost));

    int wrong = 0;
    for (int w = 0; w < n; w += 32) {
        int total = 0, evens = 0, large = 0, first = -1;
        for (int l = 0; l < 32; ++l) {
            total += in[w + l];
            evens += in[w + l] % 2 == 0;
            if (in[w + l] > limit && large++ == 0) first = in[w + l];
        }
        for (int l = 0, r = 0; l < 32; ++l) {
            const bool member = in[w + l] > limit;
            wrong += rank[w + l] != (member ? r++ : -1);
            wrong += lead[w + l] != (member ? first : -1);
            wrong += size[w + l] != (member ? large : 0);
            wrong += sum[w + l] != total || even[w / 32] != evens;
        }
    }
    std::printf("warp 0: sum %d, even %d; wrong %d\n", sum[0], even[0], wrong);
    for (int *p : d) GPU(hipFree(p));
    std::printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
