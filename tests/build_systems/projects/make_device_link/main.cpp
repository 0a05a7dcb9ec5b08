#include "run.h"

int main()
{
    return run(256);
}
