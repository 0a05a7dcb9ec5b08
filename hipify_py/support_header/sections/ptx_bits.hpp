// PTX's bit-field extract and insert, byte permutation and three-input logic, for every operand.
// Source: PTX ISA, bfe, bfi, prmt, lop3.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// `length` bits of `a` from bit `first` on; only the low byte of both counts, bits beyond the top are 0.
__device__ inline unsigned bfe(unsigned a, unsigned first, unsigned length) {
    first &= 255, length &= 255;
    if (first > 31) return 0;
    const unsigned field = a >> first;
    return length > 31 ? field : field & ((1u << length) - 1);
}
__device__ inline unsigned long long bfe(unsigned long long a, unsigned first, unsigned length) {
    first &= 255, length &= 255;
    if (first > 63) return 0;
    const unsigned long long field = a >> first;
    return length > 63 ? field : field & ((1ull << length) - 1);
}
/// The signed forms repeat the field's top bit, or that of `a` where the field reaches beyond it.
__device__ inline int bfe(int a, unsigned first, unsigned length) {
    first &= 255, length &= 255;
    if (length == 0) return 0;
    if (first > 31) return a >> 31;
    const unsigned top = first + length > 32 ? 31 : first + length - 1;
    return static_cast<int>(static_cast<unsigned>(a) << (31 - top)) >> (31 - top + first);
}
__device__ inline long long bfe(long long a, unsigned first, unsigned length) {
    first &= 255, length &= 255;
    if (length == 0) return 0;
    if (first > 63) return a >> 63;
    const unsigned top = first + length > 64 ? 63 : first + length - 1;
    return static_cast<long long>(static_cast<unsigned long long>(a) << (63 - top)) >> (63 - top + first);
}

/// `b` with the low `length` bits of `a` put in from bit `first` on.
__device__ inline unsigned bfi(unsigned a, unsigned b, unsigned first, unsigned length) {
    first &= 255, length &= 255;
    if (first > 31) return b;
    const unsigned field = (length > 31 ? ~0u : (1u << length) - 1) << first;
    return (b & ~field) | (a << first & field);
}
__device__ inline unsigned long long bfi(unsigned long long a, unsigned long long b, unsigned first, unsigned length) {
    first &= 255, length &= 255;
    if (first > 63) return b;
    const unsigned long long field = (length > 63 ? ~0ull : (1ull << length) - 1) << first;
    return (b & ~field) | (a << first & field);
}

/// Four of the eight bytes of `b:a`, each chosen by four bits, of which the top one takes the byte's sign instead.
__device__ inline unsigned prmt(unsigned a, unsigned b, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
    unsigned result = 0;
    for (int at = 0; at < 4; ++at) {
        const unsigned choice = selector >> 4 * at;
        unsigned byte = static_cast<unsigned>(bytes >> 8 * (choice & 7)) & 0xff;
        if (choice & 8) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << 8 * at;
    }
    return result;
}
/// The modes of prmt: four bytes forward or backward from a place, one byte four times, clamped to an edge, halves.
__device__ inline unsigned prmt_f4e(unsigned a, unsigned b, unsigned place) {
    const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
    return static_cast<unsigned>(bytes >> 8 * (place & 3));
}
__device__ inline unsigned prmt_b4e(unsigned a, unsigned b, unsigned place) {
    const unsigned from = place & 3;
    return prmt(a, b, (from - 3 & 7) << 12 | (from - 2 & 7) << 8 | (from - 1 & 7) << 4 | from);
}
__device__ inline unsigned prmt_rc8(unsigned a, unsigned b, unsigned place) {
    return prmt(a, b, (place & 3) * 0x1111u);
}
__device__ inline unsigned prmt_ecl(unsigned a, unsigned b, unsigned place) {
    const unsigned from = place & 3;
    unsigned selector = 0;
    for (unsigned at = 0; at < 4; ++at) selector |= (at < from ? from : at) << 4 * at;
    return prmt(a, b, selector);
}
__device__ inline unsigned prmt_ecr(unsigned a, unsigned b, unsigned place) {
    const unsigned from = place & 3;
    unsigned selector = 0;
    for (unsigned at = 0; at < 4; ++at) selector |= (at > from ? from : at) << 4 * at;
    return prmt(a, b, selector);
}
__device__ inline unsigned prmt_rc16(unsigned a, unsigned b, unsigned place) {
    return prmt(a, b, place & 1 ? 0x3232 : 0x1010);
}

/// A logic function of three inputs by its truth table, whose bit `4 * a + 2 * b + c` is the result.
template <unsigned Table>
__device__ inline unsigned lop3(unsigned a, unsigned b, unsigned c) {
    unsigned result = 0;
    if (Table & 0x01) result |= ~a & ~b & ~c;
    if (Table & 0x02) result |= ~a & ~b & c;
    if (Table & 0x04) result |= ~a & b & ~c;
    if (Table & 0x08) result |= ~a & b & c;
    if (Table & 0x10) result |= a & ~b & ~c;
    if (Table & 0x20) result |= a & ~b & c;
    if (Table & 0x40) result |= a & b & ~c;
    if (Table & 0x80) result |= a & b & c;
    return result;
}

}  // namespace hipify
#endif
