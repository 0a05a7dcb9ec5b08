#include "hipify_support.hpp"

namespace cg = cooperative_groups;

__global__ void use(unsigned long long* out) {
    const auto grid = cg::this_grid();
    const auto block = cg::this_thread_block();
    out[0] = hipify::num_blocks(grid) + hipify::block_rank(grid) + hipify::dim_blocks(grid).x;
    out[1] = hipify::block_index(grid).x + hipify::thread_index(grid).x + hipify::dim_threads(grid).x;
    out[2] = hipify::thread_index(block).x + hipify::dim_threads(block).x;
}
