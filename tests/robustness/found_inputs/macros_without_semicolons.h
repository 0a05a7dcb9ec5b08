#ifndef GUARD
#if defined(GCC)
_DEPRECATED_POP
_TUPLE_INTERFACE(dim, unsigned int, 3)
#  if _HAS_NVFP16()
_TUPLE_INTERFACE(__nv_bfloat16, __nv_bfloat16, 2)
#  endif
#endif
#endif
inline void stays() { cudaNotYetKnown(0); cudaFree(0); }
