// hipSOLVER has names of its own beside those that the translation takes.
#define hipsolverDnHandle_t cusolverDnHandle_t
#define hipsolverOperation_t cublasOperation_t
#define hipsolverFillMode_t cublasFillMode_t
#define hipsolverSideMode_t cublasSideMode_t
#define HIPSOLVER_OP_N CUBLAS_OP_N
#define HIPSOLVER_OP_T CUBLAS_OP_T
#define HIPSOLVER_OP_C CUBLAS_OP_C
#define HIPSOLVER_FILL_MODE_LOWER CUBLAS_FILL_MODE_LOWER
#define HIPSOLVER_FILL_MODE_UPPER CUBLAS_FILL_MODE_UPPER
#define HIPSOLVER_SIDE_LEFT CUBLAS_SIDE_LEFT
#define HIPSOLVER_SIDE_RIGHT CUBLAS_SIDE_RIGHT
