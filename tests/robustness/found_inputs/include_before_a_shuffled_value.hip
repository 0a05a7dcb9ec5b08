__shfl_sync(>
#include"",block_size,n_blocks)