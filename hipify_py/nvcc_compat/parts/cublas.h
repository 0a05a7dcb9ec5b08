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
