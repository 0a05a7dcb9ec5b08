// HIP on the CPU, for tests: see ../../README.md. One pass over the source stands for the host's and the device's.
#pragma once
#include <memory>  // before __noinline__ is a macro: the standard library spells the attribute so
#include <emulation/core.h>

#define __HIP_PLATFORM_AMD__ 1
#define __HIPCC__ 1
#define __HIP__ 1
#define __HIP_DEVICE_COMPILE__ 1
#define HIP_VERSION_MAJOR 7
#define HIP_VERSION_MINOR 1
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 70100000
#if HIP_EMULATION_LANES == 64
#define __GFX9__ 1
#define __gfx942__ 1
#else
#define __GFX11__ 1
#define __gfx1100__ 1
#endif

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
// A block's threads are fibers of one thread of the system, and `extern thread_local T a[]` may stand where
// `extern __shared__ T a[]` does.
#define __shared__ thread_local
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))

#include <emulation/device.h>
#include <emulation/host.h>
