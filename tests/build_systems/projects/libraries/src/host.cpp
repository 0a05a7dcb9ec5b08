#include "../include/math.hpp"

cublasStatus_t create(cublasHandle_t *handle) { return cublasCreate(handle); }
