/* Vector operations done with the driver API alone; see vector_engine.cpp. */
#ifndef VECTOR_ENGINE_H
#define VECTOR_ENGINE_H

struct engine;

struct engine *engine_open(void);
void engine_close(struct engine *eng);

/* y = a*x + b*y */
bool engine_axpby(struct engine *eng, float a, float *x, float b, float *y, int n);

/* *result = max |x[i]| */
bool engine_max_abs(struct engine *eng, float *x, int n, float *result);

#endif
