#ifdef CUB_USE_COOPERATIVE_GROUPS#asm("{\n.reg.pred p;\n"#ifdef CUB_USE_COOPERATIVE_GROUPS
    "vote.ballot.sync.b32%0,p,0xffffffff"#endif
    "}\n":"r"():"r"(),"r"())
