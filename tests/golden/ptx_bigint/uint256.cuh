#ifndef UINT256_CUH
#define UINT256_CUH

#include <hip/hip_runtime.h>
#include <stdint.h>

// 256-bit unsigned integers, least significant limb first; carries stay in the condition code.
struct uint256 { uint32_t v[8]; };

// a + b; the carry out is returned
__device__ static inline uint32_t add256(uint256 &r, const uint256 &a, const uint256 &b)
{
  uint32_t carry;
  do {
    unsigned carry_;
    unsigned out0;
    unsigned out1;
    unsigned out2;
    unsigned out3;
    unsigned out4;
    unsigned out5;
    unsigned out6;
    out0 = __builtin_addc(a.v[0], b.v[0], 0u, &carry_);
    out1 = __builtin_addc(a.v[1], b.v[1], carry_, &carry_);
    out2 = __builtin_addc(a.v[2], b.v[2], carry_, &carry_);
    out3 = __builtin_addc(a.v[3], b.v[3], carry_, &carry_);
    out4 = __builtin_addc(a.v[4], b.v[4], carry_, &carry_);
    out5 = __builtin_addc(a.v[5], b.v[5], carry_, &carry_);
    out6 = __builtin_addc(a.v[6], b.v[6], carry_, &carry_);
    r.v[7] = __builtin_addc(a.v[7], b.v[7], carry_, &carry_);
    carry = carry_;
    r.v[0] = out0;
    r.v[1] = out1;
    r.v[2] = out2;
    r.v[3] = out3;
    r.v[4] = out4;
    r.v[5] = out5;
    r.v[6] = out6;
  } while (0);
  return carry;
}

// a - b; all ones are returned when it borrows
__device__ static inline uint32_t sub256(uint256 &r, const uint256 &a, const uint256 &b)
{
  uint32_t borrow;
  do {
    unsigned carry;
    unsigned out0;
    unsigned out1;
    unsigned out2;
    unsigned out3;
    unsigned out4;
    unsigned out5;
    unsigned out6;
    out0 = __builtin_subc(a.v[0], b.v[0], 0u, &carry);
    out1 = __builtin_subc(a.v[1], b.v[1], carry, &carry);
    out2 = __builtin_subc(a.v[2], b.v[2], carry, &carry);
    out3 = __builtin_subc(a.v[3], b.v[3], carry, &carry);
    out4 = __builtin_subc(a.v[4], b.v[4], carry, &carry);
    out5 = __builtin_subc(a.v[5], b.v[5], carry, &carry);
    out6 = __builtin_subc(a.v[6], b.v[6], carry, &carry);
    r.v[7] = __builtin_subc(a.v[7], b.v[7], carry, &carry);
    borrow = 0u - carry;
    r.v[0] = out0;
    r.v[1] = out1;
    r.v[2] = out2;
    r.v[3] = out3;
    r.v[4] = out4;
    r.v[5] = out5;
    r.v[6] = out6;
  } while (0);
  return borrow;
}

// r[0..8] += a * one limb, in two passes: low halves, then high halves
__device__ static inline void mad_row(uint32_t *r, const uint256 &a, uint32_t b)
{
  do {
    const unsigned in9 = a.v[0];
    const unsigned in10 = a.v[1];
    const unsigned in11 = a.v[2];
    const unsigned in12 = a.v[3];
    const unsigned in13 = a.v[4];
    const unsigned in14 = a.v[5];
    const unsigned in15 = a.v[6];
    const unsigned in16 = a.v[7];
    const unsigned in17 = b;
    unsigned carry;
    unsigned out0 = r[0];
    unsigned out1 = r[1];
    unsigned out2 = r[2];
    unsigned out3 = r[3];
    unsigned out4 = r[4];
    unsigned out5 = r[5];
    unsigned out6 = r[6];
    unsigned out7 = r[7];
    unsigned out8 = r[8];
    out0 = __builtin_addc(in9 * in17, out0, 0u, &carry);
    out1 = __builtin_addc(in10 * in17, out1, carry, &carry);
    out2 = __builtin_addc(in11 * in17, out2, carry, &carry);
    out3 = __builtin_addc(in12 * in17, out3, carry, &carry);
    out4 = __builtin_addc(in13 * in17, out4, carry, &carry);
    out5 = __builtin_addc(in14 * in17, out5, carry, &carry);
    out6 = __builtin_addc(in15 * in17, out6, carry, &carry);
    out7 = __builtin_addc(in16 * in17, out7, carry, &carry);
    out8 = out8 + carry;
    out1 = __builtin_addc(__umulhi(in9, in17), out1, 0u, &carry);
    out2 = __builtin_addc(__umulhi(in10, in17), out2, carry, &carry);
    out3 = __builtin_addc(__umulhi(in11, in17), out3, carry, &carry);
    out4 = __builtin_addc(__umulhi(in12, in17), out4, carry, &carry);
    out5 = __builtin_addc(__umulhi(in13, in17), out5, carry, &carry);
    out6 = __builtin_addc(__umulhi(in14, in17), out6, carry, &carry);
    out7 = __builtin_addc(__umulhi(in15, in17), out7, carry, &carry);
    out8 = __umulhi(in16, in17) + out8 + carry;
    r[0] = out0;
    r[1] = out1;
    r[2] = out2;
    r[3] = out3;
    r[4] = out4;
    r[5] = out5;
    r[6] = out6;
    r[7] = out7;
    r[8] = out8;
  } while (0);
}

// the whole product, 512 bits
__device__ static inline void mul256(uint32_t *r, const uint256 &a, const uint256 &b)
{
  #pragma unroll
  for (int i = 0; i < 16; i++) r[i] = 0;
  #pragma unroll
  for (int i = 0; i < 8; i++) mad_row(r + i, a, b.v[i]);
}

#endif
