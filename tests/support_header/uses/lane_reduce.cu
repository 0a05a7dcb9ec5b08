#include "hipify_support.hpp"

__global__ void use(int* values, unsigned lanes, unsigned long long all_lanes) {
    const auto sum = [](int a, int b) { return a + b; };
    values[0] = hipify::reduce_all_32(values[1], sum) + hipify::reduce_lanes(lanes, threadIdx.x % 32, values[2], sum);
    values[3] = hipify::reduce_lanes(all_lanes, threadIdx.x % 64, values[2], sum);
    values[4] = static_cast<int>(hipify::lowest_lane(lanes) + hipify::lowest_lane(all_lanes));
}
