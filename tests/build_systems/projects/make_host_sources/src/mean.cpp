#include "sum.h"
int main() {
    float values[4] = {1, 2, 3, 4}, result = 0;
    return sum(values, 4, &result) == cudaSuccess && result == 10 ? 0 : 1;
}
