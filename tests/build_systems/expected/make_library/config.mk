# Where things are.
ROCM_PATH ?= /opt/rocm
GPU_COMPILER = $(ROCM_PATH)/bin/hipcc
COMMON = -O2 -g
