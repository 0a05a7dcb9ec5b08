// Copies to shared memory that CUDA may do in the background: here they are over when the call returns.
// Source: CUDA programming guide, asynchronous data copies; cooperative_groups/memcpy_async.h.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// A size that is a multiple of Alignment, of data aligned alike (cuda::aligned_size_t).
template <size_t Alignment>
struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    __host__ __device__ explicit constexpr aligned_size_t(size_t size) : value(size) {}
    __host__ __device__ constexpr operator size_t() const { return value; }
};

/// Pieces of Width bytes, every `count`th one from `rank` on.
template <unsigned Width>
__device__ inline void copy_pieces(char* destination, const char* source, size_t bytes, size_t rank, size_t count) {
    for (size_t at = rank * Width; at < bytes; at += count * Width) {
        memcpy(__builtin_assume_aligned(destination + at, Width), __builtin_assume_aligned(source + at, Width), Width);
    }
}

/// One thread's share of a copy by `count` threads, in the widest pieces that the addresses and the size allow.
__device__ inline void copy_share(void* destination, const void* source, size_t bytes, size_t rank, size_t count) {
    char* to = static_cast<char*>(destination);
    const char* from = static_cast<const char*>(source);
    const size_t odd = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
    if (odd % 16 == 0) {
        copy_pieces<16>(to, from, bytes, rank, count);
    } else if (odd % 4 == 0) {
        copy_pieces<4>(to, from, bytes, rank, count);
    } else {
        copy_pieces<1>(to, from, bytes, rank, count);
    }
}

/// memcpy_async by the threads of a group together; the size is in bytes. wait(group) is sync().
template <class Group, class T, class Size>
__device__ inline void memcpy_async(const Group& group, T* destination, const T* source, const Size& bytes) {
    copy_share(destination, source, static_cast<size_t>(bytes), group.thread_rank(), group.size());
}

/// memcpy_async of as many elements as both sides have.
template <class Group, class T, class Room, class Count>
__device__ inline void memcpy_async(const Group& group, T* destination, const Room& room, const T* source, const Count& count) {
    const size_t fits = static_cast<size_t>(count) < static_cast<size_t>(room) ? count : room;
    copy_share(destination, source, fits * sizeof(T), group.thread_rank(), group.size());
}

/// memcpy_async that a barrier or pipeline would be told of (cuda::memcpy_async).
template <class Group, class T, class Size, class Synchronizer>
__device__ inline void memcpy_async(const Group& group, T* destination, const T* source, const Size& bytes, Synchronizer&) {
    copy_share(destination, source, static_cast<size_t>(bytes), group.thread_rank(), group.size());
}

/// memcpy_async by one thread.
template <class T, class Size, class Synchronizer>
__device__ inline void memcpy_async(T* destination, const T* source, const Size& bytes, Synchronizer&) {
    copy_share(destination, source, static_cast<size_t>(bytes), 0, 1);
}

/// wait_prior: all copies are over already; what is left of it is the synchronisation.
template <unsigned Stages, class Group>
__device__ inline void wait_prior(const Group& group) {
    group.sync();
}

/// __pipeline_memcpy_async with its fourth argument: the last `zeros` bytes are filled with zeros, not copied.
__device__ inline void pipeline_memcpy_async(void* destination, const void* source, size_t bytes, size_t zeros = 0) {
    copy_share(destination, source, bytes - zeros, 0, 1);
    memset(static_cast<char*>(destination) + (bytes - zeros), 0, zeros);
}

}  // namespace hipify
#endif
