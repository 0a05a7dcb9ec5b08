#pragma once
#include <cuda_runtime.h>
void sum(const int *in, int n, int *out);
void ranks(const int *in, int n, int *out);
