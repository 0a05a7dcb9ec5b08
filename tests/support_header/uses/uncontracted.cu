#include "hipify_support.hpp"

__global__ void use(float* f, double* d) {
    f[0] = hipify::fadd_rn(hipify::fmul_rn(f[1], f[2]), hipify::fsub_rn(f[3], f[4]));
    d[0] = hipify::dadd_rn(hipify::dmul_rn(d[1], d[2]), hipify::dsub_rn(d[3], d[4]));
}
