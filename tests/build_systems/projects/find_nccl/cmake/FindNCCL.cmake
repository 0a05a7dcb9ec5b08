# Finds NCCL: NCCL_INCLUDE_DIRS, NCCL_LIBRARIES
set(NCCL_ROOT "" CACHE PATH "NVIDIA NCCL")
find_path(NCCL_INCLUDE_DIR
  NAMES nccl.h
  HINTS ${NCCL_ROOT}/include $ENV{NCCL_ROOT}/include ${CUDA_TOOLKIT_ROOT_DIR}/include $ENV{CUDA_HOME}/include /usr/local/cuda/include)
find_library(NCCL_LIBRARY
  NAMES nccl libnccl.so
  HINTS ${NCCL_ROOT}/lib ENV CUDA_PATH
  PATHS /usr/local/cuda-12.1/lib64)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NCCL DEFAULT_MSG NCCL_INCLUDE_DIR NCCL_LIBRARY)
set(NCCL_INCLUDE_DIRS ${NCCL_INCLUDE_DIR})
set(NCCL_LIBRARIES ${NCCL_LIBRARY})
