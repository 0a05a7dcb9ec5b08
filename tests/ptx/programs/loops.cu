// Loops and conditions within a statement.
#include <cuda_runtime.h>
__device__ void spin(unsigned* flag, unsigned want) {
  asm volatile("{\n\t"
    ".reg .pred P1;\n\t"
    ".reg .b32 v;\n\t"
    "LAB_WAIT:\n\t"
    "ld.acquire.gpu.global.u32 v, [%0];\n\t"
    "setp.eq.u32 P1, v, %1;\n\t"
    "@P1 bra DONE;\n\t"
    "bra LAB_WAIT;\n\t"
    "DONE:\n\t"
    "}" :: "l"(flag), "r"(want) : "memory");
}
__device__ void lock(unsigned* l) {
  asm volatile("{ .reg .pred %%p; .reg .u32 %%o;\n L: atom.global.cas.b32 %%o, [%0], 0, 1; setp.ne.u32 %%p, %%o, 0;\n @%%p bra L; }" :: "l"(l) : "memory");
}
__device__ unsigned cond(unsigned x) {
  unsigned r = 3;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 7; @!p bra SKIP; add.u32 %0, %0, %1; mul.lo.u32 %0, %0, 3; SKIP: }" : "+r"(r) : "r"(x));
  return r;
}
__device__ unsigned gcd(unsigned a, unsigned b) {
  asm("{ .reg .pred p; .reg .u32 t; LOOP: setp.eq.u32 p, %1, 0; @p bra END; rem.u32 t, %0, %1; mov.u32 %0, %1; mov.u32 %1, t; bra.uni LOOP; END: }" : "+r"(a), "+r"(b));
  return a;
}
