// PTX's scalar video instructions: a first operation on numbers of 33 bits, kept within a range or cut, and a second.
// needs: ptx_simd
// Source: PTX ISA, scalar video instructions.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

struct video_add {
    __device__ long long operator()(long long a, long long b) const { return a + b; }
};
struct video_sub {
    __device__ long long operator()(long long a, long long b) const { return a - b; }
};
struct video_absdiff {
    __device__ long long operator()(long long a, long long b) const { return a > b ? a - b : b - a; }
};
struct video_min {
    __device__ long long operator()(long long a, long long b) const { return a < b ? a : b; }
};
struct video_max {
    __device__ long long operator()(long long a, long long b) const { return a > b ? a : b; }
};
/// Shifts by the low five bits, or by 32 where there are more.
struct video_shl_wrap {
    __device__ unsigned operator()(long long a, long long b) const { return static_cast<unsigned>(a) << (b & 31); }
};
struct video_shl_clamp {
    __device__ unsigned operator()(long long a, long long b) const {
        return b > 31 ? 0 : static_cast<unsigned>(a) << b;
    }
};
struct video_shr_wrap {
    __device__ long long operator()(long long a, long long b) const { return a >> (b & 31); }
};
struct video_shr_clamp {
    __device__ long long operator()(long long a, long long b) const { return a >> (b > 32 ? 32 : b); }
};

/// The result of the first operation in the type `Result`.
template <typename Result, typename A, typename B, typename Operation>
__device__ inline Result video(Operation operation, A a, B b) {
    return static_cast<Result>(operation(a, b));
}
template <typename Result, typename A, typename B, typename Operation>
__device__ inline Result video_saturated(Operation operation, A a, B b) {
    const long long top = Result(-1) < Result(0) ? 0x7fffffffll : 0xffffffffll;
    const long long bottom = Result(-1) < Result(0) ? -top - 1 : 0, exact = operation(a, b);
    return static_cast<Result>(exact < bottom ? bottom : exact > top ? top : exact);
}

/// 1 where the comparison holds, else 0.
#define HIPIFY_COMPARISON(name, sign)                                                 \
    struct video_##name {                                                             \
        __device__ int operator()(long long a, long long b) const { return a sign b; } \
    };
HIPIFY_COMPARISON(eq, ==)
HIPIFY_COMPARISON(ne, !=)
HIPIFY_COMPARISON(lt, <)
HIPIFY_COMPARISON(le, <=)
HIPIFY_COMPARISON(gt, >)
HIPIFY_COMPARISON(ge, >=)
#undef HIPIFY_COMPARISON

}  // namespace hipify
#endif
