#include "hipify_support.hpp"

namespace cg = cooperative_groups;

struct Slot {
    int value;
    __device__ int load() const { return value; }
    __device__ bool compare_exchange_weak(int& old, int v) {
        const int seen = atomicCAS(&value, old, v);
        const bool done = seen == old;
        old = seen;
        return done;
    }
};

__global__ void use(float* f, int* i, Slot* slot) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    f[0] = hipify::inclusive_scan(tile, f[0]) + hipify::exclusive_scan(tile, f[0], hipify::greater<float>());
    if (threadIdx.x % 3 == 0) {
        const auto group = cg::coalesced_threads();
        i[0] = hipify::exclusive_scan(group, i[0]) + hipify::inclusive_scan(group, i[0], hipify::bit_or<int>());
        i[1] = hipify::inclusive_scan_update(group, *slot, 1) + hipify::exclusive_scan_update(group, *slot, 1);
    }
}
