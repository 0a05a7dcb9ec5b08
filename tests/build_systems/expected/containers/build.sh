#!/bin/sh
hipcc -O2 fill.cu -o fill
