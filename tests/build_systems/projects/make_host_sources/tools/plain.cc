#include <string.h>
int main() { return strlen(""); }
