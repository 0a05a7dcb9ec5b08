#include "hipify_support.hpp"

struct Odd {
    __host__ __device__ constexpr bool operator()(int x) const { return x % 2 != 0; }
};
struct Twice {
    __host__ __device__ constexpr int operator()(int x) const { return 2 * x; }
};
struct Sum {
    __host__ __device__ constexpr int operator()(int x, int y) const { return x + y; }
};
struct Greater {
    __host__ __device__ constexpr bool operator()(int x, int y) const { return x > y; }
};

__host__ __device__ constexpr int all(int* p, int n) {
    int copies[8] = {};
    hipify::iota(p, p + n, 1);
    hipify::copy(p, p + n, copies);
    hipify::copy_n(p, n, copies);
    hipify::transform(p, p + n, copies, Twice());
    hipify::transform(p, p + n, copies, copies, Sum());
    hipify::reverse(copies, copies + n);
    hipify::fill(p + 6, p + 7, 9);
    hipify::fill_n(p + 6, 1, 9);
    hipify::for_each(p, p + n, Twice());
    return *hipify::lower_bound(p, p + n, 3) * 1000 + *hipify::upper_bound(p, p + n, 3) * 100 +
           static_cast<int>(hipify::count_if(p, p + n, Odd())) * 10 + static_cast<int>(hipify::count(p, p + n, 4)) +
           (hipify::binary_search(p, p + n, 4) ? 100000 : 0) + *hipify::find(p, p + n, 2) * 0 +
           (hipify::any_of(p, p + n, Odd()) && !hipify::all_of(p, p + n, Odd()) && !hipify::none_of(p, p + n, Odd())) +
           hipify::accumulate(p, p + n, 0) - hipify::accumulate(p, p + n, 0, Sum()) +
           (hipify::equal(p, p + n, p) && !hipify::equal(p, p + n, copies)) +
           (copies[0] == 18 ? 0 : 7) * hipify::inner_product(p, p + n, p, 0) +
           static_cast<int>(hipify::lower_bound(copies, copies + n, 9, Greater()) - copies) * 0 +
           static_cast<int>(hipify::upper_bound(copies, copies + n, 9, Greater()) - copies) * 0;
}

__global__ void use(int* p) { p[8] = all(p, 6); }

constexpr int on_host() {
    int p[8] = {};
    return all(p, 6);
}
static_assert(on_host() == 103000 + 400 + 30 + 1 + 1 + 1, "");
