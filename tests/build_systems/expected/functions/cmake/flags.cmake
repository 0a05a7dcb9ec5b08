set(FLAGS "-fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt -fgpu-approx-transcendentals -O3")
string(APPEND CMAKE_HIP_FLAGS " ${FLAGS}")
