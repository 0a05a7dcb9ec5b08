#include "hipify_support.hpp"

__global__ void use(int* s, unsigned* u, char4 a, uchar4 b) {
    s[0] = hipify::dp4a(s[0], s[1], s[2]) + hipify::dp4a(a, a, s[2]);
    u[0] = hipify::dp4a(u[0], u[1], u[2]) + hipify::dp4a(b, b, u[2]);
}
