#include "hipify_support.hpp"

#if !defined(__HIP_MEMORY_SCOPE_AGENT)
#define __HIP_MEMORY_SCOPE_AGENT 4
#endif

__global__ void use(unsigned* out) {
    out[1] = hipify::compare_exchange<__ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT>(out, 1u, 2u);
}
