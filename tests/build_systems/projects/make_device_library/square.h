__device__ float square(float value);
