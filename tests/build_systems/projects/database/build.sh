#!/bin/sh
nvcc -std=c++17 -Iinclude -DSCALE=3 -gencode arch=compute_80,code=sm_80 -Xcompiler -Wall scale.cu main.cpp -o scale
