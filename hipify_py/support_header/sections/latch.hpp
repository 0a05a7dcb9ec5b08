// needs: atomic
// cuda::latch, cuda::counting_semaphore and cuda::binary_semaphore: threads that wait for a count.
// Source: libcu++ documentation, cuda::latch and cuda::counting_semaphore.
#if defined(__NVCC__)
#include <cuda/latch>
#include <cuda/semaphore>

namespace hipify {
using ::cuda::binary_semaphore;
using ::cuda::counting_semaphore;
using ::cuda::latch;
}  // namespace hipify
#elif defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// Threads count down, and wait until nothing is left. All lanes of a wavefront count before any of them waits.
template <thread_scope Scope = thread_scope_system>
class latch {
    mutable int left_;
    using counter = atomic_ref<int, Scope>;

public:
    __host__ __device__ explicit constexpr latch(int expected) : left_(expected) {}
    latch(const latch&) = delete;

    __device__ void count_down(int count = 1) { counter(left_).fetch_sub(count, memory_order_release); }
    __device__ bool try_wait() const { return counter(left_).load(memory_order_acquire) == 0; }
    __device__ void wait() const {
        while (!try_wait()) {
        }
    }
    __device__ void arrive_and_wait(int count = 1) {
        count_down(count);
        wait();
    }
};

/// So many threads at a time. Lanes of one wavefront that take it from each other wait for ever on AMD GPUs.
template <thread_scope Scope = thread_scope_system, int Most = 0x7fffffff>
class counting_semaphore {
    int free_;
    using counter = atomic_ref<int, Scope>;

public:
    __host__ __device__ explicit constexpr counting_semaphore(int free) : free_(free) {}
    counting_semaphore(const counting_semaphore&) = delete;

    __host__ __device__ static constexpr int max() { return Most; }
    __device__ bool try_acquire() {
        int free = counter(free_).load(memory_order_relaxed);
        while (free > 0) {
            if (counter(free_).compare_exchange_weak(free, free - 1, memory_order_acquire, memory_order_relaxed)) {
                return true;
            }
        }
        return false;
    }
    __device__ void acquire() {
        while (!try_acquire()) {
        }
    }
    __device__ void release(int count = 1) { counter(free_).fetch_add(count, memory_order_release); }
};

template <thread_scope Scope = thread_scope_system>
using binary_semaphore = counting_semaphore<Scope, 1>;

}  // namespace hipify
#endif
