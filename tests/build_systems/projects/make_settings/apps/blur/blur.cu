extern "C" int passes(void);
__global__ void blur(float *pixels) { pixels[threadIdx.x] *= 0.5f; }
int main() {
    float *pixels;
    cudaMalloc(&pixels, 32 * sizeof(float));
    for (int pass = 0; pass < passes(); ++pass) blur<<<1, 32>>>(pixels);
    return cudaDeviceSynchronize();
}
