// 7-point stencil on a 3D box kept in pitched device memory.

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <hip/hip_runtime.h>

#define CUDA_TRY(stmt)                                                            \
  do {                                                                            \
    const hipError_t status_of_stmt = (stmt);                                    \
    if (status_of_stmt != hipSuccess) {                                          \
      std::fprintf(stderr, "%s: %s\n", #stmt, hipGetErrorString(status_of_stmt)); \
      std::exit(1);                                                               \
    }                                                                             \
  } while (false)

struct Box {
  int nx, ny, nz;
  size_t cells() const { return size_t(nx) * ny * nz; }
};

// Address of one row (fixed y and z) in pitched memory.
template <typename T>
__device__ T* row_of(hipPitchedPtr p, int y, int z) {
  char* slice = static_cast<char*>(p.ptr) + z * (p.pitch * p.ysize);
  return reinterpret_cast<T*>(slice + y * p.pitch);
}

// Boundary cells keep their value. The weights 1/4 and 1/8 are exact, so the
// result does not depend on how the compiler contracts the expression.
__global__ void relax(hipPitchedPtr src, hipPitchedPtr dst, Box box) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= box.nx || y >= box.ny || z >= box.nz) return;

  const float* mid = row_of<float>(src, y, z);
  float value = mid[x];
  if (x > 0 && x + 1 < box.nx && y > 0 && y + 1 < box.ny && z > 0 && z + 1 < box.nz) {
    const float ring = (mid[x - 1] + mid[x + 1]) +
                       (row_of<float>(src, y - 1, z)[x] + row_of<float>(src, y + 1, z)[x]) +
                       (row_of<float>(src, y, z - 1)[x] + row_of<float>(src, y, z + 1)[x]);
    value = 0.25f * value + 0.125f * ring;
  }
  row_of<float>(dst, y, z)[x] = value;
}

static void relax_host(const std::vector<float>& src, std::vector<float>& dst, const Box& b) {
  auto at = [&](int x, int y, int z) { return src[(size_t(z) * b.ny + y) * b.nx + x]; };
  for (int z = 0; z < b.nz; ++z)
    for (int y = 0; y < b.ny; ++y)
      for (int x = 0; x < b.nx; ++x) {
        float value = at(x, y, z);
        if (x > 0 && x + 1 < b.nx && y > 0 && y + 1 < b.ny && z > 0 && z + 1 < b.nz) {
          const float ring = (at(x - 1, y, z) + at(x + 1, y, z)) + (at(x, y - 1, z) + at(x, y + 1, z)) +
                             (at(x, y, z - 1) + at(x, y, z + 1));
          value = 0.25f * value + 0.125f * ring;
        }
        dst[(size_t(z) * b.ny + y) * b.nx + x] = value;
      }
}

static void copy_box(hipPitchedPtr device, std::vector<float>& host, const Box& b, hipMemcpyKind kind) {
  hipPitchedPtr host_ptr = make_hipPitchedPtr(host.data(), b.nx * sizeof(float), b.nx, b.ny);

  hipMemcpy3DParms parms = {};
  parms.extent = make_hipExtent(b.nx * sizeof(float), b.ny, b.nz);
  parms.srcPtr = kind == hipMemcpyHostToDevice ? host_ptr : device;
  parms.dstPtr = kind == hipMemcpyHostToDevice ? device : host_ptr;
  parms.srcPos = make_hipPos(0, 0, 0);
  parms.dstPos = make_hipPos(0, 0, 0);
  parms.kind = kind;
  CUDA_TRY(hipMemcpy3D(&parms));
}

int main() {
  const Box box{93, 50, 41};
  const int steps = 3;

  std::vector<float> field(box.cells()), next(box.cells()), result(box.cells());
  for (size_t i = 0; i < field.size(); ++i) field[i] = static_cast<float>((i * 13 + i / 93) % 128);

  const hipExtent extent = make_hipExtent(box.nx * sizeof(float), box.ny, box.nz);
  hipPitchedPtr d_a, d_b;
  CUDA_TRY(hipMalloc3D(&d_a, extent));
  CUDA_TRY(hipMalloc3D(&d_b, extent));
  CUDA_TRY(hipMemset3D(d_b, 0, extent));

  copy_box(d_a, field, box, hipMemcpyHostToDevice);

  const dim3 block(32, 4, 2);
  const dim3 grid((box.nx + block.x - 1) / block.x,
                  (box.ny + block.y - 1) / block.y,
                  (box.nz + block.z - 1) / block.z);
  for (int s = 0; s < steps; ++s) {
    hipLaunchKernelGGL(relax, grid, block, 0, 0, d_a, d_b, box);
    CUDA_TRY(hipGetLastError());
    std::swap(d_a, d_b);
  }
  CUDA_TRY(hipDeviceSynchronize());
  copy_box(d_a, result, box, hipMemcpyDeviceToHost);

  for (int s = 0; s < steps; ++s) {
    relax_host(field, next, box);
    field.swap(next);
  }

  size_t different = 0;
  double total = 0;
  for (size_t i = 0; i < field.size(); ++i) {
    if (field[i] != result[i]) ++different;
    total += result[i];
  }

  CUDA_TRY(hipFree(d_a.ptr));
  CUDA_TRY(hipFree(d_b.ptr));

  std::printf("box %d x %d x %d, %d steps\n", box.nx, box.ny, box.nz, steps);
  std::printf("total %.0f, different cells %zu\n", total, different);
  std::puts(different == 0 ? "PASS" : "FAIL");
  return different == 0 ? 0 : 1;
}
