// HIP's tables of constants are const.
// defines: hiprandGetScrambleConstants32 hiprandGetScrambleConstants64
#if defined(__cplusplus)
static inline curandStatus_t hiprandGetScrambleConstants32(const unsigned int **constants) {
    return curandGetScrambleConstants32(const_cast<unsigned int **>(constants));
}
static inline curandStatus_t hiprandGetScrambleConstants64(const unsigned long long **constants) {
    return curandGetScrambleConstants64(const_cast<unsigned long long **>(constants));
}
#else
#define hiprandGetScrambleConstants32 curandGetScrambleConstants32
#define hiprandGetScrambleConstants64 curandGetScrambleConstants64
#endif
