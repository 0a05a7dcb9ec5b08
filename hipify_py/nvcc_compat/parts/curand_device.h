// HIP has a name of its own for numbers of 64 bits.
#define hiprand_long_long curand
