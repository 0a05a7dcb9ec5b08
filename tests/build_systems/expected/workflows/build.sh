#!/bin/sh
hipcc -ffast-math halve.cu -o halve
