set(FLAGS "-gencode=arch=compute_70,code=sm_70 --use_fast_math -Wno-deprecated-gpu-targets -O3")
string(APPEND CMAKE_CUDA_FLAGS " ${FLAGS}")
string(APPEND CMAKE_CUDA_FLAGS_RELEASE " -Xptxas -O3 --maxrregcount=64")
set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
