asm("shfl.sync.idx.b32 %0,1,0,0x1F,0xFFFFFFFF":"r"():"r"())__shfl_xor_sync(0xFFFFFFFF,,)
