__device__ load_and_stage(<
                            ><<<0,stream>>>(){