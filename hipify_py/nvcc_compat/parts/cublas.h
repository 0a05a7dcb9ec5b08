#include <cuda_bf16.h>
#include <cuda_fp16.h>
// hipBLAS has names of its own for the numbers that it takes.
#define hipblasHalf __half
#define hipblasBfloat16 __nv_bfloat16
#define hipblasInt8 signed char
#define hipblasComplex cuComplex
#define hipblasDoubleComplex cuDoubleComplex
#define hipblasStride long long
#define hipblasDatatype_t cudaDataType
#define hipblasLibraryProperty_t libraryPropertyType
// Of ROCm 5, before it took those of the runtime.
#define HIPBLAS_R_16F CUDA_R_16F
#define HIPBLAS_R_32F CUDA_R_32F
#define HIPBLAS_R_64F CUDA_R_64F
#define HIPBLAS_R_8I CUDA_R_8I
#define HIPBLAS_R_32I CUDA_R_32I
#define HIPBLAS_C_32F CUDA_C_32F
#define HIPBLAS_C_64F CUDA_C_64F
