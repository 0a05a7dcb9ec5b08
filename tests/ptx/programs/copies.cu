// What kernels of machine learning have around their products: copies, fast math, quantised numbers, flags.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cstdint>

// --- shared addresses and copies
__device__ __forceinline__ uint32_t smem_u32(const void* p) {
  uint32_t a;
  asm("{ .reg .u64 tmp; cvta.to.shared.u64 tmp, %1; cvt.u32.u64 %0, tmp; }" : "=r"(a) : "l"(p));
  return a;
}
__device__ __forceinline__ uint32_t smem2(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
template <int Bytes>
__device__ __forceinline__ void cp_async_zfill(uint32_t dst, const void* src, bool pred) {
  int n = pred ? Bytes : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;\n" ::"r"(dst), "l"(src), "n"(Bytes), "r"(n));
}
__device__ __forceinline__ void cp_async_pred(void* smem, const void* g, bool p) {
  const int B = 16;
  uint32_t s = smem_u32(smem);
  asm volatile("{\n   .reg .pred p;\n   setp.ne.b32 p, %0, 0;\n   @p cp.async.cg.shared.global [%1], [%2], %3;\n}\n"
               :: "r"((int)p), "r"(s), "l"(g), "n"(B));
}
__device__ __forceinline__ void cp_fence() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ __forceinline__ void cp_wait() { asm volatile("cp.async.wait_group %0;\n" ::"n"(N)); }
__device__ void lds128(float4& v, uint32_t a) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(a));
}
__device__ void sts128(const float4& v, uint32_t a) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" : : "r"(a), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
}
// predicated global load as in CUTLASS
template <typename T>
__device__ void ldg_pred(T& D, const void* ptr, bool guard) {
  uint4& data = reinterpret_cast<uint4&>(D);
  asm volatile(
      "{\n"
      "  .reg .pred p;\n"
      "  setp.ne.b32 p, %5, 0;\n"
      "  mov.b32 %0, %6;\n"
      "  mov.b32 %1, %7;\n"
      "  mov.b32 %2, %8;\n"
      "  mov.b32 %3, %9;\n"
      "  @p ld.global.v4.u32 {%0, %1, %2, %3}, [%4];\n"
      "}\n"
      : "=r"(data.x), "=r"(data.y), "=r"(data.z), "=r"(data.w)
      : "l"(ptr), "r"((int)guard), "r"(data.x), "r"(data.y), "r"(data.z), "r"(data.w));
}
__device__ void stg_pred(float4 v, float* p, int guard) {
  asm volatile("{.reg .pred p;\n\t setp.ne.b32 p, %0, 0;\n\t @p st.global.v4.f32 [%1], {%2,%3,%4,%5};}" ::"r"(guard), "l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w));
}
__device__ float ldg32(const void* ptr, bool guard) {
  float reg;
  asm volatile("{.reg .pred p;\n"
               "setp.ne.b32 p, %2, 0;\n"
               "@!p mov.b32 %0, 0;\n"
               "@p ld.global.nc.L2::128B.f32 %0, [%1];}\n"
               : "=f"(reg) : "l"(ptr), "r"((int)guard));
  return reg;
}
// --- fast math
__device__ float fexp2(float x) { float y; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
__device__ float frcp(float x) { float y; asm volatile("rcp.approx.ftz.f32 %0, %1;\n" : "=f"(y) : "f"(x)); return y; }
__device__ half2 h2tanh_(half2 v) {
  uint32_t in = *reinterpret_cast<uint32_t*>(&v), out;
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(out) : "r"(in));
  return *reinterpret_cast<half2*>(&out);
}
__device__ half2 h2ex2(half2 v) {
  half2 r;
  asm volatile("ex2.approx.f16x2 %0, %1;" : "=r"(*(uint32_t*)&r) : "r"(*(const uint32_t*)&v));
  return r;
}
__device__ uint32_t relu2(uint32_t x) { uint32_t r; const uint32_t z = 0u; asm volatile("max.f16x2 %0, %1, %2;\n" : "=r"(r) : "r"(x), "r"(z)); return r; }
__device__ uint32_t cvt_pack(float a, float b) { uint32_t r; asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;\n" : "=r"(r) : "f"(b), "f"(a)); return r; }
__device__ uint32_t hfma2_(uint32_t a, uint32_t b, uint32_t c) { uint32_t d; asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); return d; }
// dequantise 4-bit as in int4 kernels
__device__ void dequant(uint32_t i4s, uint32_t* h) {
  static constexpr uint32_t immLut = (0xf0 & 0xcc) | 0xaa;
  static constexpr uint32_t BOTTOM = 0x000f000f, TOP = 0x00f000f0, MAGIC = 0x64006400;
  const uint32_t top = i4s >> 8;
  asm volatile("lop3.b32 %0, %1, %2, %3, %4;\n" : "=r"(h[0]) : "r"(i4s), "n"(BOTTOM), "n"(MAGIC), "n"(immLut));
  asm volatile("lop3.b32 %0, %1, %2, %3, %4;\n" : "=r"(h[1]) : "r"(i4s), "n"(TOP), "n"(MAGIC), "n"(immLut));
  asm volatile("lop3.b32 %0, %1, %2, %3, %4;\n" : "=r"(h[2]) : "r"(top), "n"(BOTTOM), "n"(MAGIC), "n"(immLut));
  static constexpr uint32_t SUB = 0x64006400, S16 = 0x2c002c00, N64 = 0xd400d400;
  asm volatile("sub.f16x2 %0, %1, %2;\n" : "=r"(h[0]) : "r"(h[0]), "r"(SUB));
  asm volatile("fma.rn.f16x2 %0, %1, %2, %3;\n" : "=r"(h[1]) : "r"(h[1]), "r"(S16), "r"(N64));
}
template <int lut> __device__ int lop3t(int a, int b, int c) {
  int res;
  asm volatile("lop3.b32 %0, %1, %2, %3, %4;\n" : "=r"(res) : "r"(a), "r"(b), "r"(c), "n"(lut));
  return res;
}
template <int start, int mask> __device__ uint32_t prmt_t(uint32_t a) {
  uint32_t res;
  asm volatile("prmt.b32 %0, %1, %2, %3;\n" : "=r"(res) : "r"(a), "n"(start), "n"(mask));
  return res;
}
// barrier through global memory (marlin)
__device__ void barrier_acquire(int* lock, int count) {
  if (threadIdx.x == 0) {
    int state = -1;
    do
      asm volatile("ld.global.acquire.gpu.b32 %0, [%1];\n" : "=r"(state) : "l"(lock));
    while (state != count);
  }
  __syncthreads();
}
__device__ void barrier_release(int* lock, bool reset) {
  __syncthreads();
  if (threadIdx.x == 0) {
    if (reset) { lock[0] = 0; return; }
    int val = 1;
    asm volatile("fence.acq_rel.gpu;\n");
    asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;\n" : : "l"(lock), "r"(val));
  }
}
