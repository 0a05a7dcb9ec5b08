#pragma once
#if defined(__CUDACC__)
#include <thrust/device_vector.h>
int total(thrust::device_vector<int> const &values);
#endif

int total(int count);
int plain();
