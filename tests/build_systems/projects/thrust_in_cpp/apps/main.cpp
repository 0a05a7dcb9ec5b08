#include <sums/total.hpp>

int main() { return total(3) == 3 ? 0 : 1; }
