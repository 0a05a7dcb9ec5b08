// A small sales report made with Thrust: sort, keyed reductions and scans,
// functors, placeholders and algorithms on a stream of our own.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/hip/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <vector>

using namespace thrust::placeholders;

#define CHECK(call)                                                          \
    if (hipError_t err = (call)) {                                          \
        std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(err));    \
        std::exit(1);                                                        \
    }

// Turns a running number into a shop number between 0 and 9.
struct ShopOf {
    __host__ __device__ int operator()(int i) const {
        unsigned h = static_cast<unsigned>(i) * 747796405u + 2891336453u;
        h = ((h >> ((h >> 28) + 4)) ^ h) * 277803737u;
        return static_cast<int>((h >> 22) % 10u);
    }
};

struct AmountOf {
    int base;
    explicit AmountOf(int b) : base(b) {}
    __host__ __device__ int operator()(int i) const { return base + (i * 7919) % 991; }
};

struct Squared {
    __host__ __device__ long long operator()(int v) const { return static_cast<long long>(v) * v; }
};

struct IsLarge {
    int limit;
    __host__ __device__ bool operator()(int v) const { return v >= limit; }
};

template <typename A, typename B>
static bool same(const char* what, const A& device, const B& host) {
    const bool eq = device.size() == host.size() && std::equal(device.begin(), device.end(), host.begin());
    std::printf("%-20s %s\n", what, eq ? "matches" : "differs");
    return eq;
}

int main() {
    const int n = 50000;
    bool ok = true;

    hipStream_t stream;
    CHECK(hipStreamCreate(&stream));
    auto policy = thrust::hip::par.on(stream);

    // Sales as (shop, amount), in the order in which they came.
    thrust::device_vector<int> shop(n), amount(n);
    thrust::counting_iterator<int> first(0);
    thrust::transform(policy, first, first + n, shop.begin(), ShopOf());
    thrust::transform(policy, first, first + n, amount.begin(), AmountOf(100));
    thrust::transform(policy, amount.begin(), amount.end(), amount.begin(), 3 * _1 + 1);
    CHECK(hipStreamSynchronize(stream));

    std::vector<int> hshop(n), hamount(n);
    for (int i = 0; i < n; ++i) {
        hshop[i] = ShopOf()(i);
        hamount[i] = 3 * AmountOf(100)(i) + 1;
    }

    // Totals over everything.
    const long long total = thrust::reduce(policy, amount.begin(), amount.end(), 0LL, thrust::plus<long long>());
    const long long squares = thrust::transform_reduce(amount.begin(), amount.end(), Squared(), 0LL,
                                                       thrust::plus<long long>());
    const long large = static_cast<long>(thrust::count_if(thrust::device, amount.begin(), amount.end(), IsLarge{2500}));
    const int top = *thrust::max_element(amount.begin(), amount.end());
    long long htotal = 0, hsquares = 0;
    for (int v : hamount) htotal += v, hsquares += Squared()(v);
    ok &= total == htotal && squares == hsquares && top == *std::max_element(hamount.begin(), hamount.end()) &&
          large == std::count_if(hamount.begin(), hamount.end(), IsLarge{2500});
    std::printf("sales %d total %lld squares %lld large %ld top %d\n", n, total, squares, large, top);

    // Group by shop, keeping the order within each shop.
    thrust::stable_sort_by_key(policy, shop.begin(), shop.end(), amount.begin());
    CHECK(hipStreamSynchronize(stream));
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return hshop[a] < hshop[b]; });
    std::vector<int> sshop(n), samount(n);
    for (int i = 0; i < n; ++i) {
        sshop[i] = hshop[order[i]];
        samount[i] = hamount[order[i]];
    }
    thrust::host_vector<int> gshop = shop, gamount = amount;
    ok &= same("sorted shops", gshop, sshop);
    ok &= same("sorted amounts", gamount, samount);

    // Running total within each shop, and the sum and the count of each.
    thrust::device_vector<int> running(n), keys(10), sums(10), counts(10);
    thrust::inclusive_scan_by_key(policy, shop.begin(), shop.end(), amount.begin(), running.begin());
    auto end = thrust::reduce_by_key(policy, shop.begin(), shop.end(), amount.begin(), keys.begin(), sums.begin());
    thrust::reduce_by_key(policy, shop.begin(), shop.end(), thrust::constant_iterator<int>(1), keys.begin(),
                          counts.begin());
    CHECK(hipStreamSynchronize(stream));

    std::map<int, int> hsums;
    std::vector<int> hrunning(n);
    for (int i = 0; i < n; ++i) hrunning[i] = hsums[sshop[i]] += samount[i];
    ok &= same("running totals", thrust::host_vector<int>(running), hrunning);
    ok &= static_cast<size_t>(end.first - keys.begin()) == hsums.size();
    for (size_t k = 0; k < hsums.size(); ++k) {
        const int key = keys[k], sum = sums[k];
        if (hsums[key] != sum) ok = false;
        if (k < 3) std::printf("shop %d: %d sales, %d\n", key, static_cast<int>(counts[k]), sum);
    }

    // Largest first, through a raw pointer into the vector.
    int* raw = thrust::raw_pointer_cast(amount.data());
    thrust::sort(policy, thrust::device_pointer_cast(raw), thrust::device_pointer_cast(raw + n), thrust::greater<int>());
    thrust::exclusive_scan(policy, amount.begin(), amount.end(), running.begin());
    CHECK(hipStreamSynchronize(stream));
    std::sort(samount.begin(), samount.end(), std::greater<int>());
    std::vector<int> hscan(n, 0);
    std::partial_sum(samount.begin(), samount.end() - 1, hscan.begin() + 1);
    gamount = amount;
    ok &= same("descending", gamount, samount);
    ok &= same("exclusive scan", thrust::host_vector<int>(running), hscan);

    CHECK(hipStreamDestroy(stream));
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
