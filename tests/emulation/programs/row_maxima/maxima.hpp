#pragma once
template <class T> void maxima(const T *in, int rows, int length, T *out, int threads);
