// A hash table of buckets of 32 slots: the warp works on one lane's key at a time, all lanes probe a bucket together.
#include <cstdint>
#include <cstdio>
#include <set>
#include <cuda_runtime.h>

constexpr uint32_t kEmpty = 0xffffffffu;
constexpr int kBucket = 32;

class TableView {
public:
    TableView(uint32_t *slots, uint32_t buckets) : slots_(slots), buckets_(buckets) {}
    __device__ bool insert(bool active, uint32_t key, uint32_t lane) {
        bool fresh = false;
        uint32_t work = 0;
        while ((work = __ballot_sync(0xffffffff, active))) {
            const int source = __ffs(work) - 1;
            const uint32_t current = __shfl_sync(0xffffffff, key, source, 32);
            uint32_t bucket = hash(current);
            bool done = false, added = false;
            while (!done) {
                uint32_t *slot = slots_ + bucket * kBucket + lane;
                const uint32_t seen = *slot;
                if (__any_sync(0xffffffff, seen == current)) {
                    done = true;
                    continue;
                }
                const uint32_t free_slots = __ballot_sync(0xffffffff, seen == kEmpty);
                if (!free_slots) {
                    bucket = (bucket + 1) % buckets_;
                    continue;
                }
                const int chosen = __ffs(free_slots) - 1;
                uint32_t old = 0;
                if ((int)lane == chosen) old = atomicCAS(slot, kEmpty, current);
                old = __shfl_sync(0xffffffff, old, chosen, 32);
                if (old == kEmpty) done = added = true;
                else if (old == current) done = true;
            }
            if ((int)lane == source) {
                active = false;
                fresh = added;
            }
        }
        return fresh;
    }
    __device__ uint32_t hash(uint32_t k) const { return (k * 2654435761u >> 8) % buckets_; }

private:
    uint32_t *slots_;
    uint32_t buckets_;
};

__global__ void insert_all(TableView table, const uint32_t *keys, int n, int *fresh) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t lane = threadIdx.x & 0x1F;
    if ((i - (int)lane) >= n) return;
    const bool active = i < n;
    const bool added = table.insert(active, active ? keys[i] : 0, lane);
    const int count = __popc(__ballot_sync(0xffffffff, added));
    if (lane == 0) atomicAdd(fresh, count);
}

int main() {
    const int n = 210, buckets = 7;
    uint32_t keys[n], slots[buckets * kBucket], *d_keys, *d_slots;
    int fresh = 0, *d_fresh;
    std::set<uint32_t> want, got;
    for (int i = 0; i < n; ++i) want.insert(keys[i] = (i * 7919u) % 173u);
    cudaMalloc(&d_keys, sizeof(keys));
    cudaMalloc(&d_slots, sizeof(slots));
    cudaMalloc(&d_fresh, 4);
    cudaMemset(d_slots, 0xff, sizeof(slots));
    cudaMemset(d_fresh, 0, 4);
    cudaMemcpy(d_keys, keys, sizeof(keys), cudaMemcpyHostToDevice);
    insert_all<<<3, 96>>>(TableView(d_slots, buckets), d_keys, n, d_fresh);
    cudaMemcpy(slots, d_slots, sizeof(slots), cudaMemcpyDeviceToHost);
    cudaMemcpy(&fresh, d_fresh, 4, cudaMemcpyDeviceToHost);
    int filled = 0;
    for (uint32_t s : slots)
        if (s != kEmpty) got.insert(s), ++filled;
    int errors = (got != want) + (filled != (int)want.size()) + (fresh != (int)want.size());
    printf("errors %d\n", errors);
    return errors != 0;
}
