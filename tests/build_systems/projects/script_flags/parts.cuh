#pragma once
extern __device__ float offsets[4];
__device__ float weight(float value);
