#include<nvToolsExt.h>
namespace nvtx3{NVTX3_FUNC_RANGE_IN
