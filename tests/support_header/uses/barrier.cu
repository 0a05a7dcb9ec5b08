#include "hipify_support.hpp"

__global__ void use(int* out) {
    using barrier = hipify::barrier<hipify::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier meeting;
    if (threadIdx.x == 0) {
        init(&meeting, blockDim.x);
    }
    __syncthreads();
    barrier::arrival_token token = meeting.arrive();
    out[threadIdx.x] = 1;
    meeting.wait(static_cast<barrier::arrival_token&&>(token));
    meeting.arrive_and_wait();
    meeting.arrive_and_drop();
}
