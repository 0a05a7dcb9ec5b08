#!/bin/sh
hipcc -std=c++17 -Iinclude -DSCALE=3 -Wall scale.cu main.cpp -o scale
