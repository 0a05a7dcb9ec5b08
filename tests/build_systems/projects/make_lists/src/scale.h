#ifdef __cplusplus
extern "C"
#endif
void scale(float *data, float by, int count);
