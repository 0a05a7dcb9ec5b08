#define FULL_MASK 0xffffffff
__global__ void k(int *o) {
  o[0] = __ballot_sync(FULL_MASK, o[1]) + __any_sync(FULL_MASK, o[2]);
  cudaNotYetKnown();
}
