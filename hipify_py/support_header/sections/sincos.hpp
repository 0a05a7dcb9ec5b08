// sincos and sincospi by the type of their arguments: HIP declares them for double alone.
// Source: CUDA header crt/math_functions.hpp, the overloads for float.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

__device__ inline void sincos(float x, float* sine, float* cosine) { ::sincosf(x, sine, cosine); }
__device__ inline void sincos(double x, double* sine, double* cosine) { ::sincos(x, sine, cosine); }
__device__ inline void sincospi(float x, float* sine, float* cosine) { ::sincospif(x, sine, cosine); }
__device__ inline void sincospi(double x, double* sine, double* cosine) { ::sincospi(x, sine, cosine); }

}  // namespace hipify
#endif
