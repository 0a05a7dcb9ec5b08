// Turns and flags that are members of objects, or global variables, and that only helpers look at and set.
#include <cstdio>
#include <cuda_runtime.h>
struct Turn {
    volatile int now;
    __device__ void wait(int mine);
    __device__ void pass() { now = now + 1; }
};
__device__ void Turn::wait(int mine) {
    while (now != mine) {
    }
}
template <typename T>
class Slot {
    volatile int ready;
    T value;

public:
    __device__ T take() {
        while (!this->ready) {
        }
        __threadfence();
        return value;
    }
    __device__ void put(T given) {
        value = given;
        __threadfence();
        this->ready = 1;
    }
};
__device__ volatile int arrived[64];
__device__ volatile int serving;
__device__ void wait_for(int i) {
    while (arrived[i] == 0) {
    }
}
__device__ void arrive(int i) { arrived[i] = 1; }
__device__ void wait_turn(int i) {
    while (serving != i) {
    }
}
__device__ void look(int i, int *seen) { *seen = arrived[i]; }
__global__ void of_object(Turn *turn, int *sum) {
    turn->wait(threadIdx.x);  // warned: HIP311
    *sum += 1;
    __threadfence();
    turn->pass();
}
__global__ void of_slots(Slot<int> *slots, int *sum) {
    const int i = threadIdx.x;
    int before = 0;
    if (i > 0) before = slots[i - 1].take();  // warned: HIP311
    *sum = before + 1;
    slots[i].put(before + 1);
}
__global__ void of_array(int *sum) {
    const int i = threadIdx.x;
    if (i > 0) wait_for(i - 1);  // warned: HIP311
    *sum += 1;
    __threadfence();
    arrive(i);
}
__global__ void of_variable(int *sum) {
    wait_turn(threadIdx.x);  // warned: HIP311
    *sum += 1;
    __threadfence();
    serving = threadIdx.x + 1;
}
__global__ void of_result(int *sum) {
    const int i = threadIdx.x;
    int seen = i == 0;
    while (!seen) look(i - 1, &seen);  // warned: HIP311
    *sum += 1;
    __threadfence();
    arrive(i);
}
int main() {
    int *data, got[4], errors = 0;
    Turn *turn;
    Slot<int> *slots;
    cudaMalloc(&data, sizeof(got));
    cudaMalloc(&turn, sizeof(Turn));
    cudaMalloc(&slots, 64 * sizeof(Slot<int>));
    cudaMemset(data, 0, sizeof(got));
    cudaMemset(turn, 0, sizeof(Turn));
    cudaMemset(slots, 0, 64 * sizeof(Slot<int>));
    of_object<<<1, 64>>>(turn, data);
    of_slots<<<1, 64>>>(slots, data + 1);
    of_array<<<1, 64>>>(data + 2);
    of_variable<<<1, 64>>>(data + 3);
    cudaMemcpy(got, data, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i : {0, 2, 3}) errors += got[i] != 64;
    printf("errors %d\n", errors);
    return errors != 0;
}
