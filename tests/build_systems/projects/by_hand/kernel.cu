extern "C" __global__ void fill(float *data) { data[threadIdx.x] = 1.0f; }
