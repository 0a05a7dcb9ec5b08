// Bit functions of device code as host functions. A macro may choose one for GPUs and plain C for the host; clang reads
// the bodies of host functions when it compiles for a GPU, too, and the macro names the device function there.
// Source: CUDA math API, integer intrinsics.
#if defined(HIPIFY_HAS_DEVICE_CODE) && !defined(__NVCC__)
__host__ inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    shift &= 31;
    return shift == 0 ? high : high << shift | low >> (32 - shift);
}
__host__ inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    shift &= 31;
    return shift == 0 ? low : high << (32 - shift) | low >> shift;
}
__host__ inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned int byte = bytes >> (selector >> 4 * i & 7) * 8 & 0xff;
        result |= (selector >> 4 * i & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << 8 * i;
    }
    return result;
}
#endif
