#include <cuda/functional>
::cuda::std::of_no_table_t f();
::cudaError_t g();
