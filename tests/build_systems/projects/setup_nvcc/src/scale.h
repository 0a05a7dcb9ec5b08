#pragma once

int scale(float* values, float factor, int count);
int sum(const float* values, int count, float* result);
