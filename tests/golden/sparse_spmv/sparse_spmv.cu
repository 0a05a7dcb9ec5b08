// Sparse matrix times vector and sparse matrix times dense block with the
// generic cuSPARSE API.  The matrix is the 5-point stencil of a small grid with
// integer weights, so every result is exact.
#include <hip/hip_runtime_api.h>
#include <hipsparse/hipsparse.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <vector>

using std::vector;

#define STR2(x) #x
#define STR(x) STR2(x)
#define CUSPARSE_TRY(expr)                                                              \
  if (hipsparseStatus_t status = (expr); status != HIPSPARSE_STATUS_SUCCESS)              \
  throw std::runtime_error(std::string(hipsparseGetErrorString(status)) + " at line " STR(__LINE__))
#define CUDA_TRY(expr)                                                                  \
  if (hipError_t status = (expr); status != hipSuccess)                               \
  throw std::runtime_error(std::string(hipGetErrorString(status)) + " at line " STR(__LINE__))

struct Csr {
  int rows = 0;
  vector<int> offsets;
  vector<int> columns;
  vector<float> values;
  int nnz() const { return static_cast<int>(values.size()); }
};

static Csr make_stencil(int width, int height) {
  Csr m;
  m.rows = width * height;
  m.offsets.push_back(0);
  auto put = [&m](int col, float v) { m.columns.push_back(col); m.values.push_back(v); };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int row = y * width + x;
      if (y > 0) put(row - width, -1.0f);
      if (x > 0) put(row - 1, -2.0f);
      put(row, 6.0f);
      if (x + 1 < width) put(row + 1, -2.0f);
      if (y + 1 < height) put(row + width, -1.0f);
      m.offsets.push_back(m.nnz());
    }
  return m;
}

template <typename T>
class Dev {
  T* ptr_ = nullptr;
  size_t n_ = 0;

 public:
  explicit Dev(const vector<T>& host) : n_(host.size()) {
    CUDA_TRY(hipMalloc((void**)&ptr_, n_ * sizeof(T)));
    CUDA_TRY(hipMemcpy(ptr_, host.data(), n_ * sizeof(T), hipMemcpyHostToDevice));
  }
  explicit Dev(size_t n) : n_(n) { CUDA_TRY(hipMalloc((void**)&ptr_, (n ? n : 1) * sizeof(T))); }
  Dev(Dev const&) = delete;
  ~Dev() { hipFree(ptr_); }
  T* operator*() { return ptr_; }
  vector<T> host() const {
    vector<T> h(n_);
    CUDA_TRY(hipMemcpy(h.data(), ptr_, n_ * sizeof(T), hipMemcpyDeviceToHost));
    return h;
  }
};

static vector<float> multiply(const Csr& a, const float* x) {
  vector<float> y(a.rows, 0.0f);
  for (int r = 0; r < a.rows; ++r)
    for (int e = a.offsets[r]; e < a.offsets[r + 1]; ++e) y[r] += a.values[e] * x[a.columns[e]];
  return y;
}

static int run() {
  const Csr a = make_stencil(30, 22);
  const int n = a.rows, block = 6;
  vector<float> x(n * block), y(n), ones(n * block, 1.0f);
  for (int i = 0; i < n * block; ++i) x[i] = static_cast<float>(i % 17 - 8);
  for (int i = 0; i < n; ++i) y[i] = static_cast<float>(i % 5);

  Dev<int> d_offsets(a.offsets), d_columns(a.columns);
  Dev<float> d_values(a.values), d_x(x), d_y(y), d_block(ones);

  hipsparseHandle_t handle;
  CUSPARSE_TRY(hipsparseCreate(&handle));
  hipsparseSpMatDescr_t mat;
  CUSPARSE_TRY(hipsparseCreateCsr(&mat, n, n, a.nnz(), *d_offsets, *d_columns, *d_values,
                                 HIPSPARSE_INDEX_32I, HIPSPARSE_INDEX_32I, HIPSPARSE_INDEX_BASE_ZERO,
                                 HIP_R_32F));

  // y = 2*A*x - y, with the first column of x as the vector
  hipsparseDnVecDescr_t vec_x, vec_y;
  CUSPARSE_TRY(hipsparseCreateDnVec(&vec_x, n, *d_x, HIP_R_32F));
  CUSPARSE_TRY(hipsparseCreateDnVec(&vec_y, n, *d_y, HIP_R_32F));
  float alpha = 2.0f, beta = -1.0f;
  size_t bytes = 0;
  CUSPARSE_TRY(hipsparseSpMV_bufferSize(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, &alpha, mat, vec_x,
                                       &beta, vec_y, HIP_R_32F, HIPSPARSE_SPMV_ALG_DEFAULT, &bytes));
  Dev<char> spmv_buffer(bytes);
  CUSPARSE_TRY(hipsparseSpMV(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, &alpha, mat, vec_x, &beta,
                            vec_y, HIP_R_32F, HIPSPARSE_SPMV_ALG_DEFAULT, *spmv_buffer));
  CUDA_TRY(hipDeviceSynchronize());

  int wrong = 0;
  long checksum = 0;
  vector<float> got = d_y.host(), want = multiply(a, x.data());
  for (int i = 0; i < n; ++i) {
    wrong += got[i] != 2.0f * want[i] - y[i];
    checksum += static_cast<long>(got[i]) * (i % 11);
  }
  std::cout << "rows " << n << " nonzeros " << a.nnz() << "\n";
  std::cout << "spmv checksum " << checksum << " wrong " << wrong << "\n";

  // Y = A*X for a column-major block of vectors
  hipsparseDnMatDescr_t mat_x, mat_y;
  CUSPARSE_TRY(hipsparseCreateDnMat(&mat_x, n, block, n, *d_x, HIP_R_32F, HIPSPARSE_ORDER_COL));
  CUSPARSE_TRY(hipsparseCreateDnMat(&mat_y, n, block, n, *d_block, HIP_R_32F, HIPSPARSE_ORDER_COL));
  alpha = 1.0f;
  beta = 0.0f;
  CUSPARSE_TRY(hipsparseSpMM_bufferSize(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE,
                                       HIPSPARSE_OPERATION_NON_TRANSPOSE, &alpha, mat, mat_x, &beta,
                                       mat_y, HIP_R_32F, HIPSPARSE_SPMM_ALG_DEFAULT, &bytes));
  Dev<char> spmm_buffer(bytes);
  CUSPARSE_TRY(hipsparseSpMM(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE,
                            HIPSPARSE_OPERATION_NON_TRANSPOSE, &alpha, mat, mat_x, &beta, mat_y,
                            HIP_R_32F, HIPSPARSE_SPMM_ALG_DEFAULT, *spmm_buffer));
  CUDA_TRY(hipDeviceSynchronize());

  int wrong_block = 0;
  checksum = 0;
  vector<float> got_block = d_block.host();
  for (int c = 0; c < block; ++c) {
    want = multiply(a, x.data() + c * n);
    for (int i = 0; i < n; ++i) {
      wrong_block += got_block[c * n + i] != want[i];
      checksum += static_cast<long>(got_block[c * n + i]) * (1 + (c + i) % 7);
    }
  }
  std::cout << "spmm columns " << block << " checksum " << checksum << " wrong " << wrong_block << "\n";

  CUSPARSE_TRY(hipsparseDestroyDnMat(mat_y));
  CUSPARSE_TRY(hipsparseDestroyDnMat(mat_x));
  CUSPARSE_TRY(hipsparseDestroyDnVec(vec_y));
  CUSPARSE_TRY(hipsparseDestroyDnVec(vec_x));
  CUSPARSE_TRY(hipsparseDestroySpMat(mat));
  CUSPARSE_TRY(hipsparseDestroy(handle));
  return wrong + wrong_block;
}

int main() {
  try {
    const bool ok = run() == 0;
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::runtime_error& e) {
    std::cerr << e.what() << std::endl;
    std::cout << "FAIL" << std::endl;
    return EXIT_FAILURE;
  }
}
