#pragma once
// Non-owning views and the memory pools of the tensor library.
//
// The pools mirror the names of the CUDA calls that they stand for, so that
// code can be moved onto a pool by putting "pool." in front.  Those are names
// of ours: tensor::cudaFree, Device::cudaMalloc and so on are no CUDA calls.

#include <cstddef>
#include <cstdio>
#include <vector>

#include <hip/hip_runtime.h>

namespace tensor {

template <typename T>
struct View {
  T* data = nullptr;
  int size = 0;

  __host__ __device__ T& operator[](int i) const { return data[i]; }
  __host__ __device__ View slice(int from, int count) const { return {data + from, count}; }
  __host__ __device__ bool empty() const { return size == 0; }
};

/// A device with its own bump allocator.
struct Device {
  explicit Device(int ordinal) : ordinal_(ordinal) {}
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  void cudaMalloc(std::size_t bytes);             // reserves the pool
  void hipMalloc(std::size_t bytes) { this->cudaMalloc(bytes); }  // for callers from the other side
  void* cudaAlloc(std::size_t bytes);             // hands out a piece of it
  bool cudaDeviceReset() { used_ = 0; return pool_ != nullptr; }
  std::size_t cudaMemGetInfo() const { return capacity_ - used_; }

  int cudaErrors = 0;  // how many calls have failed on this device

 private:
  int ordinal_;
  char* pool_ = nullptr;
  std::size_t capacity_ = 0, used_ = 0;
};

/// Gives a view up; the pool keeps its memory.
template <typename T>
inline void cudaFree(View<T>& view) {
  view = View<T>{};
}

// Takes a status and says where it came from.  The parameter hides the enum
// of the same name within this function.
inline bool report(hipError_t cudaError, const char* cudaFunction) {
  if (cudaError == hipSuccess) return true;
  std::fprintf(stderr, "cudaError in %s: %s\n", cudaFunction, hipGetErrorString(cudaError));
  return false;
}

inline void Device::cudaMalloc(std::size_t bytes) {
  // Inside the member, the real one needs its global name.
  if (report(hipSetDevice(ordinal_), "cudaSetDevice") &&
      report(::hipMalloc(reinterpret_cast<void**>(&pool_), bytes), "Device::cudaMalloc"))
    capacity_ = bytes;
  else
    ++cudaErrors;
}

inline void* Device::cudaAlloc(std::size_t bytes) {
  const std::size_t rounded = (bytes + 255) / 256 * 256;
  if (used_ + rounded > capacity_) {
    ++cudaErrors;
    return nullptr;
  }
  void* p = pool_ + used_;
  used_ += rounded;
  return p;
}

inline Device::~Device() {
  if (pool_) report(::hipFree(pool_), "Device::~Device");
}

template <typename T>
View<T> allocate(Device& device, int n) {
  return {static_cast<T*>(device.cudaAlloc(n * sizeof(T))), n};
}

template <typename T>
bool cudaMemcpy(View<T> to, const std::vector<T>& from, hipStream_t stream) {
  return report(hipMemcpyAsync(to.data, from.data(), from.size() * sizeof(T), hipMemcpyHostToDevice, stream), "upload");
}

template <typename T>
bool cudaMemcpy(std::vector<T>& to, View<T> from, hipStream_t stream) {
  to.resize(from.size);
  return report(hipMemcpyAsync(to.data(), from.data, to.size() * sizeof(T), hipMemcpyDeviceToHost, stream), "download") &&
         report(hipStreamSynchronize(stream), "download");
}

}  // namespace tensor
