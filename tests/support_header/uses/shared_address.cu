#include "hipify_support.hpp"

__global__ void use(int* out) {
    __shared__ int words[64];
    words[threadIdx.x] = out[threadIdx.x];
    const unsigned address = hipify::shared_address(words);
    *hipify::shared_pointer<int>(address + 4 * threadIdx.x) += 1;
    if (hipify::is_global(out) && !hipify::is_global(words)) out[0] = 0;
    out[threadIdx.x] = *static_cast<int*>(hipify::generic_pointer(address));
}
