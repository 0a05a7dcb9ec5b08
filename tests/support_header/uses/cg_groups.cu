#include "hipify_support.hpp"

namespace cg = cooperative_groups;

struct Wide {
    double a;
    char b;
};

__global__ void use(int* out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const auto same = hipify::labeled_partition(tile, out[threadIdx.x] % 3);
    const auto within = hipify::labeled_partition(same, out[threadIdx.x] % 2);
    hipify::invoke_one(within, [&](int value) { out[0] = value; }, 3);
    out[1] = hipify::invoke_one_broadcast(same, [&] { return out[2]; });
    const auto quarter = hipify::divide_tile<8>(tile);
    const auto pair = hipify::divide_tile<2>(quarter);
    out[4] = quarter.meta_group_rank() + pair.meta_group_size() + pair.shfl(out[5], 1);
    const cg::thread_block_tile<8> kept = hipify::divide_tile<8>(tile);
    const auto of_block = hipify::divide_tile<8>(cg::this_thread_block());
    out[6] = kept.meta_group_rank() + of_block.meta_group_rank();
    out[3] = hipify::group_shfl(tile, Wide{1.0, 'b'}, 3).b;
    out[7] = hipify::group_shfl_xor(tile, hipify::group_shfl_up(quarter, Wide{2.0, 'c'}, 1), 2).b;
    out[8] = hipify::group_shfl_down(same, make_float2(out[0], out[1]), 1).x;
}
