set(FLAGS "-ffast-math -O3")
string(APPEND CMAKE_HIP_FLAGS " ${FLAGS}")
