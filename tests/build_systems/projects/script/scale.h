#pragma once
void scale(float *values, float factor, int count);
