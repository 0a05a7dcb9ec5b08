# Where things are.
CUDA_HOME ?= /usr/local/cuda
GPU_COMPILER = $(CUDA_HOME)/bin/nvcc -ccbin $(CXX)
COMMON = -O2 -g
