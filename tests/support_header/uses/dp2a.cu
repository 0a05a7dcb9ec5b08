#include "hipify_support.hpp"

__global__ void use(int* s, unsigned* u, short2 a, char4 b, ushort2 c, uchar4 d) {
    s[0] = hipify::dp2a_lo(s[0], s[1], s[2]) + hipify::dp2a_hi(s[0], s[1], s[2]);
    s[1] = hipify::dp2a_lo(a, b, s[2]) + hipify::dp2a_hi(a, b, s[2]);
    u[0] = hipify::dp2a_lo(u[0], u[1], u[2]) + hipify::dp2a_hi(u[0], u[1], u[2]);
    u[1] = hipify::dp2a_lo(c, d, u[2]) + hipify::dp2a_hi(c, d, u[2]);
}
