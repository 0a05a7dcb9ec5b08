#include "parts.cuh"

__device__ float weight(float value) { return fabsf(value) + offsets[0]; }
