#pragma once
#include <thrust/host_vector.h>

using Buffer = thrust::host_vector<int>;
