#include "hipify_support.hpp"
#if defined(__NVCC__)
namespace library = cuda::std;
#else
#include <thrust/pair.h>
#include <thrust/tuple.h>
namespace library = std;
#endif

#if !defined(__NVCC__)
constexpr int tied() {
    int a = 0, b = 0, c = 0;
    hipify::tie(a, b) = hipify::make_pair(1, 2);
    hipify::tuple<int, int> both;
    both = hipify::make_tuple(a, b);
    hipify::tie(b, c) = both;
    hipify::pair<int, int> last{b, c};
    last.first += 10 * last.second;
    auto [d, e] = last;
    return 100 * d + 10 * e + hipify::get<0>(both);
}
static_assert(tied() == 2121, "what is tied is assigned in order");
#endif
static_assert(hipify::make_tuple(1, 2.0) < hipify::make_tuple(1, 3.0), "compared in order");
static_assert(hipify::tuple{1, 2} == hipify::tuple<int, int>(1, 2), "deduced");

struct Meeting {
    hipify::pair<int, float> pair;
    hipify::tuple<int, float, int> triple;
};

__global__ void meet(Meeting* meetings, int* array) {
    Meeting& meeting = meetings[threadIdx.x];
    int first;
    float second;
    hipify::tie(first, second) = meeting.pair;
    meeting.triple = hipify::make_tuple(first, second, 3);
    auto [a, b, c] = meeting.triple;
    meeting.triple = {c, b, a};
    hipify::tuple both{a, b};
    hipify::get<0>(both) += hipify::get<1>(meeting.pair);
    meeting.pair = library::apply([](int x, float y) { return hipify::make_pair(x, y); }, both);
    if (hipify::get<float>(both) > 0 && both < hipify::make_tuple(1, 2.0f)) array[0] = sizeof(meeting);
    static_assert(library::tuple_size_v<decltype(both)> == 2, "a tuple's size");
    static_assert(library::tuple_size<decltype(meeting.pair)>::value == 2, "a pair's size");
    library::tuple_element_t<1, decltype(both)> element = hipify::get<1>(both);
    library::tuple_element_t<0, decltype(meeting.pair)> other = 1;
    array[other] = static_cast<int>(element);
}
#if !defined(__NVCC__)
__global__ void from_thrust(hipify::tuple<int, float>* to, thrust::tuple<int, float> from, thrust::pair<int, float> pair) {
    to[0] = from;
    to[1] = hipify::tuple<int, float>(from);
    to[2] = hipify::make_tuple(hipify::get<0>(pair), hipify::get<1>(from));
    hipify::pair<int, float> both = pair;
    both = pair;
    hipify::tie(hipify::get<0>(to[3]), hipify::get<1>(to[3])) = pair;
}
#endif
