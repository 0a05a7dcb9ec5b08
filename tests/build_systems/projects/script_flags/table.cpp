__device__ float offsets[4] = {0.0f, 1.0f, 2.0f, 3.0f};
