// needs: atomic async_copy
// cuda::pipeline where every thread both copies and computes. Copies are over when they return, so a pipeline only
// has to see to it that all threads of its group are through with a stage.
// Source: libcu++ documentation, cuda::pipeline.
#if defined(__NVCC__)
#include <cuda/pipeline>

namespace hipify {
using ::cuda::make_pipeline;
using ::cuda::pipeline;
using ::cuda::pipeline_consumer_wait_prior;
using ::cuda::pipeline_shared_state;
}  // namespace hipify
#elif defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// What a block's pipeline keeps in shared memory: nothing, here.
template <thread_scope Scope, int Stages>
class pipeline_shared_state {};

/// The pipeline of a thread, of a block, or of a group within a wavefront.
template <thread_scope Scope>
class pipeline {
    unsigned size_;

    __device__ void synchronize() const {
        if (size_ == blockDim.x * blockDim.y * blockDim.z) {
            __syncthreads();
        } else if (size_ > 1) {
            __threadfence_block();
            __builtin_amdgcn_wave_barrier();
        }
    }

public:
    __device__ explicit pipeline(unsigned size) : size_(size) {}
    __device__ void producer_acquire() const {}
    __device__ void producer_commit() const {}
    /// All threads' copies into the stage are there.
    __device__ void consumer_wait() const { synchronize(); }
    /// All threads are through with the stage, which may be filled again.
    __device__ void consumer_release() const { synchronize(); }
    __device__ bool quit() const { return true; }
};
template <>
class pipeline<thread_scope_thread> {
public:
    __device__ void producer_acquire() const {}
    __device__ void producer_commit() const {}
    __device__ void consumer_wait() const {}
    __device__ void consumer_release() const {}
    __device__ bool quit() const { return true; }
};

/// cuda::make_pipeline of one thread
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }
/// cuda::make_pipeline of a group whose threads all do the same
template <class Group, thread_scope Scope, int Stages>
__device__ inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>*) {
    return pipeline<Scope>(group.size());
}

/// cuda::pipeline_consumer_wait_prior
template <unsigned Prior, thread_scope Scope>
__device__ inline void pipeline_consumer_wait_prior(pipeline<Scope>& stages) {
    stages.consumer_wait();
}

}  // namespace hipify
#endif
