// needs: atomic async_copy
// cuda::barrier of a block: threads arrive, and wait for the phase to end, in two steps.
// Source: libcu++ documentation, cuda::barrier; CUDA programming guide, asynchronous barrier.
#if defined(__NVCC__)
#include <cuda/barrier>

namespace hipify {
using ::cuda::barrier;
}  // namespace hipify
#elif defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// A count of threads still to come in the lower half of a word, the number of the phase in the upper half.
/// All lanes of a wavefront arrive before any of them waits: code where lanes of one wavefront wait for each
/// other in different branches does not end on AMD GPUs.
template <thread_scope Scope = thread_scope_system>
class barrier {
    unsigned long long state_;
    unsigned expected_;
    using word = atomic_ref<unsigned long long, Scope>;

public:
    using arrival_token = unsigned;

    barrier() = default;
    __host__ __device__ explicit barrier(unsigned expected) : state_(expected), expected_(expected) {}

    /// Counts the arrival of `count` threads; the token is the phase to wait for.
    __device__ arrival_token arrive(unsigned count = 1) {
        word state(state_);
        unsigned long long old = state.load(memory_order_relaxed);
        unsigned long long next;
        do {
            next = old - count;
            if (static_cast<unsigned>(next) == 0) {  // the last of the phase begins the next
                next = (((old >> 32) + 1) << 32) | atomic_ref<unsigned, Scope>(expected_).load(memory_order_relaxed);
            }
        } while (!state.compare_exchange_weak(old, next, memory_order_acq_rel, memory_order_relaxed));
        return static_cast<unsigned>(old >> 32);
    }
    /// Waits for the end of the token's phase.
    __device__ void wait(arrival_token token) const {
        word state(const_cast<unsigned long long&>(state_));
        while (static_cast<unsigned>(state.load(memory_order_acquire) >> 32) == token) {
        }
    }
    __device__ void arrive_and_wait() { wait(arrive()); }
    /// Arrives, and takes no part in later phases.
    __device__ void arrive_and_drop() {
        atomic_ref<unsigned, Scope>(expected_).fetch_sub(1, memory_order_relaxed);
        (void)arrive();
    }
    /// Makes a barrier out of shared memory; one thread calls it, then the block synchronises.
    __device__ friend void init(barrier* object, unsigned expected) {
        object->state_ = expected;
        object->expected_ = expected;
    }
};

}  // namespace hipify
#endif
