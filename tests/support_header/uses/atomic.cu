#include "hipify_support.hpp"

#include <cstdio>

__global__ void use(int* a, float* f, unsigned long long* u, hipify::atomic<int, hipify::thread_scope_device>* shared) {
    hipify::atomic_ref<int, hipify::thread_scope_block> r(*a);
    r.fetch_add(1, hipify::memory_order_relaxed);
    r.fetch_sub(1);
    r.fetch_max(3);
    r.fetch_min(3);
    r++;
    --r;
    r = 5;
    r += 2;
    int expected = 4;
    r.compare_exchange_strong(expected, 5);
    r.compare_exchange_weak(expected, 5, hipify::memory_order_acq_rel, hipify::memory_order_relaxed);
    a[1] = r + r.exchange(3);
    hipify::atomic_ref<float>(*f).fetch_add(1.f);
    hipify::atomic_ref<unsigned long long, hipify::thread_scope_thread>(*u).fetch_xor(1);
    shared->fetch_or(2, hipify::memory_order_relaxed);
    shared->store(3, hipify::memory_order_release);
    (*shared)++;
    a[2] = shared->load(hipify::memory_order_acquire);
    hipify::atomic_thread_fence(hipify::memory_order_seq_cst, hipify::thread_scope_device);
}

__global__ void signal(volatile hipify::atomic<int, hipify::thread_scope_device> *turn) {
    turn->fetch_add(1, hipify::memory_order_release);
    *turn = *turn + 2;
    ++*turn;
}

bool is_ready(void *flag) {
    return static_cast<volatile hipify::atomic<int> *>(flag)->load(hipify::memory_order_acquire) == 1;
}

int main() {
    hipify::atomic<int, hipify::thread_scope_system> counter(3);
    counter++;
    float sum = 0;
    hipify::atomic_ref<float> reference(sum);
    reference.fetch_add(1.5f);
    std::printf("%d %g\n", counter.load(), reference.load());
    return counter == 4 ? 0 : 1;
}
