// needs: cg_groups warp32
// Coalesced groups of programs whose warps have 32 lanes: those that are here of the own 32, with masks of 32 bits.
// Source: CUDA C++ Programming Guide, cooperative groups, coalesced groups; CUDA headers cooperative_groups.h and
// cooperative_groups/details/partitioning.h (how the parts of a group are counted); HIP header
// amd_hip_cooperative_groups.h (whose votes give 64 bits, and whose parts of a group overlook lanes from 32 on).
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {
namespace warp32 {

#if defined(__NVCC__)
using cooperative_groups::binary_partition;
using cooperative_groups::coalesced_group;
using cooperative_groups::coalesced_threads;
using cooperative_groups::labeled_partition;
using cooperative_groups::tiled_partition;
#else

/// The lane that has so many lanes of a set before it.
__device__ inline unsigned lane_of_rank(unsigned lanes, unsigned rank) {
    unsigned lane = 0;
    for (unsigned part = 16; part != 0; part /= 2) {
        const unsigned before = static_cast<unsigned>(__popc(lanes >> lane & ((1u << part) - 1)));
        if (rank >= before) {
            rank -= before;
            lane += part;
        }
    }
    return lane;
}

/// Which of how many parts a group of HIP's is, where HIP keeps that.
template <class Info>
__device__ inline auto read_part(const Info& info, unsigned& rank, unsigned& parts, int)
    -> decltype(static_cast<void>(info.meta_group_rank)) {
    rank = info.meta_group_rank;
    parts = info.meta_group_size;
}
template <class Info>
__device__ inline void read_part(const Info&, unsigned&, unsigned&, long) {}

/// cooperative_groups::coalesced_group. It can be handed on as HIP's own, and made from it.
class coalesced_group : public cooperative_groups::coalesced_group {
    using base = cooperative_groups::coalesced_group;

public:
    /// The group of these lanes of the own 32, as the part `rank` of `parts`.
    __device__ explicit coalesced_group(unsigned lanes, unsigned rank = 0, unsigned parts = 1)
        : base(static_cast<unsigned long long>(lanes) << first_lane()), rank_(rank), parts_(parts) {
        count_part(this->coalesced_info.tiled_info, rank, parts, 0);
    }

    __device__ coalesced_group(const base& group) : base(group), rank_(0), parts_(1) {
        read_part(this->coalesced_info.tiled_info, rank_, parts_, 0);
    }

    /// The lanes of the own 32 that are in the group.
    __device__ unsigned lanes() const { return static_cast<unsigned>(this->coalesced_info.member_mask >> first_lane()); }

    __device__ unsigned size() const { return static_cast<unsigned>(__popc(lanes())); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const { return base::thread_rank(); }
    __device__ unsigned meta_group_rank() const { return rank_; }
    __device__ unsigned meta_group_size() const { return parts_; }
    __device__ void sync() const { syncwarp(lanes()); }

    template <class T>
    __device__ T shfl(T value, int rank) const {
        return from(value, lane_of_rank(lanes(), static_cast<unsigned>(rank)));
    }
    template <class T>
    __device__ T shfl_up(T value, int delta) const {
        const unsigned own = thread_rank(), distance = static_cast<unsigned>(delta);
        return from(value, distance <= own ? lane_of_rank(lanes(), own - distance) : lane_id());
    }
    template <class T>
    __device__ T shfl_down(T value, unsigned delta) const {
        const unsigned own = thread_rank();
        return from(value, delta < size() - own ? lane_of_rank(lanes(), own + delta) : lane_id());
    }

    __device__ int any(int predicate) const { return any_sync(lanes(), predicate); }
    __device__ int all(int predicate) const { return all_sync(lanes(), predicate); }
    __device__ unsigned ballot(int predicate) const { return by_rank(ballot_sync(lanes(), predicate)); }
    template <class T>
    __device__ unsigned match_any(T value) const {
        return by_rank(match_any_sync(lanes(), value));
    }
    template <class T>
    __device__ unsigned match_all(T value, int& same) const {
        return by_rank(match_all_sync(lanes(), value, &same));
    }

private:
    template <class T>
    __device__ static T from(const T& value, unsigned lane) {
        return by_words(value, [=](unsigned word) { return (__shfl)(word, static_cast<int>(lane), 32); });
    }
    /// Bits of lanes, moved to the places that the lanes have in the group.
    __device__ unsigned by_rank(unsigned votes) const {
        const unsigned members = lanes();
        if (members == ~0u) {
            return votes;
        }
        unsigned result = 0;
        for (unsigned left = members, place = 1; left != 0; left &= left - 1, place *= 2) {
            result |= (votes & left & (0u - left)) != 0 ? place : 0;
        }
        return result;
    }

    unsigned rank_, parts_;
};

/// cooperative_groups::coalesced_threads
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(activemask()); }

/// The lanes of a tile of at most 32, and those of a group.
template <unsigned Size, class Parent>
__device__ inline unsigned lanes_of(const cooperative_groups::thread_block_tile<Size, Parent>&) {
    static_assert(Size <= 32, "a part of a warp");
    return ~0u >> (32 - Size) << (lane_id() & ~(Size - 1));
}
__device__ inline unsigned lanes_of(const coalesced_group& group) { return group.lanes(); }

/// tiled_partition of a group: as many threads each as `size` says, in the order of their ranks.
__device__ inline coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
    if (group.size() <= size) {
        return group;
    }
    const unsigned part = group.thread_rank() / size;
    unsigned lanes = 0, rank = 0;
    for (unsigned left = group.lanes(); left != 0; left &= left - 1, ++rank) {
        lanes |= rank / size == part ? left & (0u - left) : 0;
    }
    return coalesced_group(lanes, part, (group.size() + size - 1) / size);
}

__device__ inline coalesced_group tiled_partition(const cooperative_groups::coalesced_group& group, unsigned size) {
    return tiled_partition(coalesced_group(group), size);
}

/// tiled_partition of all else: tiles have as many threads in HIP as in CUDA.
template <class Parent>
__device__ inline auto tiled_partition(const Parent& parent, unsigned size)
    -> decltype(cooperative_groups::tiled_partition(parent, size)) {
    return cooperative_groups::tiled_partition(parent, size);
}
template <unsigned Size, class Parent>
__device__ inline auto tiled_partition(const Parent& parent) -> decltype(hipify::divide_tile<Size>(parent)) {
    return hipify::divide_tile<Size>(parent);
}

/// binary_partition: the threads whose predicate is the same. Where it is the same for all they are one part.
template <class Group>
__device__ inline coalesced_group binary_partition(const Group& group, bool predicate) {
    const unsigned all = lanes_of(group), set = ballot_sync(all, predicate);
    if (set == 0 || set == all) {
        return coalesced_group(all);
    }
    return coalesced_group(predicate ? set : all & ~set, predicate, 2);
}

/// labeled_partition: the threads that have the same label. The parts count in the order of their first threads.
template <class Group, class Label>
__device__ inline coalesced_group labeled_partition(const Group& group, Label label) {
    const unsigned lanes = match_any_sync(lanes_of(group), label), first = lowest_lane(lanes);
    const unsigned leaders = ballot_sync(lanes_of(group), first == lane_id());
    return coalesced_group(lanes, static_cast<unsigned>(__popc(leaders & ((1u << first) - 1))),
                           static_cast<unsigned>(__popc(leaders)));
}
template <class Group>
__device__ inline coalesced_group labeled_partition(const Group& group, bool label) {
    return warp32::binary_partition(group, label);
}
template <class Group, class T>
__device__ inline coalesced_group labeled_partition(const Group& group, T* label) {
    return warp32::labeled_partition(group, reinterpret_cast<unsigned long long>(label));
}
#endif

}  // namespace warp32
}  // namespace hipify
#endif
