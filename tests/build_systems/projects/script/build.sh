#!/usr/bin/env bash
# Builds the program: ./build.sh [debug]. It needs nvcc of CUDA 11 or later.
set -euo pipefail

: "${CUDA_HOME:=/usr/local/cuda}"
export PATH="$CUDA_HOME/bin:$PATH"
export LD_LIBRARY_PATH=/usr/local/cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

if ! command -v nvcc > /dev/null; then
    echo "nvcc was not found in $CUDA_HOME/bin" >&2
    exit 1
fi

MODE="-O3"
if [ "${1:-}" = debug ]; then
    MODE="-g"
fi

# The kernels, for two generations of GPUs.
nvcc $MODE -std=c++17 -lineinfo \
    -gencode arch=compute_70,code=sm_70 \
    -gencode arch=compute_80,code=sm_80 \
    -Xcompiler -Wall,-Wextra \
    -c scale.cu -o scale.o
nvcc $MODE -arch=sm_70 main.cu scale.o -o scale   # links cudart by itself
echo "built ./scale with nvcc"
