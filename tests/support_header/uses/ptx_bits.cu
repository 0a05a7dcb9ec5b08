#include "hipify_support.hpp"

__global__ void use(unsigned* out, unsigned a, unsigned b) {
    out[0] = hipify::bfe(a, 3, 8) + hipify::bfi(a, b, 3, 8) + hipify::lop3<0x96>(a, b, 1);
    out[1] = hipify::prmt(a, b, 0x1234) + hipify::prmt_b4e(a, b, 2) + hipify::prmt_rc16(a, b, 1);
    out[2] = static_cast<unsigned>(hipify::bfe(static_cast<long long>(a), 3, 8) + hipify::bfe(static_cast<int>(a), 3, 8));
}
