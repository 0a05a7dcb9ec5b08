y*uint64_t(;
    (n());done=__ballot_sync(0xffffffff,)
