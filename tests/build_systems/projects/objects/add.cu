__global__ void add(float* x, const float* y) { x[threadIdx.x] += y[threadIdx.x]; }

void add_on_gpu(float* x, const float* y, int n) { add<<<1, n>>>(x, y); }
