asm("{.reg.pred p;"".reg.b32 t1;""setp.eq.u32 p,2,%4""}":"r"([]):"r"([]),"r"([]),"r"([]),"n"(cutlass::gone))
