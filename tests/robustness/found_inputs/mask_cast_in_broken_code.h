#if(__shfl_sync(mask, x)
__ballot_sync(int)
unsigned __match_any_sync(set);
<>__ballot_sync(real, x)
#__shfl_sync(nullptr, x, 0)
