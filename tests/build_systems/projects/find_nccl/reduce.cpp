#include <cuda_runtime.h>
#include <nccl.h>

int main()
{
    ncclUniqueId id;
    return ncclGetUniqueId(&id);
}
