f(){uint32_t thread_succeed=__ballot_sync(, .);
