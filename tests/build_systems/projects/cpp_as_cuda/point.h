#pragma once

#if defined(__CUDACC__)
#define BOTH_SIDES __host__ __device__ __forceinline__
#else
#define BOTH_SIDES inline
#endif

struct Point {
    BOTH_SIDES Point(float x, float y) : x(x), y(y) {}
    BOTH_SIDES float length2() const { return x * x + y * y; }
    float x, y;
};

float filled(Point point);
