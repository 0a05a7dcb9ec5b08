// A warp as a class: constants of the class, a constructor that finds the lane, CRTP, operators and a virtual-free base.
#include <cstdio>
#include <cuda_runtime.h>
template <class Derived> class GroupBase {
public:
    __device__ bool leader() const { return self().rank() == 0; }
    template <class T> __device__ T broadcast(T v) const { return self().get(v, 0); }
    template <class T> __device__ T max_of(T v) const {
        for (int d = Derived::size / 2; d; d /= 2) {
            T o = self().get(v, self().rank() ^ d);
            v = v < o ? o : v;
        }
        return v;
    }
private:
    __device__ const Derived &self() const { return static_cast<const Derived &>(*this); }
};
class Warp : public GroupBase<Warp> {
public:
    static constexpr int size = 32;
    __device__ Warp() : lane_(threadIdx.x % size), index_(threadIdx.x / size) {}
    __device__ int rank() const { return lane_; }
    __device__ int index() const { return index_; }
    template <class T> __device__ T get(T v, int from) const { return __shfl_sync(mask, v, from); }
    __device__ unsigned operator()(bool p) const { return __ballot_sync(mask, p); }
private:
    static constexpr unsigned mask = ~0u;
    int lane_, index_;
};
template <int N> class Part : public GroupBase<Part<N>> {
public:
    static constexpr int size = N;
    __device__ int rank() const { return threadIdx.x % N; }
    template <class T> __device__ T get(T v, int from) const { return __shfl_sync(0xffffffffu, v, from, N); }
};
__global__ void use(const int *in, int *out) {
    Warp warp;
    Part<8> part;
    int v = in[threadIdx.x];
    unsigned votes = warp(v > 9);
    int r = warp.max_of(v) + 100 * part.max_of(v) + 10000 * __popc(votes) + 1000000 * part.broadcast(v);
    if (warp.leader()) r = -warp.index();
    out[threadIdx.x] = r;
}
int main() {
    const int n = 96;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = (i * 7) % (19 + i / 32);
    use<<<1, n>>>(in, out);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) {
        int m = 0, p = 0, votes = 0;
        for (int j = t / 32 * 32; j < t / 32 * 32 + 32; ++j) {
            m = in[j] > m ? in[j] : m;
            votes += in[j] > 9;
            if (j / 8 == t / 8) p = in[j] > p ? in[j] : p;
        }
        errors += out[t] != (t % 32 ? m + 100 * p + 10000 * votes + 1000000 * in[t / 8 * 8] : -(t / 32));
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
