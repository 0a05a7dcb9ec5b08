// Locks whose one attempt is a member function, a wrapper of an atomic operation, or a macro, and whose loop is elsewhere.
#include <cstdio>
#include <cuda_runtime.h>
class Mutex {
    static constexpr int Free = 0;
    static constexpr int Held = 1;
    int word;

public:
    __device__ bool try_lock() {
        int expected = Free;
        return atomicCAS(&word, expected, Held) == expected;
    }
    __device__ void lock() {
        while (!try_lock()) {  // warned: HIP311
        }
    }
    __device__ void lock_politely() {
        do {  // warned: HIP311
            if (this->try_lock()) return;
            __nanosleep(32);
        } while (true);
    }
    __device__ void unlock() { atomicExch(&word, Free); }
};
struct Guard {
    Mutex &mutex;
    __device__ Guard(Mutex &given) : mutex(given) {
        while (!mutex.try_lock()) {  // warned: HIP311
        }
    }
    __device__ ~Guard() { mutex.unlock(); }
};
template <typename W>
struct Word {
    W *at;
    __device__ bool attempt() { return !atomicExch(at, W(1)); }
};
__device__ int cas(int *at, int was, int now) {
    return atomicCAS((unsigned *)at, (unsigned)was, (unsigned)now);
}
__device__ bool grab(int *at, int owner) { return cas(at, 0, owner) == 0; }
__device__ void try_take(int *at, bool &got) { got = atomicCAS(at, 0, 1) == 0; }
#define CAS(at, was, now) atomicCAS((unsigned *)(at), (was), (now))
#define TRY(at) (CAS(at, 0u, 1u) == 0u)
__global__ void of_mutex(Mutex *mutex, int *sum) {
    mutex->lock();
    *sum += 1;
    mutex->unlock();
    mutex->lock_politely();
    *sum += 1;
    mutex->unlock();
    Guard guard(*mutex);
    *sum += 1;
}
__global__ void of_words(int *lock, int *sum) {
    Word<int> word{lock};
    while (!word.attempt()) {  // warned: HIP311
    }
    *sum += 1;
    atomicExch(lock, 0);
    while (cas(lock, 0, 1) != 0) {  // warned: HIP311
    }
    *sum += 1;
    atomicExch(lock, 0);
    while (!grab(lock, threadIdx.x + 1)) {  // warned: HIP311
    }
    *sum += 1;
    atomicExch(lock, 0);
}
__global__ void of_macros(int *lock, int *sum) {
    while (!TRY(lock)) {  // warned: HIP311
        __nanosleep(20);
    }
    *sum += 1;
    atomicExch(lock, 0);
    bool got = false;
    while (!got) try_take(lock, got);  // warned: HIP311
    *sum += 1;
    atomicExch(lock, 0);
}
int main() {
    int *data, got[5], errors = 0;
    cudaMalloc(&data, sizeof(got));
    cudaMemset(data, 0, sizeof(got));
    of_mutex<<<1, 64>>>((Mutex *)data, data + 1);
    of_words<<<1, 64>>>(data, data + 2);
    of_macros<<<1, 64>>>(data, data + 3);
    cudaMemcpy(got, data, sizeof(got), cudaMemcpyDeviceToHost);
    errors += got[1] != 192 || got[2] != 192 || got[3] != 128;
    printf("errors %d\n", errors);
    return errors != 0;
}
