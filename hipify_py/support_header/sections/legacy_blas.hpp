// brings: HIPBLAS
// The functions of cuBLAS's first interface (cublas.h), which take no handle, implemented by those that take one.
// Source: cuBLAS documentation, "Using the cuBLAS Legacy API"; hipBLAS documentation, API reference.
#if defined(__NVCC__)
#include <cublas_v2.h>
#define HIPIFY_BLAS(name) cublas##name##_v2
#define HIPIFY_BLAS_VALUE(name) CUBLAS_##name
#else
#include <hip/hip_complex.h>
#include <hip/hip_runtime_api.h>
#include <hipblas/hipblas.h>
#define HIPIFY_BLAS(name) hipblas##name
#define HIPIFY_BLAS_VALUE(name) HIPBLAS_##name
#endif

namespace hipify {
namespace blas {

#if defined(__NVCC__)
using handle_type = cublasHandle_t;
using status_type = cublasStatus_t;
using operation_type = cublasOperation_t;
using fill_type = cublasFillMode_t;
using side_type = cublasSideMode_t;
using diagonal_type = cublasDiagType_t;
using stream_type = cudaStream_t;
using complex_type = cuComplex;
using double_complex_type = cuDoubleComplex;
#else
using handle_type = hipblasHandle_t;
using status_type = hipblasStatus_t;
using operation_type = hipblasOperation_t;
using fill_type = hipblasFillMode_t;
using side_type = hipblasSideMode_t;
using diagonal_type = hipblasDiagType_t;
using stream_type = hipStream_t;
using complex_type = hipFloatComplex;
using double_complex_type = hipDoubleComplex;
#endif

/// A thread's handle, made when it is first needed, and the last error of its calls.
struct Context {
    handle_type handle = nullptr;
    status_type error = HIPIFY_BLAS_VALUE(STATUS_SUCCESS);

    status_type start() {
        return handle == nullptr ? HIPIFY_BLAS(Create)(&handle) : HIPIFY_BLAS_VALUE(STATUS_SUCCESS);
    }
};

inline Context& context() {
    static thread_local Context own;
    return own;
}

inline void note(status_type status) {
    if (status != HIPIFY_BLAS_VALUE(STATUS_SUCCESS)) context().error = status;
}

/// cublasInit
inline status_type Init() { return context().start(); }

/// cublasShutdown
inline status_type Shutdown() {
    handle_type handle = context().handle;
    context().handle = nullptr;
    return handle == nullptr ? HIPIFY_BLAS_VALUE(STATUS_NOT_INITIALIZED) : HIPIFY_BLAS(Destroy)(handle);
}

/// cublasGetError: the last error, which it forgets.
inline status_type GetError() {
    status_type error = context().error;
    context().error = HIPIFY_BLAS_VALUE(STATUS_SUCCESS);
    return error;
}

/// cublasSetKernelStream
inline status_type SetKernelStream(stream_type stream) {
    status_type status = context().start();
    return status == HIPIFY_BLAS_VALUE(STATUS_SUCCESS) ? HIPIFY_BLAS(SetStream)(context().handle, stream) : status;
}

/// cublasAlloc
inline status_type Alloc(int count, int size, void** pointer) {
    if (count <= 0 || size <= 0) return HIPIFY_BLAS_VALUE(STATUS_INVALID_VALUE);
    size_t bytes = static_cast<size_t>(count) * static_cast<size_t>(size);
#if defined(__NVCC__)
    return cudaMalloc(pointer, bytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
#else
    return hipMalloc(pointer, bytes) == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_ALLOC_FAILED;
#endif
}

/// cublasFree
inline status_type Free(const void* pointer) {
#if defined(__NVCC__)
    return cudaFree(const_cast<void*>(pointer)) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
#else
    return hipFree(const_cast<void*>(pointer)) == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_INTERNAL_ERROR;
#endif
}

/// What a letter of the first interface stands for among the enumerators of the second.
template <class To>
struct Letter;
template <>
struct Letter<operation_type> {
    static operation_type meaning(char letter) {
        if (letter == 'T' || letter == 't') return HIPIFY_BLAS_VALUE(OP_T);
        return letter == 'C' || letter == 'c' ? HIPIFY_BLAS_VALUE(OP_C) : HIPIFY_BLAS_VALUE(OP_N);
    }
};
template <>
struct Letter<fill_type> {
    static fill_type meaning(char letter) {
        bool upper = letter == 'U' || letter == 'u';
        return upper ? HIPIFY_BLAS_VALUE(FILL_MODE_UPPER) : HIPIFY_BLAS_VALUE(FILL_MODE_LOWER);
    }
};
template <>
struct Letter<side_type> {
    static side_type meaning(char letter) {
        bool right = letter == 'R' || letter == 'r';
        return right ? HIPIFY_BLAS_VALUE(SIDE_RIGHT) : HIPIFY_BLAS_VALUE(SIDE_LEFT);
    }
};
template <>
struct Letter<diagonal_type> {
    static diagonal_type meaning(char letter) {
        bool unit = letter == 'U' || letter == 'u';
        return unit ? HIPIFY_BLAS_VALUE(DIAG_UNIT) : HIPIFY_BLAS_VALUE(DIAG_NON_UNIT);
    }
};

/// An argument as a function with a handle takes it. Its type is that of cublas.h, to which the call has converted it:
/// other pointers than these, and other numbers, do not get here.
template <class To, class From>
struct Passed;
template <class Same>
struct Passed<Same, Same> {
    static Same as(Same value) { return value; }
};
template <class To>
struct Passed<To, char> {
    static To as(char letter) { return Letter<To>::meaning(letter); }
};
template <class Same>
struct Passed<Same*, Same*> {
    static Same* as(Same* pointer) { return pointer; }
};
template <class Same>
struct Passed<const Same*, Same*> {
    static const Same* as(Same* pointer) { return pointer; }
};
/// hipBLAS has complex types of its own in some versions, which are laid out alike.
template <class To, class From>
struct Passed<To*, From*> {
    static_assert(sizeof(To) == sizeof(From), "complex numbers of one size");
    static To* as(From* pointer) { return (To*)pointer; }
};

template <class... To, class... From>
void run(status_type (*function)(handle_type, To...), From... values) {
    status_type status = context().start();
    if (status == HIPIFY_BLAS_VALUE(STATUS_SUCCESS)) {
        status = function(context().handle, Passed<To, From>::as(values)...);
    }
    note(status);
}

/// The functions with the parameters of cublas.h, for numbers T whose absolute values are of type R. The product with a
/// triangular matrix overwrites an operand.
#define HIPIFY_BLAS_OF(S, lower, T, R)                                                                                 \
    inline void S##axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {                                        \
        run(HIPIFY_BLAS(S##axpy), n, &alpha, x, incx, y, incy);                                                        \
    }                                                                                                                  \
    inline void S##copy(int n, const T* x, int incx, T* y, int incy) {                                                 \
        run(HIPIFY_BLAS(S##copy), n, x, incx, y, incy);                                                                \
    }                                                                                                                  \
    inline void S##scal(int n, T alpha, T* x, int incx) {                                                              \
        run(HIPIFY_BLAS(S##scal), n, &alpha, x, incx);                                                                 \
    }                                                                                                                  \
    inline void S##swap(int n, T* x, int incx, T* y, int incy) {                                                       \
        run(HIPIFY_BLAS(S##swap), n, x, incx, y, incy);                                                                \
    }                                                                                                                  \
    inline void S##rot(int n, T* x, int incx, T* y, int incy, R c, T s) {                                              \
        run(HIPIFY_BLAS(S##rot), n, x, incx, y, incy, &c, &s);                                                         \
    }                                                                                                                  \
    inline int I##lower##amax(int n, const T* x, int incx) {                                                           \
        int result{};                                                                                                  \
        run(HIPIFY_BLAS(I##lower##amax), n, x, incx, &result);                                                         \
        return result;                                                                                                 \
    }                                                                                                                  \
    inline int I##lower##amin(int n, const T* x, int incx) {                                                           \
        int result{};                                                                                                  \
        run(HIPIFY_BLAS(I##lower##amin), n, x, incx, &result);                                                         \
        return result;                                                                                                 \
    }                                                                                                                  \
    inline void S##gbmv(char operation, int m, int n, int kl, int ku, T alpha, const T* a, int lda, const T* x,        \
        int incx, T beta, T* y, int incy) {                                                                            \
        run(HIPIFY_BLAS(S##gbmv), operation, m, n, kl, ku, &alpha, a, lda, x, incx, &beta, y, incy);                   \
    }                                                                                                                  \
    inline void S##gemv(char operation, int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta,      \
        T* y, int incy) {                                                                                              \
        run(HIPIFY_BLAS(S##gemv), operation, m, n, &alpha, a, lda, x, incx, &beta, y, incy);                           \
    }                                                                                                                  \
    inline void S##tbmv(char fill, char operation, char diagonal, int n, int k, const T* a, int lda, T* x, int incx) { \
        run(HIPIFY_BLAS(S##tbmv), fill, operation, diagonal, n, k, a, lda, x, incx);                                   \
    }                                                                                                                  \
    inline void S##tbsv(char fill, char operation, char diagonal, int n, int k, const T* a, int lda, T* x, int incx) { \
        run(HIPIFY_BLAS(S##tbsv), fill, operation, diagonal, n, k, a, lda, x, incx);                                   \
    }                                                                                                                  \
    inline void S##tpmv(char fill, char operation, char diagonal, int n, const T* a, T* x, int incx) {                 \
        run(HIPIFY_BLAS(S##tpmv), fill, operation, diagonal, n, a, x, incx);                                           \
    }                                                                                                                  \
    inline void S##tpsv(char fill, char operation, char diagonal, int n, const T* a, T* x, int incx) {                 \
        run(HIPIFY_BLAS(S##tpsv), fill, operation, diagonal, n, a, x, incx);                                           \
    }                                                                                                                  \
    inline void S##trmv(char fill, char operation, char diagonal, int n, const T* a, int lda, T* x, int incx) {        \
        run(HIPIFY_BLAS(S##trmv), fill, operation, diagonal, n, a, lda, x, incx);                                      \
    }                                                                                                                  \
    inline void S##trsv(char fill, char operation, char diagonal, int n, const T* a, int lda, T* x, int incx) {        \
        run(HIPIFY_BLAS(S##trsv), fill, operation, diagonal, n, a, lda, x, incx);                                      \
    }                                                                                                                  \
    inline void S##gemm(char of_a, char of_b, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb,  \
        T beta, T* c, int ldc) {                                                                                       \
        run(HIPIFY_BLAS(S##gemm), of_a, of_b, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);                         \
    }                                                                                                                  \
    inline void S##symm(char side, char fill, int m, int n, T alpha, const T* a, int lda, const T* b, int ldb,         \
        T beta, T* c, int ldc) {                                                                                       \
        run(HIPIFY_BLAS(S##symm), side, fill, m, n, &alpha, a, lda, b, ldb, &beta, c, ldc);                            \
    }                                                                                                                  \
    inline void S##syrk(char fill, char operation, int n, int k, T alpha, const T* a, int lda, T beta, T* c,           \
        int ldc) {                                                                                                     \
        run(HIPIFY_BLAS(S##syrk), fill, operation, n, k, &alpha, a, lda, &beta, c, ldc);                               \
    }                                                                                                                  \
    inline void S##syr2k(char fill, char operation, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb,   \
        T beta, T* c, int ldc) {                                                                                       \
        run(HIPIFY_BLAS(S##syr2k), fill, operation, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);                      \
    }                                                                                                                  \
    inline void S##trmm(char side, char fill, char operation, char diagonal, int m, int n, T alpha, const T* a,        \
        int lda, T* b, int ldb) {                                                                                      \
        run(HIPIFY_BLAS(S##trmm), side, fill, operation, diagonal, m, n, &alpha, a, lda, b, ldb, b, ldb);              \
    }                                                                                                                  \
    inline void S##trsm(char side, char fill, char operation, char diagonal, int m, int n, T alpha, const T* a,        \
        int lda, T* b, int ldb) {                                                                                      \
        run(HIPIFY_BLAS(S##trsm), side, fill, operation, diagonal, m, n, &alpha, a, lda, b, ldb);                      \
    }
#define HIPIFY_BLAS_OF_REAL(S, lower, T)                                                                           \
    HIPIFY_BLAS_OF(S, lower, T, T)                                                                                 \
    inline void S##rotg(T* a, T* b, T* c, T* s) {                                                                  \
        run(HIPIFY_BLAS(S##rotg), a, b, c, s);                                                                     \
    }                                                                                                              \
    inline void S##rotm(int n, T* x, int incx, T* y, int incy, const T* param) {                                   \
        run(HIPIFY_BLAS(S##rotm), n, x, incx, y, incy, param);                                                     \
    }                                                                                                              \
    inline void S##rotmg(T* d1, T* d2, T* x1, const T* y1, T* param) {                                             \
        run(HIPIFY_BLAS(S##rotmg), d1, d2, x1, y1, param);                                                         \
    }                                                                                                              \
    inline T S##asum(int n, const T* x, int incx) {                                                                \
        T result{};                                                                                                \
        run(HIPIFY_BLAS(S##asum), n, x, incx, &result);                                                            \
        return result;                                                                                             \
    }                                                                                                              \
    inline T S##nrm2(int n, const T* x, int incx) {                                                                \
        T result{};                                                                                                \
        run(HIPIFY_BLAS(S##nrm2), n, x, incx, &result);                                                            \
        return result;                                                                                             \
    }                                                                                                              \
    inline T S##dot(int n, const T* x, int incx, const T* y, int incy) {                                           \
        T result{};                                                                                                \
        run(HIPIFY_BLAS(S##dot), n, x, incx, y, incy, &result);                                                    \
        return result;                                                                                             \
    }                                                                                                              \
    inline void S##sbmv(char fill, int n, int k, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y, \
        int incy) {                                                                                                \
        run(HIPIFY_BLAS(S##sbmv), fill, n, k, &alpha, a, lda, x, incx, &beta, y, incy);                            \
    }                                                                                                              \
    inline void S##spmv(char fill, int n, T alpha, const T* a, const T* x, int incx, T beta, T* y, int incy) {     \
        run(HIPIFY_BLAS(S##spmv), fill, n, &alpha, a, x, incx, &beta, y, incy);                                    \
    }                                                                                                              \
    inline void S##symv(char fill, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y,        \
        int incy) {                                                                                                \
        run(HIPIFY_BLAS(S##symv), fill, n, &alpha, a, lda, x, incx, &beta, y, incy);                               \
    }                                                                                                              \
    inline void S##ger(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) {         \
        run(HIPIFY_BLAS(S##ger), m, n, &alpha, x, incx, y, incy, a, lda);                                          \
    }                                                                                                              \
    inline void S##spr(char fill, int n, T alpha, const T* x, int incx, T* a) {                                    \
        run(HIPIFY_BLAS(S##spr), fill, n, &alpha, x, incx, a);                                                     \
    }                                                                                                              \
    inline void S##spr2(char fill, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a) {             \
        run(HIPIFY_BLAS(S##spr2), fill, n, &alpha, x, incx, y, incy, a);                                           \
    }                                                                                                              \
    inline void S##syr(char fill, int n, T alpha, const T* x, int incx, T* a, int lda) {                           \
        run(HIPIFY_BLAS(S##syr), fill, n, &alpha, x, incx, a, lda);                                                \
    }                                                                                                              \
    inline void S##syr2(char fill, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) {    \
        run(HIPIFY_BLAS(S##syr2), fill, n, &alpha, x, incx, y, incy, a, lda);                                      \
    }
/// Some mix complex and real numbers: csrot and csscal have the letter of the `real` ones, scasum and scnrm2 are
/// `measured` in them.
#define HIPIFY_BLAS_OF_COMPLEX(S, lower, real, measured, T, R)                                                       \
    HIPIFY_BLAS_OF(S, lower, T, R)                                                                                   \
    inline void S##rotg(T* a, T b, R* c, T* s) {                                                                     \
        run(HIPIFY_BLAS(S##rotg), a, &b, c, s);                                                                      \
    }                                                                                                                \
    inline void S##real##rot(int n, T* x, int incx, T* y, int incy, R c, R s) {                                      \
        run(HIPIFY_BLAS(S##real##rot), n, x, incx, y, incy, &c, &s);                                                 \
    }                                                                                                                \
    inline void S##real##scal(int n, R alpha, T* x, int incx) {                                                      \
        run(HIPIFY_BLAS(S##real##scal), n, &alpha, x, incx);                                                         \
    }                                                                                                                \
    inline R measured##asum(int n, const T* x, int incx) {                                                           \
        R result{};                                                                                                  \
        run(HIPIFY_BLAS(measured##asum), n, x, incx, &result);                                                       \
        return result;                                                                                               \
    }                                                                                                                \
    inline R measured##nrm2(int n, const T* x, int incx) {                                                           \
        R result{};                                                                                                  \
        run(HIPIFY_BLAS(measured##nrm2), n, x, incx, &result);                                                       \
        return result;                                                                                               \
    }                                                                                                                \
    inline T S##dotc(int n, const T* x, int incx, const T* y, int incy) {                                            \
        T result{};                                                                                                  \
        run(HIPIFY_BLAS(S##dotc), n, x, incx, y, incy, &result);                                                     \
        return result;                                                                                               \
    }                                                                                                                \
    inline T S##dotu(int n, const T* x, int incx, const T* y, int incy) {                                            \
        T result{};                                                                                                  \
        run(HIPIFY_BLAS(S##dotu), n, x, incx, y, incy, &result);                                                     \
        return result;                                                                                               \
    }                                                                                                                \
    inline void S##hbmv(char fill, int n, int k, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y,   \
        int incy) {                                                                                                  \
        run(HIPIFY_BLAS(S##hbmv), fill, n, k, &alpha, a, lda, x, incx, &beta, y, incy);                              \
    }                                                                                                                \
    inline void S##hpmv(char fill, int n, T alpha, const T* a, const T* x, int incx, T beta, T* y, int incy) {       \
        run(HIPIFY_BLAS(S##hpmv), fill, n, &alpha, a, x, incx, &beta, y, incy);                                      \
    }                                                                                                                \
    inline void S##hemv(char fill, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y,          \
        int incy) {                                                                                                  \
        run(HIPIFY_BLAS(S##hemv), fill, n, &alpha, a, lda, x, incx, &beta, y, incy);                                 \
    }                                                                                                                \
    inline void S##gerc(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) {          \
        run(HIPIFY_BLAS(S##gerc), m, n, &alpha, x, incx, y, incy, a, lda);                                           \
    }                                                                                                                \
    inline void S##geru(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) {          \
        run(HIPIFY_BLAS(S##geru), m, n, &alpha, x, incx, y, incy, a, lda);                                           \
    }                                                                                                                \
    inline void S##hpr(char fill, int n, R alpha, const T* x, int incx, T* a) {                                      \
        run(HIPIFY_BLAS(S##hpr), fill, n, &alpha, x, incx, a);                                                       \
    }                                                                                                                \
    inline void S##hpr2(char fill, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a) {               \
        run(HIPIFY_BLAS(S##hpr2), fill, n, &alpha, x, incx, y, incy, a);                                             \
    }                                                                                                                \
    inline void S##her(char fill, int n, R alpha, const T* x, int incx, T* a, int lda) {                             \
        run(HIPIFY_BLAS(S##her), fill, n, &alpha, x, incx, a, lda);                                                  \
    }                                                                                                                \
    inline void S##her2(char fill, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) {      \
        run(HIPIFY_BLAS(S##her2), fill, n, &alpha, x, incx, y, incy, a, lda);                                        \
    }                                                                                                                \
    inline void S##hemm(char side, char fill, int m, int n, T alpha, const T* a, int lda, const T* b, int ldb,       \
        T beta, T* c, int ldc) {                                                                                     \
        run(HIPIFY_BLAS(S##hemm), side, fill, m, n, &alpha, a, lda, b, ldb, &beta, c, ldc);                          \
    }                                                                                                                \
    inline void S##herk(char fill, char operation, int n, int k, R alpha, const T* a, int lda, R beta, T* c,         \
        int ldc) {                                                                                                   \
        run(HIPIFY_BLAS(S##herk), fill, operation, n, k, &alpha, a, lda, &beta, c, ldc);                             \
    }                                                                                                                \
    inline void S##her2k(char fill, char operation, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, \
        R beta, T* c, int ldc) {                                                                                     \
        run(HIPIFY_BLAS(S##her2k), fill, operation, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);                    \
    }

HIPIFY_BLAS_OF_REAL(S, s, float)
HIPIFY_BLAS_OF_REAL(D, d, double)
HIPIFY_BLAS_OF_COMPLEX(C, c, s, Sc, complex_type, float)
HIPIFY_BLAS_OF_COMPLEX(Z, z, d, Dz, double_complex_type, double)

#undef HIPIFY_BLAS_OF
#undef HIPIFY_BLAS_OF_REAL
#undef HIPIFY_BLAS_OF_COMPLEX

}  // namespace blas
}  // namespace hipify

#undef HIPIFY_BLAS
#undef HIPIFY_BLAS_VALUE
