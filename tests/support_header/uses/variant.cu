#include "hipify_support.hpp"

struct Both {
    __host__ __device__ constexpr int operator()(int a, float b) const { return a + static_cast<int>(b); }
    template <class A, class B>
    __host__ __device__ constexpr int operator()(A, B) const {
        return 0;
    }
};

constexpr hipify::variant<int, float> whole = 3, broken = 2.5f;
static_assert(hipify::visit(Both{}, whole, broken) == 5 && hipify::visit(Both{}, broken, whole) == 0, "in order");
static_assert(whole.index() == 0 && broken.index() == 1, "each as what it is");

__global__ void visit(const hipify::variant<int, float>* objects, float* out) {
    const auto& object = objects[threadIdx.x];
    out[0] = hipify::visit([](auto value) { return static_cast<float>(value); }, object);
    hipify::visit([&](const auto& value) { out[1] = value; }, object);
    out[2] = hipify::visit(Both{}, object, objects[0]);
    hipify::variant<int, float> own = 2.0f;
    out[3] = own.index();
}

int on_the_host(hipify::variant<int, float>& object) {
    object = hipify::variant<int, float>(3);
    return hipify::visit([](auto& value) { return static_cast<int>(value); }, object);
}
