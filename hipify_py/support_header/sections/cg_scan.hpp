// needs: cg_reduce
// cooperative_groups/scan.h: scans over a tile or a coalesced group, in the order of the threads' ranks.
// Source: CUDA programming guide, cooperative groups, inclusive_scan and exclusive_scan.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// inclusive_scan: op over the values of the threads up to this one.
template <class Group, class T, class Op>
__device__ inline auto inclusive_scan(const Group& group, const T& value, Op&& op) -> decltype(op(value, value)) {
    const unsigned rank = group.thread_rank();
    T result = value;
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const T other = group_shfl(group, result, rank < distance ? rank : rank - distance);
        if (rank >= distance) {
            result = op(other, result);
        }
    }
    return result;
}
template <class Group, class T>
__device__ inline T inclusive_scan(const Group& group, const T& value) {
    return hipify::inclusive_scan(group, value, plus<T>());
}

/// exclusive_scan: op over the values of the threads before this one; the first gets T().
template <class Group, class T, class Op>
__device__ inline auto exclusive_scan(const Group& group, const T& value, Op&& op) -> decltype(op(value, value)) {
    const unsigned rank = group.thread_rank();
    const T upto = hipify::inclusive_scan(group, value, op);
    const T before = group_shfl(group, upto, rank == 0 ? 0 : rank - 1);
    return rank == 0 ? T() : before;
}
template <class Group, class T>
__device__ inline T exclusive_scan(const Group& group, const T& value) {
    return hipify::exclusive_scan(group, value, plus<T>());
}

/// What the atomic held before the group's last thread applied op to it and the group's total.
template <class Group, class Atomic, class T, class Op>
__device__ inline T scan_update_old(const Group& group, Atomic& destination, const T& total, Op&& op) {
    T old = total;
    if (group.thread_rank() == group.size() - 1) {
        old = destination.load();
        while (!destination.compare_exchange_weak(old, op(old, total))) {
        }
    }
    return group_shfl(group, old, group.size() - 1);
}

/// inclusive_scan_update: the scan goes on from what the atomic holds, and the total is put into it.
template <class Group, class Atomic, class T, class Op>
__device__ inline auto inclusive_scan_update(const Group& group, Atomic&& destination, const T& value, Op&& op)
    -> decltype(op(value, value)) {
    const T upto = hipify::inclusive_scan(group, value, op);
    return op(hipify::scan_update_old(group, destination, upto, op), upto);
}
template <class Group, class Atomic, class T>
__device__ inline T inclusive_scan_update(const Group& group, Atomic&& destination, const T& value) {
    return hipify::inclusive_scan_update(group, destination, value, plus<T>());
}

/// exclusive_scan_update: the same, without the thread's own value.
template <class Group, class Atomic, class T, class Op>
__device__ inline auto exclusive_scan_update(const Group& group, Atomic&& destination, const T& value, Op&& op)
    -> decltype(op(value, value)) {
    const T upto = hipify::inclusive_scan(group, value, op);
    const T old = hipify::scan_update_old(group, destination, upto, op);
    const unsigned rank = group.thread_rank();
    const T before = group_shfl(group, upto, rank == 0 ? 0 : rank - 1);
    return rank == 0 ? old : op(old, before);
}
template <class Group, class Atomic, class T>
__device__ inline T exclusive_scan_update(const Group& group, Atomic&& destination, const T& value) {
    return hipify::exclusive_scan_update(group, destination, value, plus<T>());
}

}  // namespace hipify
#endif
