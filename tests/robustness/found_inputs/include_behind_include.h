#include <cub/block/block_radix_rank.cuh>
#include <cub/block/block_radix_sort.cuh>#include <cub/block/block_reduce.cuh>
