// Floats of few bits, accesses of 32 bytes, orders of modifiers.
#include <cuda_runtime.h>
#include <cstdint>
__device__ uint32_t pack8(const float (&a)[8]) {
  uint32_t val;
  asm volatile("{\n.reg .b8 byte0;\n.reg .b8 byte1;\n.reg .b8 byte2;\n.reg .b8 byte3;\n"
      "cvt.rn.satfinite.e2m1x2.f32   byte0, %2, %1;\n"
      "cvt.rn.satfinite.e2m1x2.f32   byte1, %4, %3;\n"
      "cvt.rn.satfinite.e2m1x2.f32   byte2, %6, %5;\n"
      "cvt.rn.satfinite.e2m1x2.f32   byte3, %8, %7;\n"
      "mov.b32 %0, {byte0, byte1, byte2, byte3};\n}"
      : "=r"(val) : "f"(a[0]), "f"(a[1]), "f"(a[2]), "f"(a[3]), "f"(a[4]), "f"(a[5]), "f"(a[6]), "f"(a[7]));
  return val;
}
__device__ void unpack(uint32_t x, uint32_t (&o)[4]) {
  asm volatile("{ .reg .b8 b0, b1, b2, b3; mov.b32 {b0, b1, b2, b3}, %4; cvt.rn.f16x2.e2m1x2 %0, b0; cvt.rn.f16x2.e2m1x2 %1, b1; cvt.rn.f16x2.e2m1x2 %2, b2; cvt.rn.f16x2.e2m1x2 %3, b3; }" : "=r"(o[0]), "=r"(o[1]), "=r"(o[2]), "=r"(o[3]) : "r"(x));
}
__device__ uint16_t f8(float a, float b) { uint16_t r; asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(r) : "f"(b), "f"(a)); return r; }
__device__ void ld8(const float* p, float* q) {
  float a, b, c, d, e, f, g, h;
  asm volatile("ld.global.nc.v8.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d), "=f"(e), "=f"(f), "=f"(g), "=f"(h) : "l"(p));
  asm volatile("st.global.v8.f32 [%8], {%0,%1,%2,%3,%4,%5,%6,%7};" :: "f"(a), "f"(b), "f"(c), "f"(d), "f"(e), "f"(f), "f"(g), "f"(h), "l"(q) : "memory");
  uint32_t u[8];
  asm volatile("ld.global.L1::no_allocate.L2::256B.v8.b32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];" : "=r"(u[0]), "=r"(u[1]), "=r"(u[2]), "=r"(u[3]), "=r"(u[4]), "=r"(u[5]), "=r"(u[6]), "=r"(u[7]) : "l"(p));
  asm volatile("st.global.cs.v8.u32 [%8], {%0,%1,%2,%3,%4,%5,%6,%7};" :: "r"(u[0]), "r"(u[1]), "r"(u[2]), "r"(u[3]), "r"(u[4]), "r"(u[5]), "r"(u[6]), "r"(u[7]), "l"(q) : "memory");
}
__device__ bool elect() { uint32_t p = 0, l; asm volatile("{\n.reg .b32 %%rx;\n.reg .pred %%px;\n elect.sync %%rx|%%px, %2;\n@%%px mov.s32 %1, 1;\n mov.s32 %0, %%rx;\n}" : "=r"(l), "+r"(p) : "r"(0xffffffff)); return p; }
__device__ void misc(unsigned* p, float* q, unsigned x, float f) {
  unsigned o;
  asm volatile("atom.add.release.sys.u32 %0, [%1], %2;" : "=r"(o) : "l"(p), "r"(x) : "memory");
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(o) : "l"(p), "r"(x) : "memory");
  asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};" :: "l"(q), "f"(f) : "memory");
  asm volatile("red.gpu.global.add.f32 [%0], %1;" :: "l"(q), "f"(f) : "memory");
  asm volatile("ld.global.volatile.b32 %0, [%1];" : "=r"(o) : "l"(p));
  asm("fma.rn.f16x2.relu %0, %1, %1, %1;" : "=r"(o) : "r"(x));
  asm("set.le.u32.f16x2 %0, %1, %1;" : "=r"(o) : "r"(x));
  asm("vabsdiff.u32.u32.u32.add %0, %1, %2, %0;" : "+r"(o) : "r"(x), "r"(x));
  asm("vset4.u32.u32.eq %0, %1, %2, %3;" : "=r"(o) : "r"(x), "r"(x), "r"(0));
  asm("vote.ballot.sync.b32 %0, 1, -1;" : "=r"(o));
}
