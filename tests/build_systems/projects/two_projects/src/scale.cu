__global__ void scale(float *values, float by) { values[threadIdx.x] *= by; }

void scale_on_device(float *values, int count, float by) { scale<<<1, count>>>(values, by); }
