#include "hipify_support.hpp"

__global__ void use(int* values, unsigned* words) {
    const unsigned long long mask = 0xffffffffull;
    values[0] = hipify::reduce_add_sync(mask, values[1]) + hipify::reduce_min_sync(mask, values[1]);
    values[2] = hipify::reduce_max_sync(mask, values[1]) + hipify::reduce_add_sync(mask, values[1] > 5);
    values[3] = hipify::reduce_add_sync(mask, static_cast<unsigned char>(values[1]));
    words[0] = hipify::reduce_and_sync(mask, words[1]) | hipify::reduce_or_sync(mask, words[1]);
    words[2] = hipify::reduce_xor_sync(mask, words[1]) + hipify::reduce_add_sync(mask, words[1]);
    words[3] = hipify::reduce_min_sync(mask, words[1]) + hipify::reduce_max_sync(mask, words[1]);
}
