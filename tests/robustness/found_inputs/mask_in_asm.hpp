asm("{.reg.pred p;""vote.ballot.sync.b32%0,p,0xffffffff;\n""@p not.b32%0,0""}":"r"(),"r"())CUB_NAMESPACE_END
