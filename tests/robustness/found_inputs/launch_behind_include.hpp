#include "a.h"
<<<blocks, stream>>>()
void stays() { cudaNotYetKnown(); }
