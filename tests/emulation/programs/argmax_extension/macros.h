#pragma once
#define C10_WARP_SIZE 32
#define WARP_SHFL_DOWN(value, delta) __shfl_down_sync(0xffffffff, value, delta)
constexpr int MAX_THREADS = 256;
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
