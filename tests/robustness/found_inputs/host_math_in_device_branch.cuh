#if __CUDA_ARCH__ >= 700
float f(float r) { return rsqrt(r); }
#endif
void stays() { cudaNotYetKnown(); }
