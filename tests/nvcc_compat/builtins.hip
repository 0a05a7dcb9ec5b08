// Every built-in of clang's that a translation can have, compiled for NVIDIA GPUs. Ends with 0 on a GPU.
#include <hip/hip_runtime.h>

#include <cstdio>

#define HOLDS(number, condition) \
    if (!(condition)) atomicExch(failed, number)

__global__ void integers(int *failed, unsigned a, unsigned b) {  // 0xffffffff, 3
    unsigned carry = 0;
    HOLDS(1, __builtin_addc(a, b, 1u, &carry) == 3 && carry == 1);
    HOLDS(2, __builtin_subc(b, a, 0u, &carry) == 4 && carry == 1);
    HOLDS(3, __builtin_elementwise_add_sat(a, b) == 0xffffffffu);
    HOLDS(4, __builtin_elementwise_sub_sat(b, a) == 0);
    HOLDS(5, __builtin_elementwise_max(a, b) == a && __builtin_elementwise_min(a, b) == b);
    HOLDS(6, __builtin_elementwise_max(static_cast<int>(a), static_cast<int>(b)) == 3);
    HOLDS(7, __builtin_elementwise_min(1.5f, 2.5f) == 1.5f);
    HOLDS(8, __builtin_amdgcn_sad_u8(0x01020304, 0x02020301, 5) == 9);
    HOLDS(9, amd_mixed_dot(0x01010101, 0x02020202, 5, false) == 13);
    HOLDS(10, __builtin_bit_cast(float, 0x3f800000) == 1.0f);
    HOLDS(11, __builtin_bswap16(static_cast<unsigned short>(0x0102)) == 0x0201);
    HOLDS(12, __builtin_bswap32(0x01020304u) == 0x04030201u && __builtin_bswap64(1ull) == 1ull << 56);
    HOLDS(13, __builtin_clzll(1ull) == 63 && __builtin_ctzll(8ull) == 3 && __builtin_popcountll(7ull) == 3);
}

__global__ void memory(int *failed, int *cell, unsigned *counter) {
    __shared__ int shared;
    int local = threadIdx.x;
    int *place = threadIdx.x == 99 ? cell : &local;
    HOLDS(20, __builtin_amdgcn_is_shared(&shared) && !__builtin_amdgcn_is_shared(cell));
    HOLDS(21, __builtin_amdgcn_is_private(place) && !__builtin_amdgcn_is_private(cell));
    __builtin_nontemporal_store(5, cell);
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    HOLDS(22, __builtin_nontemporal_load(cell) == 5);
    __builtin_prefetch(cell);
    __builtin_prefetch(cell, 0, 3);
    __builtin_memcpy(&shared, __builtin_assume_aligned(cell, 4), sizeof shared);
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_s_sleep(1);
    HOLDS(23, shared == 5);
    HOLDS(24, __builtin_amdgcn_atomic_inc32(counter, 1u, __ATOMIC_RELAXED, "") == 0 && *counter == 1);
    HOLDS(25, __builtin_amdgcn_atomic_inc32(counter, 1u, __ATOMIC_RELAXED, "") == 1 && *counter == 0);
    HOLDS(26, __builtin_amdgcn_atomic_dec32(counter, 7u, __ATOMIC_RELAXED, "") == 0 && *counter == 7);
    if (*failed == -1) __builtin_trap();
    if (*failed == -2) __builtin_debugtrap();
}

__global__ void atomics(int *failed, int *cell) {
#define AGENT __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT
    __hip_atomic_store(cell, 6, AGENT);
    HOLDS(40, __hip_atomic_load(cell, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) == 6);
    HOLDS(41, __hip_atomic_fetch_add(cell, 2, AGENT) == 6 && __hip_atomic_fetch_and(cell, 12, AGENT) == 8);
    HOLDS(42, __hip_atomic_fetch_or(cell, 3, AGENT) == 8 && __hip_atomic_fetch_xor(cell, 1, AGENT) == 11);
    HOLDS(43, __hip_atomic_fetch_max(cell, 20, AGENT) == 10 && __hip_atomic_fetch_min(cell, 4, AGENT) == 20);
    HOLDS(44, __hip_atomic_exchange(cell, 7, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_WORKGROUP) == 4);
    int expected = 7;
    HOLDS(45, __hip_atomic_compare_exchange_strong(cell, &expected, 8, __ATOMIC_SEQ_CST, AGENT) && *cell == 8);
    HOLDS(46, !__hip_atomic_compare_exchange_strong(cell, &expected, 9, __ATOMIC_SEQ_CST, AGENT) && expected == 8);
}

int main() {
    int *state;
    if (hipMallocManaged(&state, 3 * sizeof(int)) != hipSuccess) return 2;
    state[0] = state[1] = state[2] = 0;
    integers<<<1, 1>>>(state, 0xffffffffu, 3);
    memory<<<1, 1>>>(state, state + 1, reinterpret_cast<unsigned *>(state + 2));
    atomics<<<1, 1>>>(state, state + 1);
    if (hipDeviceSynchronize() != hipSuccess) return 3;
    std::printf("failed: %d\n", state[0]);
    return state[0];
}
