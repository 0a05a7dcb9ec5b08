// Cooperative groups as far as HIP has them: blocks, grids, tiles and groups of the lanes that are together.
#pragma once
#include <hip/hip_runtime.h>

namespace cooperative_groups {

class thread_block {
public:
    static dim3 group_index() { return dim3(blockIdx); }
    static dim3 thread_index() { return dim3(threadIdx); }
    static unsigned thread_rank() { return emulation::thread_rank(); }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static bool is_valid() { return true; }
    EMULATION_ATOMIC static void sync() { __syncthreads(); }
    dim3 group_dim() const { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

/// A block, or a part of one whose size is a value.
class thread_group {
public:
    thread_group(const thread_block& block) : size_(block.size()), is_block_(true) {}
    unsigned size() const { return size_; }
    unsigned num_threads() const { return size_; }
    unsigned thread_rank() const { return is_block_ ? emulation::thread_rank() : emulation::thread_rank() % size_; }
    bool is_valid() const { return true; }
    EMULATION_ATOMIC void sync() const {
        if (is_block_) emulation::block_barrier();
        else emulation::meet("thread_group::sync");
    }

private:
    thread_group(unsigned size, bool is_block) : size_(size), is_block_(is_block) {}
    friend thread_group tiled_partition(const thread_group& parent, unsigned size);
    unsigned size_;
    bool is_block_;
};
inline thread_group tiled_partition(const thread_group&, unsigned size) { return {size, false}; }

class grid_group {
public:
    unsigned size() const { return gridDim.x * gridDim.y * gridDim.z * thread_block::size(); }
    unsigned thread_rank() const {
        return ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * thread_block::size() +
               thread_block::thread_rank();
    }
    bool is_valid() const { return true; }
    EMULATION_ATOMIC void sync() const { emulation::grid_barrier(); }
    dim3 group_dim() const { return blockDim; }
};
inline grid_group this_grid() { return {}; }

/// The bits of the mask's lanes, moved together.
EMULATION_ATOMIC unsigned long long packed_lanes(unsigned long long mask, unsigned long long votes) {
    unsigned long long result = 0;
    for (unsigned i = 0, place = 0; i < 64; ++i)
        if (mask >> i & 1) result |= (votes >> i & 1) << place++;
    return result;
}

template <unsigned Size, class Parent = void> class thread_block_tile;
class coalesced_group;

template <unsigned Size> class thread_block_tile<Size, void> {
public:
    static_assert(Size <= emulation::lanes && (Size & (Size - 1)) == 0, "a tile is no larger than a wavefront");
    thread_block_tile() = default;
    template <class Parent> thread_block_tile(const thread_block_tile<Size, Parent>&) {}
    static constexpr unsigned numThreads = Size;
    static unsigned thread_rank() { return thread_block::thread_rank() & (Size - 1); }
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    unsigned meta_group_rank() const { return thread_block::thread_rank() / Size; }
    unsigned meta_group_size() const { return (thread_block::size() + Size - 1) / Size; }
    EMULATION_ATOMIC static void sync() { emulation::meet("thread_block_tile::sync"); }
    template <class T> EMULATION_ATOMIC T shfl(T value, int rank) const { return __shfl(value, rank, Size); }
    template <class T> EMULATION_ATOMIC T shfl_down(T value, unsigned delta) const {
        return __shfl_down(value, delta, Size);
    }
    template <class T> EMULATION_ATOMIC T shfl_up(T value, unsigned delta) const { return __shfl_up(value, delta, Size); }
    template <class T> EMULATION_ATOMIC T shfl_xor(T value, unsigned mask) const { return __shfl_xor(value, mask, Size); }
    EMULATION_ATOMIC unsigned long long ballot(int predicate) const {
        return packed_lanes(members(), __ballot_sync(members(), predicate));
    }
    EMULATION_ATOMIC int any(int predicate) const { return __any_sync(members(), predicate); }
    EMULATION_ATOMIC int all(int predicate) const { return __all_sync(members(), predicate); }
    template <class T> EMULATION_ATOMIC unsigned long long match_any(T value) const {
        return packed_lanes(members(), __match_any_sync(members(), value));
    }
    template <class T> EMULATION_ATOMIC unsigned long long match_all(T value, int& predicate) const {
        return packed_lanes(members(), __match_all_sync(members(), value, &predicate));
    }

private:
    template <unsigned S, class Parent>
    friend coalesced_group binary_partition(const thread_block_tile<S, Parent>& tile, bool predicate);
    EMULATION_ATOMIC static unsigned long long members() {
        return (~0ull >> (64 - Size)) << (__lane_id() & ~(Size - 1));
    }
};

template <unsigned Size, class Parent> class thread_block_tile : public thread_block_tile<Size, void> {
public:
    explicit thread_block_tile(const Parent&) {}

protected:
    thread_block_tile(const thread_block_tile&) = default;
};

template <unsigned Size, class Parent> thread_block_tile<Size, void> tiled_partition(const Parent&) { return {}; }

class coalesced_group {
public:
    unsigned size() const { return __popcll(coalesced_info.member_mask); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const {
        return __popcll(coalesced_info.member_mask & ((1ull << __lane_id()) - 1));
    }
    bool is_valid() const { return true; }
    EMULATION_ATOMIC void sync() const { emulation::meet("coalesced_group::sync"); }
    unsigned meta_group_rank() const { return coalesced_info.tiled_info.meta_group_rank; }
    unsigned meta_group_size() const { return coalesced_info.tiled_info.meta_group_size; }
    template <class T> EMULATION_ATOMIC T shfl(T value, int rank) const {
        return __shfl(value, lane_of(0, rank % static_cast<int>(size()) + 1), warpSize);
    }
    template <class T> EMULATION_ATOMIC T shfl_down(T value, unsigned delta) const {
        return __shfl(value, lane_of(__lane_id(), static_cast<int>(delta) + 1), warpSize);
    }
    template <class T> EMULATION_ATOMIC T shfl_up(T value, unsigned delta) const {
        return __shfl(value, lane_of(__lane_id(), -static_cast<int>(delta) - 1), warpSize);
    }
    EMULATION_ATOMIC unsigned long long ballot(int predicate) const {
        return packed_lanes(members(), __ballot_sync(members(), predicate));
    }
    EMULATION_ATOMIC int any(int predicate) const { return __any_sync(members(), predicate); }
    EMULATION_ATOMIC int all(int predicate) const { return __all_sync(members(), predicate); }
    template <class T> EMULATION_ATOMIC unsigned long long match_any(T value) const {
        return packed_lanes(members(), __match_any_sync(members(), value));
    }

protected:
    explicit coalesced_group(unsigned long long members) { coalesced_info.member_mask = members; }
    friend coalesced_group coalesced_threads();
    friend coalesced_group binary_partition(const coalesced_group& group, bool predicate);
    template <unsigned S, class Parent>
    friend coalesced_group binary_partition(const thread_block_tile<S, Parent>& tile, bool predicate);
    struct {
        unsigned long long member_mask = 0;
        struct {
            unsigned meta_group_rank = 0, meta_group_size = 1;
        } tiled_info;
    } coalesced_info;

private:
    EMULATION_ATOMIC unsigned long long members() const { return coalesced_info.member_mask; }
    EMULATION_ATOMIC int lane_of(unsigned base, int offset) const {
        const int lane = __fns64(coalesced_info.member_mask, base, offset);
        return lane < 0 ? static_cast<int>(__lane_id()) : lane;
    }
};
EMULATION_ATOMIC coalesced_group coalesced_threads() { return coalesced_group(__builtin_amdgcn_read_exec()); }

EMULATION_ATOMIC coalesced_group binary_partition(const coalesced_group& group, bool predicate) {
    const unsigned long long votes = __ballot_sync(group.members(), predicate);
    return coalesced_group(predicate ? votes : group.members() ^ votes);
}
template <unsigned S, class Parent>
EMULATION_ATOMIC coalesced_group binary_partition(const thread_block_tile<S, Parent>& tile, bool predicate) {
    const unsigned long long votes = __ballot_sync(tile.members(), predicate);
    return coalesced_group(predicate ? votes : tile.members() ^ votes);
}

template <class Group> void sync(const Group& group) { group.sync(); }
template <class Group> unsigned thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> unsigned group_size(const Group& group) { return group.size(); }

}  // namespace cooperative_groups
