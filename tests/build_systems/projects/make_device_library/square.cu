#include "square.h"
__device__ float square(float value) { return value * value; }
