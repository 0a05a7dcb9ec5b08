# Finds NCCL: NCCL_INCLUDE_DIRS, NCCL_LIBRARIES
set(NCCL_ROOT "" CACHE PATH "NVIDIA NCCL")
find_path(NCCL_INCLUDE_DIR
  NAMES rccl/rccl.h
  HINTS ${NCCL_ROOT}/include $ENV{NCCL_ROOT}/include ${hip_INCLUDE_DIR}/../include $ENV{ROCM_PATH}/include /opt/rocm/include)
find_library(NCCL_LIBRARY
  NAMES rccl librccl.so
  HINTS ${NCCL_ROOT}/lib ENV ROCM_PATH
  PATHS /opt/rocm/lib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NCCL DEFAULT_MSG NCCL_INCLUDE_DIR NCCL_LIBRARY)
set(NCCL_INCLUDE_DIRS ${NCCL_INCLUDE_DIR})
set(NCCL_LIBRARIES ${NCCL_LIBRARY})
