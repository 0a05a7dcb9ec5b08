#include <cstdio>
#include <cuda_runtime.h>

template <class T> struct Holder {
  T value;
  __device__ void set(T v) { value = v; }
  __device__ T get() const { return value; }
};
template <class T, int N> struct Array {
  T data[N];
  __device__ T &operator[](int i) { return data[i]; }
  __device__ const T &operator[](int i) const { return data[i]; }
};
template <class A, class B> struct Pair { A first; B second; };
template <class A, class B> __device__ Pair<A, B> pair_of(A a, B b) { return {a, b}; }
template <class T> struct Traits { using mask = T; };
template <class T> using mask_of = typename Traits<T>::mask;
struct Policy { using mask_type = unsigned; };
template <class T = unsigned> struct Votes { T yes, no; __device__ Votes(T a, T b) : yes(a), no(b) {} };
template <class T> struct Inner { T value; };
template <class T> struct Outer { Inner<T> in; T more; };

template <class T> __device__ T vote(int p) { T m = __ballot_sync(0xffffffff, p); return m; }
template <class P> __device__ int dependent(int p) {
  typename P::mask_type m = __ballot_sync(0xffffffff, p);
  return __popc(m);
}
template <class T> __device__ void fill(Outer<T> &o, int p) {
  o.in.value = __ballot_sync(0xffffffff, p);
  o.more = ~o.in.value;
}

// The highest lanes of the wavefront vote, so that a mask of 32 bits has none of them.
__global__ void k(int *out) {
  int lane = threadIdx.x % warpSize, high = lane >= warpSize - 4;
  Holder<unsigned> h;
  Holder<float> other;
  h.set(__ballot_sync(0xffffffff, high));
  other.set(0.5f);
  Array<unsigned, 2> a;
  a[0] = __ballot_sync(0xffffffff, high);
  a[1] = __ballot_sync(0xffffffff, lane >= warpSize - 2);
  auto p = pair_of(__ballot_sync(0xffffffff, high), 1.0f);
  mask_of<unsigned> m = __ballot_sync(0xffffffff, high);
  auto v = vote<unsigned>(high);
  unsigned all = __activemask();
  Votes<> votes(v, all & ~v);
  Outer<unsigned> o;
  fill(o, high);
  int got[] = {__popc(h.get()), __popc(a[0] & a[1]), __popc(p.first), __popc(m), __popc(v),
               __popc(votes.yes), __popc(o.in.value), __popc(o.more) - __popc(votes.no), dependent<Policy>(high)};
  if (threadIdx.x == 0)
    for (int i = 0; i < 9; i++) out[i] = got[i];
}

int main() {
  int *out, host[9];
  cudaMalloc(&out, sizeof(host));
  k<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 9; i++) printf("%d ", host[i]);
  int expected[] = {4, 2, 4, 4, 4, 4, 4, 0, 4};
  bool good = true;
  for (int i = 0; i < 9; i++) good = good && host[i] == expected[i];
  printf("%s\n", good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
