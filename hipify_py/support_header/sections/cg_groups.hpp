// needs: lanes words
// What the cooperative-group algorithms below share: values of any size handed round a tile or coalesced group.
#if defined(HIPIFY_HAS_DEVICE_CODE)
#if defined(__NVCC__)
#include <cooperative_groups.h>
#elif !defined(__HIPCC_RTC__)  // hipRTC has it built in
#include <hip/hip_cooperative_groups.h>
#endif

namespace hipify {

/// shfl and its kin for any trivially copyable type, such as __half2 or a structure; HIP's own take numbers.
/// Source: CUDA programming guide, cooperative groups, "Warp Shuffle Functions".
template <class Group, class T>
__device__ inline T group_shfl(const Group& group, const T& value, unsigned rank) {
    return by_words(value, [&](unsigned word) { return group.shfl(word, static_cast<int>(rank)); });
}
template <class Group, class T>
__device__ inline T group_shfl_up(const Group& group, const T& value, unsigned delta) {
    return by_words(value, [&](unsigned word) { return group.shfl_up(word, delta); });
}
template <class Group, class T>
__device__ inline T group_shfl_down(const Group& group, const T& value, unsigned delta) {
    return by_words(value, [&](unsigned word) { return group.shfl_down(word, delta); });
}
template <class Group, class T>
__device__ inline T group_shfl_xor(const Group& group, const T& value, unsigned mask) {
    return by_words(value, [&](unsigned word) { return group.shfl_xor(word, mask); });
}

/// invoke_one: one thread of the group, here the first, calls the function. Source: cooperative_groups.h.
template <class Group, class Function, class... Arguments>
__device__ inline void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
    if (group.thread_rank() == 0) {
        function(static_cast<Arguments&&>(arguments)...);
    }
}

/// invoke_one_broadcast: the same, and every thread gets what the function returns.
template <class Group, class Function, class... Arguments>
__device__ inline auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments)
    -> decltype(function(static_cast<Arguments&&>(arguments)...)) {
    decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
    if (group.thread_rank() == 0) {
        result = function(static_cast<Arguments&&>(arguments)...);
    }
    return group_shfl(group, result, 0);
}

#if !defined(__NVCC__)
/// Which of how many parts a group is, kept where HIP keeps it; older ones, such as ROCm 5.2's, do not.
template <class Info>
__device__ inline auto count_part(Info& info, unsigned rank, unsigned parts, int)
    -> decltype(static_cast<void>(info.meta_group_rank)) {
    info.meta_group_rank = rank;
    info.meta_group_size = parts;
}
template <class Info>
__device__ inline void count_part(Info&, unsigned, unsigned, long) {}

/// The parts of a group count in the order of their first threads, and with a `bool` as its value says.
template <class Label>
__device__ inline unsigned rank_of_part(unsigned before, unsigned, const Label&) {
    return before;
}
__device__ inline unsigned rank_of_part(unsigned, unsigned parts, bool label) { return parts > 1 && label; }
#endif

#if defined(__NVCC__)
/// tiled_partition of a tile; CUDA has it itself.
template <unsigned Size, class Tile>
__device__ inline auto divide_tile(const Tile& tile) -> decltype(cooperative_groups::tiled_partition<Size>(tile)) {
    return cooperative_groups::tiled_partition<Size>(tile);
}
#else
/// A tile of a tile: as a tile of the block it has the same threads, and counts its siblings within the outer tile.
/// What it is copied to, a tile that does not name the outer one, goes on counting so.
template <unsigned Size, unsigned Outer>
class tile_of_tile : public cooperative_groups::thread_block_tile<Size> {
    using base = cooperative_groups::thread_block_tile<Size>;

public:
    __device__ explicit tile_of_tile(
        const cooperative_groups::thread_block_tile<Size, cooperative_groups::thread_block>& tile)
        : base(tile) {
        count_part(this->coalesced_info.tiled_info, meta_group_rank(), meta_group_size(), 0);
    }
    __device__ unsigned meta_group_rank() const {
        return cooperative_groups::this_thread_block().thread_rank() % Outer / Size;
    }
    __device__ unsigned meta_group_size() const { return Outer / Size; }
};

/// tiled_partition of a tile
template <unsigned Size, unsigned Outer, class Parent>
__device__ inline tile_of_tile<Size, Outer> divide_tile(const cooperative_groups::thread_block_tile<Outer, Parent>&) {
    static_assert(Size <= Outer, "a part is no greater than the whole");
    return tile_of_tile<Size, Outer>(cooperative_groups::tiled_partition<Size>(cooperative_groups::this_thread_block()));
}

/// The same of a block, for templates that take either.
template <unsigned Size>
__device__ inline auto divide_tile(const cooperative_groups::thread_block& block)
    -> decltype(cooperative_groups::tiled_partition<Size>(block)) {
    return cooperative_groups::tiled_partition<Size>(block);
}
#endif

/// labeled_partition: the threads of the group that have the same label. Every thread of the group has to call it.
template <class Group, class Label>
__device__ inline cooperative_groups::coalesced_group labeled_partition(const Group& group, Label label) {
    // All of the group look at all of it, without a branch: threads that leave a loop one after the other may be
    // together again behind it, so that who is active there tells nothing.
#if defined(__NVCC__)
    const unsigned lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
#else
    const unsigned lane = __lane_id();
#endif
    const unsigned size = group.size();
    lane_mask same = 0;
    unsigned first = lane;
    for (unsigned rank = size; rank-- > 0;) {
        const unsigned other = group_shfl(group, lane, rank);
        const bool alike = group_shfl(group, label, rank) == label;
        same |= static_cast<lane_mask>(alike) << other;
        first = alike ? other : first;
    }
#if defined(__NVCC__)
    return cooperative_groups::labeled_partition(group, same);
#else
    unsigned before = 0, parts = 0;
    for (unsigned rank = 0; rank < size; ++rank) {
        const unsigned other = group_shfl(group, lane, rank);
        const bool leads = group_shfl(group, first, rank) == other;
        before += leads && other < first;
        parts += leads;
    }
    struct group_of_lanes : cooperative_groups::coalesced_group {  // what makes one of a mask is protected
        __device__ group_of_lanes(lane_mask members, unsigned meta_rank, unsigned meta_size)
            : cooperative_groups::coalesced_group(members) {
            count_part(coalesced_info.tiled_info, meta_rank, meta_size, 0);
        }
    };
    return group_of_lanes(same, rank_of_part(before, parts, label), parts);
#endif
}
#if defined(__NVCC__)
template <class Group>
__device__ inline cooperative_groups::coalesced_group labeled_partition(const Group& group, bool label) {
    return cooperative_groups::binary_partition(group, label);
}
#endif

}  // namespace hipify
#endif
