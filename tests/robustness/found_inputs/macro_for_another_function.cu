#include <cusolverDn.h>
#define cusolverDnXgetrs(a, b, c) cusolverDnCgetrs((a), (b), (c))
#define cudaMallocHost cudaMallocManaged
void f() {
    CHECK(cusolverDnXgetrs(handle, T ? CUBLAS_OP_T : CUBLAS_OP_N, m));
    cudaMallocHost(&p, 4);
}
void stays() { cudaNotYetKnown(); }
