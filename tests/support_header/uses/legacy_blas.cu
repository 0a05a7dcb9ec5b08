#include "hipify_support.hpp"

using hipify::blas::complex_type;
using hipify::blas::double_complex_type;
using hipify::blas::status_type;

status_type solve(int n, float* x, float* y, double* a, double* b, complex_type* z, double_complex_type* w, complex_type c) {
    status_type status = hipify::blas::Init();
    hipify::blas::Saxpy(n, 2.0f, x, 1, y, 1);
    hipify::blas::Sgemm('N', 't', n, n, n, 1.0f, x, n, y, n, 0.0f, y, n);
    hipify::blas::Dgemv('T', n, n, 1.0, a, n, b, 1, 0.0, b, 1);
    hipify::blas::Dtrmm('L', 'U', 'N', 'N', n, n, 1.0, a, n, b, n);
    hipify::blas::Dtrsm('R', 'L', 'C', 'U', n, n, 1.0, a, n, b, n);
    hipify::blas::Cgemm('C', 'N', n, n, n, c, z, n, z, n, c, z, n);
    hipify::blas::Cherk('U', 'N', n, n, 1.0f, z, n, 0.0f, z, n);
    hipify::blas::Csscal(n, 2.0f, z, 1);
    hipify::blas::Srot(n, x, 1, y, 1, 0.5f, 0.5f);
    hipify::blas::Crotg(z, c, x, z);
    float sum = hipify::blas::Sasum(n, x, 1) + hipify::blas::Sdot(n, x, 1, y, 1) + hipify::blas::Scnrm2(n, z, 1);
    complex_type dot = hipify::blas::Cdotc(n, z, 1, z, 1);
    double_complex_type wide = hipify::blas::Zdotu(n, w, 1, w, 1);
    x[hipify::blas::Isamax(n, x, 1)] = sum + dot.x + static_cast<float>(wide.y);
    void* memory = nullptr;
    if (hipify::blas::Alloc(n, sizeof(float), &memory) == status) hipify::blas::Free(memory);
    hipify::blas::SetKernelStream(nullptr);
    return hipify::blas::GetError() == status ? hipify::blas::Shutdown() : status;
}
