// What test_emulation.py asks the emulation to do: the first argument names the kernel, each thread prints a number.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <string>

// Every lane reads its neighbour, around the end of the wavefront.
__global__ void neighbour(long long* out) { out[threadIdx.x] = __shfl(static_cast<int>(threadIdx.x), __lane_id() + 1); }

// The same by 16 lanes, and from a lane that is not here.
__global__ void segments(long long* out) { out[threadIdx.x] = __shfl_down(static_cast<long long>(threadIdx.x), 3, 16); }
__global__ void absent(long long* out) {
    int v = 7;
    if (threadIdx.x % 2 == 0) v = __shfl(100 + static_cast<int>(threadIdx.x), 1);
    out[threadIdx.x] = v;
}

// Both sides of a branch vote, then all together.
__global__ void divergent_ballot(long long* out) {
    unsigned long long votes;
    if (threadIdx.x % 4 == 0)
        votes = __ballot(1);
    else
        votes = __ballot(1);
    const unsigned long long all = __ballot(1);
    out[threadIdx.x] = __popcll(votes) * 100 + __popcll(all);
}

// Lanes come to the same vote in different rounds of a loop: they do not meet there.
__global__ void rounds(long long* out) {
    for (int round = 0; round < 3; ++round)
        if (static_cast<int>(threadIdx.x % 3) == round) out[threadIdx.x] = static_cast<long long>(__activemask());
}

// Lanes leave a loop one after the other, and are together again behind it.
__global__ void uneven_loop(long long* out) {
    long long seen = 0;
    for (unsigned i = 0; i < __lane_id() % 5; ++i) seen += __popcll(__activemask());
    out[threadIdx.x] = seen * 100 + __popcll(__activemask());
}

// The same in a loop without a condition, whose last statement is a branch.
__global__ void endless_loop(long long* out) {
    long long seen = 0;
    unsigned i = 0;
    for (;;) {
        seen += __popcll(__activemask());
        if (i == 2) break;
        ++i;
        if (threadIdx.x % 2) seen += 1000 * __popcll(__activemask());
    }
    while (true) {
        if (i == 0) break;
        --i;
        if (threadIdx.x % 2 == i % 2) seen += 1000000 * __popcll(__activemask());
    }
    out[threadIdx.x] = seen;
}

// Threads that have returned take no part.
__global__ void early_return(long long* out) {
    if (threadIdx.x % 2) {
        out[threadIdx.x] = -1;
        return;
    }
    __syncthreads();
    out[threadIdx.x] = __popcll(__ballot(1));
}

template <typename T> __device__ T helper_sum(T v) {
    for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_xor(v, d);
    return v;
}
__global__ void sums(long long* out) { out[threadIdx.x] = static_cast<long long>(helper_sum(double(threadIdx.x))); }

__global__ void matches(long long* out) {
    const unsigned long long same = __match_any_sync(__activemask(), static_cast<int>(threadIdx.x % 3));
    int alike = 0;
    __match_all_sync(__activemask(), 5u, &alike);
    out[threadIdx.x] = __popcll(same) * 10 + alike;
}
__global__ void reduces(long long* out) { out[threadIdx.x] = __reduce_max_sync(__activemask(), int(threadIdx.x)); }

// Shared memory and the block's barrier, with a dynamic part.
__global__ void reversed(long long* out) {
    __shared__ int fixed[256];
    extern __shared__ int dynamic[];
    fixed[threadIdx.x] = static_cast<int>(threadIdx.x);
    dynamic[threadIdx.x] = static_cast<int>(threadIdx.x) * 2;
    __syncthreads();
    const unsigned other = blockDim.x - 1 - threadIdx.x;
    out[threadIdx.x] = fixed[other] + dynamic[other];
}
__global__ void counted(long long* out) { out[threadIdx.x] = __syncthreads_count(threadIdx.x % 3 == 0); }

// A mask of 32 lanes, in each half of a wavefront of 64.
__global__ void full_mask(long long* out) { out[threadIdx.x] = __popcll(__ballot_sync(0xffffffffffffffffull, 1)); }
__global__ void low_mask(long long* out) { out[threadIdx.x] = __popcll(__ballot_sync(0xffffffffull, 1)); }
__global__ void groups(long long* out) {
    const unsigned long long mask = 0xffull << (__lane_id() & ~7u);
    out[threadIdx.x] = __popcll(__ballot_sync(mask, 1));
}
__global__ void half_branch(long long* out) {
    if (threadIdx.x < 16) __syncwarp(0xffffffffffffffffull);
    out[threadIdx.x] = 0;
}

// Each lane waits for the lock that another lane of its wavefront holds.
__device__ int taken;
__global__ void spin_lock(long long* out) {
    while (atomicCAS(&taken, 0, 1) != 0) {
    }
    out[threadIdx.x] = 1;
    atomicExch(&taken, 0);
}
// The same, so that the lane with the lock does its work in the loop: right on any wavefront.
__global__ void polite_lock(long long* out) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&taken, 0, 1) == 0) {
            out[threadIdx.x] = 1;
            atomicExch(&taken, 0);
            done = true;
        }
    }
}
// A flag that another wavefront of the block sets.
__global__ void flag_of_wavefront(volatile long long* out) {
    if (threadIdx.x / 64 == 0) {
        while (out[64] != 5) {
        }
    } else {
        out[64] = 5;
    }
    out[threadIdx.x] = 5;
}
__global__ void split_barrier(long long* out) {
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 0;
}
__global__ void trapped(long long*) { __trap(); }

int main(int count, char** arguments) {
    const std::map<std::string, void (*)(long long*)> kernels = {
        {"neighbour", neighbour}, {"segments", segments}, {"absent", absent}, {"divergent_ballot", divergent_ballot},
        {"rounds", rounds}, {"uneven_loop", uneven_loop}, {"endless_loop", endless_loop}, {"early_return", early_return}, {"sums", sums},
        {"matches", matches}, {"reduces", reduces}, {"reversed", reversed}, {"counted", counted},
        {"full_mask", full_mask}, {"low_mask", low_mask}, {"groups", groups}, {"half_branch", half_branch},
        {"spin_lock", spin_lock}, {"polite_lock", polite_lock}, {"split_barrier", split_barrier}, {"trapped", trapped},
    };
    const std::string name = arguments[1];
    const unsigned threads = static_cast<unsigned>(std::stoul(arguments[2]));
    long long* out;
    if (hipMalloc(&out, 1024 * sizeof *out) != hipSuccess) return 1;
    if (name == "flag_of_wavefront")
        hipLaunchKernelGGL(flag_of_wavefront, dim3(1), dim3(threads), 0, 0, out);
    else
        hipLaunchKernelGGL(kernels.at(name), dim3(1), dim3(threads), 4 * threads, 0, out);
    for (unsigned i = 0; i < threads; ++i) std::printf("%lld ", out[i]);
    return hipGetLastError() != hipSuccess;
}
