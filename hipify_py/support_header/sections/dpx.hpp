// CUDA's DPX functions: minima and maxima of sums and of three numbers, __viaddmax_s32 and the like.
// Source: CUDA math API, integer and SIMD intrinsics, __vi*.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

template <typename T>
__host__ __device__ inline T dpx_max(T a, T b) {
    return a > b ? a : b;
}
template <typename T>
__host__ __device__ inline T dpx_min(T a, T b) {
    return a < b ? a : b;
}
/// The same of both halves of a word, which are of type `T`.
template <typename T>
__host__ __device__ inline unsigned dpx_max2(unsigned a, unsigned b) {
    const T low = dpx_max<T>(static_cast<T>(a), static_cast<T>(b));
    const T high = dpx_max<T>(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
    return static_cast<unsigned>(high) << 16 | static_cast<unsigned short>(low);
}
template <typename T>
__host__ __device__ inline unsigned dpx_min2(unsigned a, unsigned b) {
    const T low = dpx_min<T>(static_cast<T>(a), static_cast<T>(b));
    const T high = dpx_min<T>(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
    return static_cast<unsigned>(high) << 16 | static_cast<unsigned short>(low);
}
/// Sums wrap around.
__host__ __device__ inline int dpx_sum(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
__host__ __device__ inline unsigned dpx_sum2(unsigned a, unsigned b) {
    return (a & 0xffff0000u) + (b & 0xffff0000u) + ((a + b) & 0xffffu);
}

/// The greater or smaller of a sum or of two numbers and a third; `relu`: and of zero.
__host__ __device__ inline int viaddmax_s32(int a, int b, int c) {
    return dpx_max<int>(dpx_sum(a, b), c);
}
__host__ __device__ inline int vimax3_s32(int a, int b, int c) {
    return dpx_max<int>(dpx_max<int>(a, b), c);
}
__host__ __device__ inline int viaddmax_s32_relu(int a, int b, int c) {
    return dpx_max<int>(dpx_max<int>(dpx_sum(a, b), c), 0);
}
__host__ __device__ inline int vimax3_s32_relu(int a, int b, int c) {
    return dpx_max<int>(dpx_max<int>(dpx_max<int>(a, b), c), 0);
}
__host__ __device__ inline int vimax_s32_relu(int a, int b) {
    return dpx_max<int>(dpx_max<int>(a, b), 0);
}
__host__ __device__ inline unsigned viaddmax_u32(unsigned a, unsigned b, unsigned c) {
    return dpx_max<unsigned>(a + b, c);
}
__host__ __device__ inline unsigned vimax3_u32(unsigned a, unsigned b, unsigned c) {
    return dpx_max<unsigned>(dpx_max<unsigned>(a, b), c);
}
__host__ __device__ inline unsigned viaddmax_s16x2(unsigned a, unsigned b, unsigned c) {
    return dpx_max2<short>(dpx_sum2(a, b), c);
}
__host__ __device__ inline unsigned vimax3_s16x2(unsigned a, unsigned b, unsigned c) {
    return dpx_max2<short>(dpx_max2<short>(a, b), c);
}
__host__ __device__ inline unsigned viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return dpx_max2<short>(dpx_max2<short>(dpx_sum2(a, b), c), 0);
}
__host__ __device__ inline unsigned vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return dpx_max2<short>(dpx_max2<short>(dpx_max2<short>(a, b), c), 0);
}
__host__ __device__ inline unsigned vimax_s16x2_relu(unsigned a, unsigned b) {
    return dpx_max2<short>(dpx_max2<short>(a, b), 0);
}
__host__ __device__ inline unsigned viaddmax_u16x2(unsigned a, unsigned b, unsigned c) {
    return dpx_max2<unsigned short>(dpx_sum2(a, b), c);
}
__host__ __device__ inline unsigned vimax3_u16x2(unsigned a, unsigned b, unsigned c) {
    return dpx_max2<unsigned short>(dpx_max2<unsigned short>(a, b), c);
}
__host__ __device__ inline int viaddmin_s32(int a, int b, int c) {
    return dpx_min<int>(dpx_sum(a, b), c);
}
__host__ __device__ inline int vimin3_s32(int a, int b, int c) {
    return dpx_min<int>(dpx_min<int>(a, b), c);
}
__host__ __device__ inline int viaddmin_s32_relu(int a, int b, int c) {
    return dpx_max<int>(dpx_min<int>(dpx_sum(a, b), c), 0);
}
__host__ __device__ inline int vimin3_s32_relu(int a, int b, int c) {
    return dpx_max<int>(dpx_min<int>(dpx_min<int>(a, b), c), 0);
}
__host__ __device__ inline int vimin_s32_relu(int a, int b) {
    return dpx_max<int>(dpx_min<int>(a, b), 0);
}
__host__ __device__ inline unsigned viaddmin_u32(unsigned a, unsigned b, unsigned c) {
    return dpx_min<unsigned>(a + b, c);
}
__host__ __device__ inline unsigned vimin3_u32(unsigned a, unsigned b, unsigned c) {
    return dpx_min<unsigned>(dpx_min<unsigned>(a, b), c);
}
__host__ __device__ inline unsigned viaddmin_s16x2(unsigned a, unsigned b, unsigned c) {
    return dpx_min2<short>(dpx_sum2(a, b), c);
}
__host__ __device__ inline unsigned vimin3_s16x2(unsigned a, unsigned b, unsigned c) {
    return dpx_min2<short>(dpx_min2<short>(a, b), c);
}
__host__ __device__ inline unsigned viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return dpx_max2<short>(dpx_min2<short>(dpx_sum2(a, b), c), 0);
}
__host__ __device__ inline unsigned vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return dpx_max2<short>(dpx_min2<short>(dpx_min2<short>(a, b), c), 0);
}
__host__ __device__ inline unsigned vimin_s16x2_relu(unsigned a, unsigned b) {
    return dpx_max2<short>(dpx_min2<short>(a, b), 0);
}
__host__ __device__ inline unsigned viaddmin_u16x2(unsigned a, unsigned b, unsigned c) {
    return dpx_min2<unsigned short>(dpx_sum2(a, b), c);
}
__host__ __device__ inline unsigned vimin3_u16x2(unsigned a, unsigned b, unsigned c) {
    return dpx_min2<unsigned short>(dpx_min2<unsigned short>(a, b), c);
}

/// The greater or smaller number, and whether it is the first: for the word, or for its upper and lower half.
__host__ __device__ inline int vibmax_s32(int a, int b, bool* first) {
    *first = a >= b;
    return *first ? a : b;
}
__host__ __device__ inline unsigned vibmax_u32(unsigned a, unsigned b, bool* first) {
    *first = a >= b;
    return *first ? a : b;
}
__host__ __device__ inline unsigned vibmax_s16x2(unsigned a, unsigned b, bool* high, bool* low) {
    *high = static_cast<short>(a >> 16) >= static_cast<short>(b >> 16);
    *low = static_cast<short>(a) >= static_cast<short>(b);
    return dpx_max2<short>(a, b);
}
__host__ __device__ inline unsigned vibmax_u16x2(unsigned a, unsigned b, bool* high, bool* low) {
    *high = static_cast<unsigned short>(a >> 16) >= static_cast<unsigned short>(b >> 16);
    *low = static_cast<unsigned short>(a) >= static_cast<unsigned short>(b);
    return dpx_max2<unsigned short>(a, b);
}
__host__ __device__ inline int vibmin_s32(int a, int b, bool* first) {
    *first = a <= b;
    return *first ? a : b;
}
__host__ __device__ inline unsigned vibmin_u32(unsigned a, unsigned b, bool* first) {
    *first = a <= b;
    return *first ? a : b;
}
__host__ __device__ inline unsigned vibmin_s16x2(unsigned a, unsigned b, bool* high, bool* low) {
    *high = static_cast<short>(a >> 16) <= static_cast<short>(b >> 16);
    *low = static_cast<short>(a) <= static_cast<short>(b);
    return dpx_min2<short>(a, b);
}
__host__ __device__ inline unsigned vibmin_u16x2(unsigned a, unsigned b, bool* high, bool* low) {
    *high = static_cast<unsigned short>(a >> 16) <= static_cast<unsigned short>(b >> 16);
    *low = static_cast<unsigned short>(a) <= static_cast<unsigned short>(b);
    return dpx_min2<unsigned short>(a, b);
}

}  // namespace hipify
#endif
