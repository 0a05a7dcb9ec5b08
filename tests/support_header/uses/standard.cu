#include "hipify_support.hpp"

#include <array>

__global__ void use(float* f, int* i, hipify::span<float> all) {
    hipify::swap(i[0], i[1]);
    i[2] = hipify::exchange(i[3], 4) + hipify::bit_cast<int>(f[0]) + hipify::ceil_div(i[0], 3u);
    f[1] = all[0] + all.subspan(1, 2).front() + static_cast<float>(all.size());
    hipify::remove_cvref_t<const int&> value = hipify::identity()(i[4]);
    i[5] = hipify::minimum<int>()(value, 3) + hipify::maximum<>()(value, 3);
    i[6] = hipify::proclaim_return_type<int>([](int v) { return v + 1; })(i[6]);
}

int main() {
    std::array<float, 3> values{1, 2, 3};
    const hipify::span<float> view(values);
    static_assert(hipify::ceil_div(7, 2) == 4, "");
    return view.last(1).back() == 3 ? 0 : 1;
}

static_assert(hipify::round_up(9u, 4u) == 12 && hipify::round_up(8, 4) == 8 && hipify::round_down(9, 4) == 8, "");
static_assert(hipify::is_power_of_two(8) && !hipify::is_power_of_two(0) && hipify::ilog2(9u) == 3, "");
