#!/usr/bin/env bash
# Builds the program: ./build.sh [debug]. It needs nvcc of CUDA 11 or later.
set -euo pipefail

: "${ROCM_PATH:=/opt/rocm}"
export PATH="$ROCM_PATH/bin:$PATH"
export LD_LIBRARY_PATH=/opt/rocm/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

if ! command -v hipcc > /dev/null; then
    echo "nvcc was not found in $ROCM_PATH/bin" >&2
    exit 1
fi

MODE="-O3"
if [ "${1:-}" = debug ]; then
    MODE="-g"
fi

# The kernels, for two generations of GPUs.
hipcc $MODE -std=c++17 -gline-tables-only \
    -Wall -Wextra \
    -c scale.cu -o scale.o
hipcc $MODE main.cu scale.o -o scale   # links cudart by itself
echo "built ./scale with nvcc"
