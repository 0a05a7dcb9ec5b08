// needs: cg_groups
// cooperative_groups/reduce.h: reductions over a tile or a coalesced group, and their operations.
// Source: CUDA programming guide, cooperative groups, reduce.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// a + b
template <class T>
struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
/// The smaller one, as CUDA has it (not a comparison).
template <class T>
struct less {
    __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
/// The greater one, as CUDA has it (not a comparison).
template <class T>
struct greater {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
/// a & b
template <class T>
struct bit_and {
    __device__ T operator()(T a, T b) const { return a & b; }
};
/// a | b
template <class T>
struct bit_or {
    __device__ T operator()(T a, T b) const { return a | b; }
};
/// a ^ b
template <class T>
struct bit_xor {
    __device__ T operator()(T a, T b) const { return a ^ b; }
};

/// reduce: every thread of the group gets op over the values of all of them, in an order that is not told.
template <class Group, class T, class Op>
__device__ inline auto reduce(const Group& group, const T& value, Op&& op) -> decltype(op(value, value)) {
    // The upper half folds onto the lower one until one value is left; the group may have any number of threads.
    const unsigned rank = group.thread_rank();
    T result = value;
    for (unsigned count = group.size(); count > 1; count = (count + 1) / 2) {
        const unsigned half = (count + 1) / 2;
        const T other = group_shfl(group, result, rank + half < count ? rank + half : rank);
        if (rank + half < count) {
            result = op(result, other);
        }
    }
    return group_shfl(group, result, 0);
}

/// reduce over a tile, whose size is a power of two: after each exchange both partners hold the same value.
template <unsigned Size, class Parent, class T, class Op>
__device__ inline auto reduce(const cooperative_groups::thread_block_tile<Size, Parent>& tile, const T& value, Op&& op)
    -> decltype(op(value, value)) {
    T result = value;
    for (unsigned distance = Size / 2; distance > 0; distance /= 2) {
        result = op(result, group_shfl(tile, result, tile.thread_rank() ^ distance));
    }
    return result;
}

/// reduce_store_async: the group's first thread stores the result, at once; sync() the group before reading it.
template <class Group, class T, class Value, class Op>
__device__ inline void reduce_store_async(const Group& group, T* destination, const Value& value, Op&& op) {
    const auto result = hipify::reduce(group, value, op);
    if (group.thread_rank() == 0) {
        *destination = result;
    }
}

/// reduce_store_async to an atomic (anything with store).
template <class Group, class Atomic, class Value, class Op>
__device__ inline void reduce_store_async(const Group& group, Atomic& destination, const Value& value, Op&& op) {
    const auto result = hipify::reduce(group, value, op);
    if (group.thread_rank() == 0) {
        destination.store(result);
    }
}

/// reduce_update_async: the group's first thread applies op to the atomic and the group's result.
template <class Group, class Atomic, class Value, class Op>
__device__ inline void reduce_update_async(const Group& group, Atomic& destination, const Value& value, Op&& op) {
    const auto result = hipify::reduce(group, value, op);
    if (group.thread_rank() == 0) {
        auto old = destination.load();
        while (!destination.compare_exchange_weak(old, op(old, result))) {
        }
    }
}

}  // namespace hipify
#endif
