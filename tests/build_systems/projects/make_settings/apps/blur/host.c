int passes(void) { return 2; }
