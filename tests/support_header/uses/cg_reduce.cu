#include "hipify_support.hpp"

namespace cg = cooperative_groups;

struct Nearest {
    float distance;
    int index;
};

struct Slot {
    int value;
    __device__ int load() const { return value; }
    __device__ void store(int v) { value = v; }
    __device__ bool compare_exchange_weak(int& old, int v) {
        const int seen = atomicCAS(&value, old, v);
        const bool done = seen == old;
        old = seen;
        return done;
    }
};

template <unsigned Size>
__global__ void use(float* f, int* i, Slot* slot) {
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    f[0] = hipify::reduce(tile, f[threadIdx.x], hipify::plus<float>());
    f[1] = hipify::reduce(tile, f[threadIdx.x], hipify::less<float>{});
    i[0] = hipify::reduce(tile, i[threadIdx.x], hipify::greater<int>());
    i[1] = hipify::reduce(tile, i[1], hipify::bit_and<int>()) + hipify::reduce(tile, i[1], hipify::bit_or<int>());
    i[2] = hipify::reduce(tile, i[2], hipify::bit_xor<int>());
    const auto nearest = [](const Nearest& a, const Nearest& b) { return b.distance < a.distance ? b : a; };
    i[3] = hipify::reduce(tile, Nearest{f[threadIdx.x], static_cast<int>(threadIdx.x)}, nearest).index;
    hipify::reduce_store_async(tile, &i[4], i[5], hipify::plus<int>());
    hipify::reduce_store_async(tile, *slot, i[5], hipify::plus<int>());
    hipify::reduce_update_async(tile, *slot, i[5], hipify::plus<int>());
    if (threadIdx.x % 3 == 0) {
        i[6] = hipify::reduce(cg::coalesced_threads(), i[6], hipify::plus<int>());
    }
}
template __global__ void use<32>(float*, int*, Slot*);
template __global__ void use<4>(float*, int*, Slot*);
template __global__ void use<1>(float*, int*, Slot*);
