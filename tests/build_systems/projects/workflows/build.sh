#!/bin/sh
nvcc --use_fast_math -arch=native halve.cu -o halve
