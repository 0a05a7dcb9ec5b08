#include "hipify_support.hpp"

__global__ void use(unsigned long long* out, unsigned long long a, unsigned long long b) {
    unsigned carry = 0;
    out[0] = hipify::add_carry(a, b, 0, carry);
    out[1] = hipify::sub_borrow(a, b, carry, carry);
}
