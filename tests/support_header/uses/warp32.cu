#include "hipify_support.hpp"

__global__ void use(unsigned* masks, int* values, float* f) {
    namespace warp = hipify::warp32;
    const unsigned full = 0xffffffffu;
    const int value = values[threadIdx.x];
    masks[0] = warp::activemask() | warp::ballot(value) | warp::ballot_sync(full, value);
    values[1] = warp::any(value) + warp::all(value) + warp::any_sync(full, value) + warp::all_sync(full, value);
    masks[1] = warp::match_any_sync(full, value) | warp::match_all_sync(full, f[0], &values[2]);
    values[3] = warp::reduce_add_sync(full, value) + warp::reduce_min_sync(full, value);
    values[4] = warp::reduce_max_sync(full, value);
    masks[2] = warp::reduce_and_sync(full, masks[3]) | warp::reduce_or_sync(full, masks[3]);
    masks[4] = warp::reduce_xor_sync(full, masks[3]);
}
