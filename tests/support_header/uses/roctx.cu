#include "hipify_support.hpp"

#if !defined(__NVCC__)
int work() {
    roctxMarkA("begin");
    roctxRangePushA("outer");
    const roctx_range_id_t range = roctxRangeStartA("inner");
    roctxRangeStop(range);
    return roctxRangePop();
}
#endif
