#!/bin/sh
nvcc -O2 -Xptxas -v fill.cu -o fill
