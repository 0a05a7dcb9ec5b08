#include "hipify_support.hpp"

__global__ void use(unsigned* out) {
    bool in_range = false;
    const unsigned up = hipify::shuffle_up(threadIdx.x, 3, 0, &in_range);
    out[threadIdx.x] = in_range ? up : hipify::redux_max(hipify::shuffle_bfly(up, 1, 31));
}
