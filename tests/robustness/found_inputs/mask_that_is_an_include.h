__shfl_sync(
#include"")