// Hashes and numbers of many limbs.
#include <cuda_runtime.h>
#include <cstdint>
// --- hash and crypto
__device__ __forceinline__ uint64_t rotr64(const uint64_t v, const int off) {
  uint64_t r;
  asm("{\n\t.reg .b32 tl,th,vl,vh;\n\t.reg .pred p;\n\t"
      "mov.b64 {tl,th}, %1;\n\t"
      "shf.r.wrap.b32 vl,tl,th,%2;\n\t"
      "shf.r.wrap.b32 vh,th,tl,%2;\n\t"
      "setp.lt.u32 p, %2, 32;\n\t"
      "@!p mov.b64 %0, {vh,vl};\n\t"
      "@p  mov.b64 %0, {vl,vh};\n\t}"
      : "=l"(r) : "l"(v), "r"(off));
  return r;
}
__device__ uint64_t swap64(uint64_t x) {
  uint64_t r;
  asm("{ .reg .b32 a, b, c, d; mov.b64 {a, b}, %1; prmt.b32 c, a, 0, 0x0123; prmt.b32 d, b, 0, 0x0123; mov.b64 %0, {d, c}; }" : "=l"(r) : "l"(x));
  return r;
}
__device__ uint32_t ch(uint32_t x, uint32_t y, uint32_t z) { uint32_t r; asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(r) : "r"(x), "r"(y), "r"(z)); return r; }
__device__ uint32_t maj(uint32_t x, uint32_t y, uint32_t z) { uint32_t r; asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(r) : "r"(x), "r"(y), "r"(z)); return r; }
#define LOP3(a, b, c, lut) ({ uint32_t _r; asm("lop3.b32 %0, %1, %2, %3, " #lut ";" : "=r"(_r) : "r"(a), "r"(b), "r"(c)); _r; })
__device__ uint32_t keccak(uint32_t a, uint32_t b, uint32_t c) { return LOP3(a, b, c, 0xD2) + LOP3(c, a + 1, b, 0x96); }
__device__ uint64_t mul_hi(uint64_t a, uint64_t b) { uint64_t r; asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b)); return r; }
__device__ uint64_t make64(uint32_t lo, uint32_t hi) { uint64_t r; asm("mov.b64 %0, {%1, %2};\n\t" : "=l"(r) : "r"(lo), "r"(hi)); return r; }
__device__ uint32_t hi32(const uint64_t& x) { uint32_t t, r; asm("mov.b64 {%0, %1}, %2;" : "=r"(t), "=r"(r) : "l"(x)); (void)t; return r; }
__device__ uint64_t xor3(const uint64_t a, const uint64_t b, const uint64_t c) {
  uint64_t r;
  asm("{ .reg .u64 t1;\n\t  xor.b64 t1, %2, %3;\n\t  xor.b64 %0, %1, t1;\n\t}" : "=l"(r) : "l"(a), "l"(b), "l"(c));
  return r;
}
// goldilocks field reduction
__device__ uint64_t gl_add(uint64_t a, uint64_t b) {
  uint64_t r; uint32_t c;
  asm("add.cc.u64 %0, %2, %3;\n\taddc.u32 %1, 0, 0;" : "=l"(r), "=r"(c) : "l"(a), "l"(b));
  return c ? r + 0xffffffffu : r;
}
__device__ void mul128(uint32_t* r, uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1) {
  asm volatile(
      "mul.lo.u32 %0, %4, %6;\n\t"
      "mul.hi.u32 %1, %4, %6;\n\t"
      "mad.lo.cc.u32 %1, %4, %7, %1;\n\t"
      "madc.hi.u32 %2, %4, %7, 0;\n\t"
      "mad.lo.cc.u32 %1, %5, %6, %1;\n\t"
      "madc.hi.cc.u32 %2, %5, %6, %2;\n\t"
      "addc.u32 %3, 0, 0;\n\t"
      "mad.lo.cc.u32 %2, %5, %7, %2;\n\t"
      "madc.hi.u32 %3, %5, %7, %3;\n\t"
      : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2]), "=&r"(r[3]) : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
}
typedef uint32_t fp[8];
__device__ uint32_t fp_sub(fp r, const fp a, const fp b) {
  uint32_t borrow;
  asm volatile("sub.cc.u32 %0, %8, %16;\n\tsubc.cc.u32 %1, %9, %17;\n\tsubc.cc.u32 %2, %10, %18;\n\tsubc.cc.u32 %3, %11, %19;\n\t"
               "subc.cc.u32 %4, %12, %20;\n\tsubc.cc.u32 %5, %13, %21;\n\tsubc.cc.u32 %6, %14, %22;\n\tsubc.cc.u32 %7, %15, %23;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
                 "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
  asm volatile("subc.u32 %0, 0, 0;" : "=r"(borrow));
  return borrow;
}
// Montgomery row as in sppark-like code
template <size_t n> struct mont {
  static __device__ __forceinline__ void mul_n(uint32_t* acc, const uint32_t* a, uint32_t bi) {
    for (size_t j = 0; j < n; j += 2)
      asm("mul.lo.u32 %0, %2, %3; mul.hi.u32 %1, %2, %3;" : "=r"(acc[j]), "=r"(acc[j + 1]) : "r"(a[j]), "r"(bi));
  }
  static __device__ __forceinline__ void cmad_n(uint32_t* acc, const uint32_t* a, uint32_t bi) {
    asm("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;" : "+r"(acc[0]), "+r"(acc[1]) : "r"(a[0]), "r"(bi));
    for (size_t j = 2; j < n; j += 2)
      asm("madc.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;" : "+r"(acc[j]), "+r"(acc[j + 1]) : "r"(a[j]), "r"(bi));
  }
  static __device__ void row(uint32_t* odd, uint32_t* even, const uint32_t* a, uint32_t bi) {
    cmad_n(odd, a + 1, bi);
    asm("addc.u32 %0, 0, 0;" : "=r"(odd[n - 1]));
    cmad_n(even, a, bi);
    asm("addc.u32 %0, %0, 0;" : "+r"(odd[n - 1]));
  }
  static __device__ void final_sub(uint32_t* even, uint32_t carry, uint32_t* tmp, const uint32_t* MOD) {
    size_t i;
    asm("sub.cc.u32 %0, %1, %2;" : "=r"(tmp[0]) : "r"(even[0]), "r"(MOD[0]));
    for (i = 1; i < n; i++)
      asm("subc.cc.u32 %0, %1, %2;" : "=r"(tmp[i]) : "r"(even[i]), "r"(MOD[i]));
    asm("subc.u32 %0, %0, 0;" : "+r"(carry));
    for (i = 0; i < n; i++) even[i] = carry ? even[i] : tmp[i];
  }
};
