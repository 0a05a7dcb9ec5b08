// Lanes, cache hints, clocks and flags between blocks.
#include <cuda_runtime.h>
#include <cstdint>
// --- graph and warp code
__device__ unsigned lane() { unsigned r; asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__device__ unsigned lane2() { unsigned r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__device__ unsigned lt() { unsigned r; asm("mov.u32 %0, %lanemask_lt;" : "=r"(r)); return r; }
__device__ int rank_in_warp(bool p) { unsigned m = __ballot_sync(0xffffffff, p); unsigned l; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(l)); return __popc(m & l); }
__device__ unsigned warp() { unsigned r; asm volatile("mov.u32 %0, %%warpid;" : "=r"(r)); return r; }
__device__ int shfl_scan(int x) {
  #pragma unroll
  for (int o = 1; o <= 16; o <<= 1)
    asm("{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %0, %1, 0, 0xffffffff; @p add.s32 r0, r0, %0; @p mov.s32 %0, r0; }" : "+r"(x) : "r"(o));
  return x;
}
__device__ double shfl_d(double v, int d) {
  int lo, hi;
  asm volatile("mov.b64 {%0,%1}, %2;" : "=r"(lo), "=r"(hi) : "d"(v));
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(lo) : "r"(lo), "r"(d));
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(hi) : "r"(hi), "r"(d));
  asm volatile("mov.b64 %0, {%1,%2};" : "=d"(v) : "r"(lo), "r"(hi));
  return v;
}
__device__ unsigned bfe(unsigned v, unsigned s, unsigned l) { unsigned r; asm volatile("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(s), "r"(l)); return r; }
__device__ unsigned bfi(unsigned a, unsigned b, unsigned s, unsigned l) { unsigned r; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(s), "r"(l)); return r; }
__device__ int msb(uint64_t x) { int r; asm("bfind.u64 %0, %1;" : "=r"(r) : "l"(x)); return r; }
// --- cache hints
template <typename T> struct Ld;
#define DEF_LD(T, V, S, C) \
  template <> struct Ld<T> { static __device__ __forceinline__ T cs(const T* p) { T r; asm("ld.global.cs." S " %0, [%1];" : "=" C(r) : "l"(p)); return r; } };
DEF_LD(float, f, "f32", "f")
DEF_LD(int, i, "s32", "r")
DEF_LD(double, d, "f64", "d")
__device__ int2 ld_nc_v2(const int2* p) { int2 r; asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v2.s32 {%0, %1}, [%2];" : "=r"(r.x), "=r"(r.y) : "l"(p)); return r; }
__device__ void st_cs(int4* p, int4 v) { asm volatile("st.global.cs.v4.s32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory"); }
__device__ uint64_t policy() { uint64_t p; asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(p)); return p; }
__device__ float ld_pol(const float* q, uint64_t p) { float v; asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(v) : "l"(q), "l"(p)); return v; }
__device__ void pf(const void* p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); asm("prefetch.global.L1 [%0];" : : "l"((const char*)p + 128)); asm volatile("prefetchu.L1 [%0];" ::"l"(p)); }
__device__ unsigned long long timer() { unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory"); return t; }
__device__ unsigned smid() { unsigned s; asm("mov.u32 %0, %%smid;" : "=r"(s)); return s; }
__device__ unsigned clk() { unsigned c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c)); return c; }
__device__ void ns(unsigned n) { asm volatile("nanosleep.u32 %0;" :: "r"(n)); }
__device__ int tid_x() { int r; asm("mov.u32 %0, %%tid.x;" : "=r"(r)); return r; }
__device__ int gtid() { int r; asm("{ .reg .u32 a, b, c; mov.u32 a, %ctaid.x; mov.u32 b, %ntid.x; mov.u32 c, %tid.x; mad.lo.u32 %0, a, b, c; }" : "=r"(r)); return r; }
// flags between blocks
__device__ void publish(uint64_t* p, uint64_t v) { asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory"); }
__device__ uint64_t poll(const uint64_t* p) { uint64_t v; do { asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory"); } while (!v); return v; }
__device__ int ld_relaxed(const int* p) { int v; asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p)); return v; }
__device__ unsigned atom_or(unsigned* p, unsigned v) { unsigned o; asm volatile("atom.global.or.b32 %0, [%1], %2;" : "=r"(o) : "l"(p), "r"(v) : "memory"); return o; }
__device__ uint64_t cas128(uint64_t* p, uint64_t c, uint64_t n) { uint64_t o; asm volatile("atom.acq_rel.gpu.global.cas.b64 %0, [%1], %2, %3;" : "=l"(o) : "l"(p), "l"(c), "l"(n) : "memory"); return o; }
__device__ void redf(float* p, float v) { asm volatile("red.global.add.f32 [%0], %1;" ::"l"(p), "f"(v)); }
__device__ int sel(int a, int b, float x) { int r; asm("{ .reg .pred p, q; setp.gt.f32 p, %3, 0f00000000; setp.lt.and.f32 q, %3, 0f3F800000, p; selp.b32 %0, %1, %2, q; }" : "=r"(r) : "r"(a), "r"(b), "f"(x)); return r; }
__device__ float clampf(float x) { float r; asm("{ .reg .f32 t; max.f32 t, %1, 0f00000000; min.f32 %0, t, 0f3f800000; }" : "=f"(r) : "f"(x)); return r; }
__device__ int dp(int a, int b, int c) { int r; asm volatile("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ unsigned sadb(unsigned a, unsigned b, unsigned c) { unsigned r; asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ unsigned cmpeq4(unsigned a, unsigned b) { unsigned r, c = 0; asm("vset4.u32.u32.eq %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); c = r << 8; r = c - r; return r; }
__device__ bool is_sh(const void* p) { int r; asm("{ .reg .pred p; isspacep.shared p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(r) : "l"(p)); return r; }
