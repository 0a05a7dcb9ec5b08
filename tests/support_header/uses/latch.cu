#include "hipify_support.hpp"

#include <new>

__device__ hipify::counting_semaphore<hipify::thread_scope_device, 4> places{4};
__device__ hipify::binary_semaphore<hipify::thread_scope_device> lock{1};

__global__ void use(int* out) {
    using latch = hipify::latch<hipify::thread_scope_block>;
    __shared__ alignas(latch) char place[sizeof(latch)];
    latch* ready = reinterpret_cast<latch*>(place);
    if (threadIdx.x == 0) new (place) latch(blockDim.x);
    __syncthreads();
    ready->count_down();
    if (!ready->try_wait()) ready->wait();
    if (threadIdx.x == 0) {
        places.acquire();
        lock.acquire();
        ++out[0];
        lock.release();
        places.release();
        if (places.try_acquire()) places.release(1);
        new (place) latch(blockDim.x);
    }
    __syncthreads();
    ready->arrive_and_wait();
}
