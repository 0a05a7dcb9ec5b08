-- Builds a program with kernels.
add_includedirs("/opt/rocm/include")
add_linkdirs("/opt/rocm/lib")

target("fill")
    set_kind("binary")
    add_files("src/*.cu")
    add_cuflags("-Wall", "-Wextra", "-ffast-math")
    add_links("amdhip64", "hipblas", "pthread") -- the libraries
