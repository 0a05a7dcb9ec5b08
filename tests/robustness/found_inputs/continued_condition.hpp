{}
#if (A)&&\
  (__CUDACC_VER_MAJOR__(==))cuda::atomic<cutlass::gone
