CUB_MIN(;
#include<cuda/>)