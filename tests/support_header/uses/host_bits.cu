#include "hipify_support.hpp"

#if !defined(__NVCC__)
#ifdef __HIP_DEVICE_COMPILE__
#define ROTATED(x, n) __funnelshift_r((x), (x), (n))
#define SWAPPED(x) __byte_perm(__funnelshift_l((x), (x), 0), 0, 0x0123)
#else
#define ROTATED(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define SWAPPED(x) __builtin_bswap32(x)
#endif

unsigned on_host(unsigned x) { return ROTATED(x, 7) ^ SWAPPED(x); }
__global__ void on_device(unsigned* p) { *p = ROTATED(*p, 7) ^ SWAPPED(*p); }
#endif
