#include <cuda/std/cstring>
int f(int *a) { return cuda::std::of_no_table(a); }
