#pragma once/**
 */
__device__ int f();
#include "a.h"
