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

/// An argument as a function with a handle takes it: letters as enumerators, numbers behind pointers.
template <class To, class From>
struct Passed {
    static To as(From& value) { return static_cast<To>(value); }
};
template <class To, class From>
struct Passed<To*, From> {
    static To* as(From& value) { return (To*)&value; }
};
template <class To, class From>
struct Passed<To*, From*> {
    static To* as(From*& value) { return (To*)value; }
};
template <>
struct Passed<operation_type, char> {
    static operation_type as(char letter) {
        if (letter == 'T' || letter == 't') return HIPIFY_BLAS_VALUE(OP_T);
        return letter == 'C' || letter == 'c' ? HIPIFY_BLAS_VALUE(OP_C) : HIPIFY_BLAS_VALUE(OP_N);
    }
};
template <>
struct Passed<fill_type, char> {
    static fill_type as(char letter) {
        bool upper = letter == 'U' || letter == 'u';
        return upper ? HIPIFY_BLAS_VALUE(FILL_MODE_UPPER) : HIPIFY_BLAS_VALUE(FILL_MODE_LOWER);
    }
};
template <>
struct Passed<side_type, char> {
    static side_type as(char letter) {
        bool right = letter == 'R' || letter == 'r';
        return right ? HIPIFY_BLAS_VALUE(SIDE_RIGHT) : HIPIFY_BLAS_VALUE(SIDE_LEFT);
    }
};
template <>
struct Passed<diagonal_type, char> {
    static diagonal_type as(char letter) {
        bool unit = letter == 'U' || letter == 'u';
        return unit ? HIPIFY_BLAS_VALUE(DIAG_UNIT) : HIPIFY_BLAS_VALUE(DIAG_NON_UNIT);
    }
};

template <class... To, class... From>
void run(status_type (*function)(handle_type, To...), From... values) {
    status_type status = context().start();
    if (status == HIPIFY_BLAS_VALUE(STATUS_SUCCESS)) {
        status = function(context().handle, Passed<To, From>::as(values)...);
    }
    note(status);
}

#define HIPIFY_BLAS_CALL(name)                    \
    template <class... Values>                    \
    void name(Values... values) {                 \
        run(HIPIFY_BLAS(name), values...);        \
    }
#define HIPIFY_BLAS_RESULT(type, name)            \
    template <class... Values>                    \
    type name(Values... values) {                 \
        type result{};                            \
        run(HIPIFY_BLAS(name), values..., &result); \
        return result;                            \
    }
/// The product with a triangular matrix overwrites an operand.
#define HIPIFY_BLAS_IN_PLACE(name)                                                                                  \
    template <class Number>                                                                                         \
    void name(char side, char fill, char operation, char diagonal, int m, int n, Number alpha, const Number* a, int lda, \
              Number* b, int ldb) {                                                                                 \
        run(HIPIFY_BLAS(name), side, fill, operation, diagonal, m, n, alpha, a, lda, b, ldb, b, ldb);               \
    }
#define HIPIFY_BLAS_OF(S)   \
    HIPIFY_BLAS_CALL(S##axpy) HIPIFY_BLAS_CALL(S##copy) HIPIFY_BLAS_CALL(S##gbmv) HIPIFY_BLAS_CALL(S##gemm) \
    HIPIFY_BLAS_CALL(S##gemv) HIPIFY_BLAS_CALL(S##rot) HIPIFY_BLAS_CALL(S##rotg) HIPIFY_BLAS_CALL(S##scal)  \
    HIPIFY_BLAS_CALL(S##swap) HIPIFY_BLAS_CALL(S##symm) HIPIFY_BLAS_CALL(S##syr2k) HIPIFY_BLAS_CALL(S##syrk) \
    HIPIFY_BLAS_CALL(S##tbmv) HIPIFY_BLAS_CALL(S##tbsv) HIPIFY_BLAS_CALL(S##tpmv) HIPIFY_BLAS_CALL(S##tpsv) \
    HIPIFY_BLAS_CALL(S##trmv) HIPIFY_BLAS_CALL(S##trsm) HIPIFY_BLAS_CALL(S##trsv) HIPIFY_BLAS_IN_PLACE(S##trmm)
#define HIPIFY_BLAS_OF_REAL(S, type)                                                                          \
    HIPIFY_BLAS_OF(S)                                                                                         \
    HIPIFY_BLAS_CALL(S##ger) HIPIFY_BLAS_CALL(S##rotm) HIPIFY_BLAS_CALL(S##rotmg) HIPIFY_BLAS_CALL(S##sbmv)   \
    HIPIFY_BLAS_CALL(S##spmv) HIPIFY_BLAS_CALL(S##spr) HIPIFY_BLAS_CALL(S##spr2) HIPIFY_BLAS_CALL(S##symv)    \
    HIPIFY_BLAS_CALL(S##syr) HIPIFY_BLAS_CALL(S##syr2) HIPIFY_BLAS_RESULT(type, S##asum)                      \
    HIPIFY_BLAS_RESULT(type, S##dot) HIPIFY_BLAS_RESULT(type, S##nrm2)
#define HIPIFY_BLAS_OF_COMPLEX(S, type)                                                                       \
    HIPIFY_BLAS_OF(S)                                                                                         \
    HIPIFY_BLAS_CALL(S##gerc) HIPIFY_BLAS_CALL(S##geru) HIPIFY_BLAS_CALL(S##hbmv) HIPIFY_BLAS_CALL(S##hemm)   \
    HIPIFY_BLAS_CALL(S##hemv) HIPIFY_BLAS_CALL(S##her) HIPIFY_BLAS_CALL(S##her2) HIPIFY_BLAS_CALL(S##her2k)   \
    HIPIFY_BLAS_CALL(S##herk) HIPIFY_BLAS_CALL(S##hpmv) HIPIFY_BLAS_CALL(S##hpr) HIPIFY_BLAS_CALL(S##hpr2)    \
    HIPIFY_BLAS_RESULT(type, S##dotc) HIPIFY_BLAS_RESULT(type, S##dotu)

HIPIFY_BLAS_OF_REAL(S, float)
HIPIFY_BLAS_OF_REAL(D, double)
HIPIFY_BLAS_OF_COMPLEX(C, complex_type)
HIPIFY_BLAS_OF_COMPLEX(Z, double_complex_type)
HIPIFY_BLAS_CALL(Csrot)
HIPIFY_BLAS_CALL(Zdrot)
HIPIFY_BLAS_CALL(Csscal)
HIPIFY_BLAS_CALL(Zdscal)
HIPIFY_BLAS_RESULT(float, Scasum)
HIPIFY_BLAS_RESULT(double, Dzasum)
HIPIFY_BLAS_RESULT(float, Scnrm2)
HIPIFY_BLAS_RESULT(double, Dznrm2)
HIPIFY_BLAS_RESULT(int, Isamax)
HIPIFY_BLAS_RESULT(int, Idamax)
HIPIFY_BLAS_RESULT(int, Icamax)
HIPIFY_BLAS_RESULT(int, Izamax)
HIPIFY_BLAS_RESULT(int, Isamin)
HIPIFY_BLAS_RESULT(int, Idamin)
HIPIFY_BLAS_RESULT(int, Icamin)
HIPIFY_BLAS_RESULT(int, Izamin)

#undef HIPIFY_BLAS_CALL
#undef HIPIFY_BLAS_RESULT
#undef HIPIFY_BLAS_IN_PLACE
#undef HIPIFY_BLAS_OF
#undef HIPIFY_BLAS_OF_REAL
#undef HIPIFY_BLAS_OF_COMPLEX

}  // namespace blas
}  // namespace hipify

#undef HIPIFY_BLAS
#undef HIPIFY_BLAS_VALUE
