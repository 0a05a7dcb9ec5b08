#include "curand.h"
void stays() { cudaNotYetKnown(); }
