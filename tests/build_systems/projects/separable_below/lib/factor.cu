__device__ float factor(int i) {
    return i * 2.0f;
}
