#ifndef GUARDED_H
#define GUARDED_H

#include <hip/hip_runtime_api.h>

/* cudaStream_t in a comment, k<<<1, 2>>>() too. */
hipError_t launch(hipStream_t stream);

#endif
