#pragma once
void scale(float *values);
