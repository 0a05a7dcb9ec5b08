#define FULL_MASK 0xffffffff
const unsigned kWarpMask = 0xffffffff;
__global__ void k(int *o) {
  if (threadIdx.x < 32) o[0] = __shfl_xor_sync(FULL_MASK, o[1], 1) + __shfl_xor_sync(kWarpMask, o[1], 1);
  cudaNotYetKnown();
}
