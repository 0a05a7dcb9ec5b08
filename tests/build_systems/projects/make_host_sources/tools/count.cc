#include <cuda_runtime.h>
#include <string.h>
int main() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : strlen("none");
}
