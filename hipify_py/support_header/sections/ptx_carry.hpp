// Sums and differences of 64 bits with a carry that is a variable of 32 bits.
// Source: PTX ISA, extended-precision integer arithmetic.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// a + b + carry_in; `carry_out` becomes 1 where it does not fit, else 0.
__device__ inline unsigned long long add_carry(unsigned long long a, unsigned long long b, unsigned carry_in,
                                               unsigned& carry_out) {
    const unsigned long long part = a + b, sum = part + carry_in;
    carry_out = (part < a) | (sum < part);
    return sum;
}

/// a - b - borrow_in; `borrow_out` becomes 1 where that is negative, else 0.
__device__ inline unsigned long long sub_borrow(unsigned long long a, unsigned long long b, unsigned borrow_in,
                                                unsigned& borrow_out) {
    const unsigned long long part = a - b, difference = part - borrow_in;
    borrow_out = (a < b) | (part < borrow_in);
    return difference;
}

}  // namespace hipify
#endif
