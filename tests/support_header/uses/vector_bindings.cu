#include "hipify_support.hpp"

__host__ __device__ inline int3 split(int index) { return make_int3(index % 4, index / 4 % 4, index / 16); }

__global__ void use(const float4 *from, float2 *to) {
    const auto [i, j, k] = split(threadIdx.x);
    const auto &[a, b, c, d] = from[i];
    auto &[first, second] = to[j];
    first = a + b * k;
    auto [x, y] = to[k];
    second = c + d + x + y;
}

int main() {
    auto [i, j, k] = split(23);
    i += 2;
    static_assert(std::is_same<decltype(i), int>::value, "the element's own type");
    return i == 5 && j == 1 && k == 1 ? 0 : 1;
}
