// brings: HIPCUB
// CUB's dispatch layer, which programs reach down to for 64-bit sizes: rocPRIM's functions take those as they are.
// Source: CUB headers cub/device/dispatch/*.cuh; rocPRIM documentation, device-wide operations.
#if defined(__NVCC__)
#include <cub/cub.cuh>

namespace hipify {
using ::cub::DispatchRadixSort;
using ::cub::DispatchReduce;
using ::cub::DispatchScan;
using ::cub::DispatchSegmentedRadixSort;
}  // namespace hipify
#elif defined(HIPIFY_HAS_DEVICE_CODE)
#include <cstddef>
#include <type_traits>

#include <hipcub/hipcub.hpp>
#include <rocprim/rocprim.hpp>

namespace hipify {

/// cub::SortOrder; a bool stands for it in CUB 2
enum class SortOrder : bool { Ascending, Descending };

/// cub::DispatchScan: with an initial value it is exclusive.
template <class Input, class Output, class Operation, class Init, class Offset, class... Tuning>
struct DispatchScan {
    static hipError_t Dispatch(void* storage, std::size_t& bytes, Input in, Output out, Operation operation, Init init,
                               Offset count, hipStream_t stream, bool synchronous = false) {
        if constexpr (std::is_same<Init, hipcub::NullType>::value) {
            return rocprim::inclusive_scan(storage, bytes, in, out, count, operation, stream, synchronous);
        } else {
            return rocprim::exclusive_scan(storage, bytes, in, out, init, count, operation, stream, synchronous);
        }
    }
};

/// cub::DispatchReduce
template <class Input, class Output, class Offset, class Operation, class... Tuning>
struct DispatchReduce {
    template <class Init>
    static hipError_t Dispatch(void* storage, std::size_t& bytes, Input in, Output out, Offset count,
                               Operation operation, Init init, hipStream_t stream, bool synchronous = false) {
        return rocprim::reduce(storage, bytes, in, out, init, count, operation, stream, synchronous);
    }
};

template <class Sort, bool Descends, class... Arguments>
hipError_t sort_keys(void* storage, std::size_t& bytes, Arguments&... arguments) {
    if constexpr (Descends) {
        return Sort::SortKeysDescending(storage, bytes, arguments...);
    } else {
        return Sort::SortKeys(storage, bytes, arguments...);
    }
}
template <class Sort, bool Descends, class... Arguments>
hipError_t sort_pairs(void* storage, std::size_t& bytes, Arguments&... arguments) {
    if constexpr (Descends) {
        return Sort::SortPairsDescending(storage, bytes, arguments...);
    } else {
        return Sort::SortPairs(storage, bytes, arguments...);
    }
}

/// Sorts keys alone, or pairs. Where the input must stay as it is the result goes to the other half of the buffers.
template <class Sort, bool Descends, class Key, class Value, class... Range>
hipError_t dispatch_sort(void* storage, std::size_t& bytes, hipcub::DoubleBuffer<Key>& keys,
                         hipcub::DoubleBuffer<Value>& values, bool may_overwrite, Range... range) {
    constexpr bool alone = std::is_same<Value, hipcub::NullType>::value;
    if (may_overwrite) {
        if constexpr (alone) {
            return hipify::sort_keys<Sort, Descends>(storage, bytes, keys, range...);
        } else {
            return hipify::sort_pairs<Sort, Descends>(storage, bytes, keys, values, range...);
        }
    }
    const Key* keys_in = keys.Current();
    Key* keys_out = keys.Alternate();
    hipError_t status;
    if constexpr (alone) {
        status = hipify::sort_keys<Sort, Descends>(storage, bytes, keys_in, keys_out, range...);
    } else {
        const Value* values_in = values.Current();
        Value* values_out = values.Alternate();
        status = hipify::sort_pairs<Sort, Descends>(storage, bytes, keys_in, keys_out, values_in, values_out, range...);
    }
    if (storage != nullptr && status == hipSuccess) {
        keys.selector ^= 1;
        values.selector ^= 1;
    }
    return status;
}

/// cub::DispatchRadixSort
template <auto Order, class Key, class Value, class Offset, class... Tuning>
struct DispatchRadixSort {
    static hipError_t Dispatch(void* storage, std::size_t& bytes, hipcub::DoubleBuffer<Key>& keys,
                               hipcub::DoubleBuffer<Value>& values, Offset count, int begin_bit, int end_bit,
                               bool may_overwrite, hipStream_t stream, bool = false) {
        return hipify::dispatch_sort<hipcub::DeviceRadixSort, static_cast<bool>(Order)>(
            storage, bytes, keys, values, may_overwrite, count, begin_bit, end_bit, stream);
    }
};

/// cub::DispatchSegmentedRadixSort
template <auto Order, class Key, class Value, class Begins, class Ends, class Offset, class... Tuning>
struct DispatchSegmentedRadixSort {
    static hipError_t Dispatch(void* storage, std::size_t& bytes, hipcub::DoubleBuffer<Key>& keys,
                               hipcub::DoubleBuffer<Value>& values, int count, int segments, Begins begins, Ends ends,
                               int begin_bit, int end_bit, bool may_overwrite, hipStream_t stream, bool = false) {
        return hipify::dispatch_sort<hipcub::DeviceSegmentedRadixSort, static_cast<bool>(Order)>(
            storage, bytes, keys, values, may_overwrite, count, segments, begins, ends, begin_bit, end_bit, stream);
    }
};

}  // namespace hipify
#endif
