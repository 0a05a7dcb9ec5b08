#include "hipify_support.hpp"

namespace cg = cooperative_groups;
namespace warp = hipify::warp32;

struct Wide {
    double a;
    char b;
};

__device__ unsigned of_hip(const cg::coalesced_group& group) { return group.size() + group.thread_rank(); }

__global__ void use(int* out, unsigned* masks) {
    const int value = out[threadIdx.x];
    const warp::coalesced_group group = warp::coalesced_threads();
    group.sync();
    out[0] = static_cast<int>(group.size() + group.num_threads() + group.thread_rank() + group.meta_group_rank());
    out[1] = group.shfl(value, 1) + group.shfl_up(value, 1) + group.shfl_down(value, 1);
    out[2] = group.any(value) + group.all(value) + static_cast<int>(group.meta_group_size());
    masks[0] = group.ballot(value) | group.match_any(value) | group.match_all(1.0f, out[3]);
    out[4] = group.shfl(Wide{1.0, 'b'}, 2).b;
    out[5] = static_cast<int>(of_hip(group));
    const cg::coalesced_group of_hips = group;
    const warp::coalesced_group back = of_hips;
    out[6] = static_cast<int>(warp::tiled_partition(back, 4).size());
    out[11] = static_cast<int>(warp::tiled_partition(of_hips, 4).size());
    out[12] = static_cast<int>(warp::tiled_partition(cg::this_thread_block(), 16).size());
    const auto tile = warp::tiled_partition<32>(cg::this_thread_block());
    const auto quarter = warp::tiled_partition<8>(tile);
    out[13] = quarter.shfl(value, 3) + static_cast<int>(quarter.thread_rank());
    const auto part = warp::binary_partition(tile, value > 3);
    out[7] = static_cast<int>(warp::labeled_partition(part, value).size() + warp::labeled_partition(tile, value > 3).size());
    out[8] = static_cast<int>(warp::labeled_partition(group, &out[value]).size());
    const warp::coalesced_group labeled = hipify::labeled_partition(group, value % 3);
    hipify::invoke_one(labeled, [&] { out[9] = 1; });
    out[10] = hipify::invoke_one_broadcast(labeled, [&] { return value; });
}
