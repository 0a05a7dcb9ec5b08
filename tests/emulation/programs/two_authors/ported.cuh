#pragma once
// Ported to AMD by its author: the width follows the target.
#if defined(__HIP_PLATFORM_AMD__) && defined(__GFX9__)
static constexpr int kWave = 64;
#else
static constexpr int kWave = 32;
#endif
template <class T> __device__ T wave_sum(T v) {
    for (int d = kWave / 2; d; d /= 2)
#ifdef __HIP_PLATFORM_AMD__
        v += __shfl_xor(v, d, kWave);
#else
        v += __shfl_xor_sync(0xffffffffu, v, d, kWave);
#endif
    return v;
}
