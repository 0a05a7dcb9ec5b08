/*
 * A growing array on the driver's virtual memory management: one range of
 * addresses is reserved, and physical memory is mapped into it piece by piece,
 * so the array grows without being copied.  At the end the pieces are mapped in
 * the opposite order, which reorders the data, again without a copy.
 */
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define DRV(call)                                                         \
  do {                                                                    \
    hipError_t drv_result = (call);                                         \
    if (drv_result != hipSuccess) {                                     \
      std::fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__,     \
                   #call, static_cast<int>(drv_result));                  \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

#define RT(call)                                                          \
  do {                                                                    \
    hipError_t rt_result = (call);                                       \
    if (rt_result != hipSuccess) {                                       \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,             \
                   hipGetErrorString(rt_result));                        \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

class GrowingArray {
 public:
  GrowingArray(hipDevice_t device, size_t maxPieces) : maxPieces_(maxPieces) {
    prop_.type = hipMemAllocationTypePinned;
    prop_.location.type = hipMemLocationTypeDevice;
    prop_.location.id = device;
    DRV(hipMemGetAllocationGranularity(&piece_, &prop_, hipMemAllocationGranularityMinimum));
    DRV(hipMemAddressReserve(&base_, piece_ * maxPieces_, 0, 0, 0));
  }

  ~GrowingArray() {
    unmapAll();
    for (hipMemGenericAllocationHandle_t h : pieces_) DRV(hipMemRelease(h));
    DRV(hipMemAddressFree(base_, piece_ * maxPieces_));
  }

  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;

  // One more piece at the end; what is there already stays where it is.
  bool grow() {
    if (pieces_.size() == maxPieces_) return false;
    hipMemGenericAllocationHandle_t handle;
    DRV(hipMemCreate(&handle, piece_, &prop_, 0));
    pieces_.push_back(handle);
    mapAt(pieces_.size() - 1, handle);
    return true;
  }

  void reverse() {
    unmapAll();
    for (size_t i = 0; i < pieces_.size(); ++i) mapAt(i, pieces_[pieces_.size() - 1 - i]);
  }

  hipDeviceptr_t at(size_t piece) const {
    return (hipDeviceptr_t)((char*)base_ + piece * piece_);
  }
  size_t pieceBytes() const { return piece_; }
  size_t count() const { return pieces_.size(); }

 private:
  void mapAt(size_t index, hipMemGenericAllocationHandle_t handle) {
    DRV(hipMemMap(at(index), piece_, 0, handle, 0));
    hipMemAccessDesc access = {};
    access.location = prop_.location;
    access.flags = hipMemAccessFlagsProtReadWrite;
    DRV(hipMemSetAccess(at(index), piece_, &access, 1));
  }

  void unmapAll() {
    DRV(hipCtxSynchronize());
    for (size_t i = 0; i < pieces_.size(); ++i) DRV(hipMemUnmap(at(i), piece_));
  }

  hipMemAllocationProp prop_ = {};
  hipDeviceptr_t base_ = 0;
  size_t piece_ = 0, maxPieces_;
  std::vector<hipMemGenericAllocationHandle_t> pieces_;
};

// Works on the whole range as if it were one allocation.
__global__ void addIndex(unsigned* data, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  for (; i < n; i += (size_t)gridDim.x * blockDim.x) data[i] += (unsigned)(i % 1000);
}

int main() {
  RT(hipSetDevice(0));
  RT(hipFree(0));  // makes the primary context, which the driver calls use
  DRV(hipInit(0));
  hipDevice_t device;
  DRV(hipDeviceGet(&device, 0));

  int wrong = 0;
  {
    const size_t maxPieces = 3;
    GrowingArray array(device, maxPieces);
    const size_t perPiece = array.pieceBytes() / sizeof(unsigned);
    std::vector<unsigned> host(perPiece);

    while (array.grow()) {
      const unsigned fill = 7000u * (unsigned)array.count();
      DRV(hipMemsetD32(array.at(array.count() - 1), fill, perPiece));
    }
    std::printf("pieces %zu\n", array.count());

    const size_t n = perPiece * maxPieces;
    hipLaunchKernelGGL(addIndex, dim3(256), dim3(256), 0, 0, (unsigned*)array.at(0), n);
    RT(hipGetLastError());
    array.reverse();

    for (size_t p = 0; p < maxPieces; ++p) {
      DRV(hipMemcpyDtoH(host.data(), array.at(p), array.pieceBytes()));
      const size_t origin = maxPieces - 1 - p;  // where these values were made
      for (size_t k = 0; k < perPiece; ++k) {
        const unsigned want = 7000u * (unsigned)(origin + 1) + (unsigned)((origin * perPiece + k) % 1000);
        wrong += host[k] != want;
      }
      std::printf("piece %zu starts with %u\n", p, host[0] / 7000u);
    }

    // What is written through the range lands in the right piece.
    for (size_t k = 0; k < perPiece; ++k) host[k] = (unsigned)k;
    DRV(hipMemcpyHtoD(array.at(1), host.data(), array.pieceBytes()));
    std::vector<unsigned> again(perPiece);
    array.reverse();  // the middle one stays in the middle
    DRV(hipMemcpyDtoH(again.data(), array.at(1), array.pieceBytes()));
    wrong += again != host;
  }

  std::printf("wrong %d\n", wrong);
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}
