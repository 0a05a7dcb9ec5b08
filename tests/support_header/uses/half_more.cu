#include "hipify_support.hpp"

#define MASKS(X) X(heq2) X(hne2) X(hle2) X(hge2) X(hlt2) X(hgt2) X(hequ2) X(hneu2) X(hleu2) X(hgeu2) X(hltu2) X(hgtu2)
#define MASK(name) u[0] ^= hipify::name##_mask(h[0], h[1]) + hipify::name##_mask(b[0], b[1]);

__global__ void use(__half2* h, hipify::bfloat162* b, hipify::bfloat16* s, unsigned* u) {
    MASKS(MASK)
    h[2] = hipify::hcmadd(h[0], h[1], h[2]);
    b[2] = hipify::hcmadd(b[0], b[1], b[2]);
    s[0] = hipify::hadd_sat(s[1], hipify::hsub_sat(s[2], s[3]));
    s[1] = hipify::hmul_sat(s[1], hipify::hfma_sat(s[1], s[2], s[3]));
    b[3] = hipify::hadd2_sat(b[1], hipify::hsub2_sat(b[2], b[3]));
    b[4] = hipify::hmul2_sat(b[1], hipify::hfma2_sat(b[1], b[2], b[3]));
}
