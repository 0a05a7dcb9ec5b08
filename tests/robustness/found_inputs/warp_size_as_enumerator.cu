#include <cublas_v2.h>
enum { a = warpSize };
