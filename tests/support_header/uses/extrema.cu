#include "hipify_support.hpp"

#include <type_traits>

#define IS(type, ...) static_assert(std::is_same<decltype(__VA_ARGS__), type>::value, #__VA_ARGS__)

// What nvcc finds, for kernels and for the host: the types of CUDA's own functions, and what integers are promoted to.
#define EACH(f) \
    IS(int, f(1, 2)); \
    IS(unsigned int, f(1u, 2)); \
    IS(unsigned int, f(1, 2u)); \
    IS(long, f(1l, 2l)); \
    IS(unsigned long, f(1ul, 2l)); \
    IS(unsigned long, f(1l, 2ul)); \
    IS(long long, f(1ll, 2ll)); \
    IS(unsigned long long, f(1ull, 2ll)); \
    IS(unsigned long long, f(1ll, 2ull)); \
    IS(int, f(static_cast<short>(1), 2)); \
    IS(int, f('a', static_cast<unsigned char>(2))); \
    IS(unsigned int, f(2u, static_cast<unsigned short>(1))); \
    IS(int, f(true, 2)); \
    IS(float, f(1.0f, 2.0f)); \
    IS(double, f(1.0, 2.0)); \
    IS(double, f(1.0f, 2.0)); \
    IS(double, f(1.0, 2.0f))

template <class T>
__host__ __device__ T limited(T value) {
    return min(max(value, T(0)), T(1));
}

__global__ void use(int *from, unsigned *to) {
    EACH(min);
    EACH(max);
    to[0] = min(from[0], threadIdx.x) / 2 * 2 + max(to[1], from[1]);
    to[2] = limited(0.5f) * 8;
}

int main() {
    EACH(min);
    EACH(max);
    const bool is_wide = max(1ul << 40, 3ul) == 1ul << 40 && min(1l << 40, 1l << 41) == 1l << 40;
    const bool is_real = limited(0.5f) == 0.5f && max(2.5, 1.5f) == 2.5 && min(__builtin_nanf(""), 1.5f) == 1.5f;
    return is_wide && is_real && min(-1, 3u) == 3u ? 0 : 1;
}
