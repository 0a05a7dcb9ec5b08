#if __CUDA_ARCH__
    asm ("{\n\t.reg.pred%px;\n\t""elect.sync _|px,1\t""}\n":"r"():"r"())__shfl_sync
