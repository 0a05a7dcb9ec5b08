#define DOWN(...) __shfl_down_sync(0xffffffff, __VA_ARGS__)
#define UP(m, args...) __shfl_up_sync(m, args...)
#define HERE(...) __shfl_down(__VA_ARGS__)
