// The softmax of each row of a matrix.
#pragma once

#include <cuda_runtime.h>

/// Replaces each of `rows` rows of `columns` floats by its softmax, on `stream`.
cudaError_t softmax_rows(float *matrix, int rows, int columns, cudaStream_t stream);
