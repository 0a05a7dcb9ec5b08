#include <thrust/complex.h>

int main() { return thrust::complex<float>(0, 1).real() == 0 ? 0 : 1; }
