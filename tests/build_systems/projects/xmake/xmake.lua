-- Builds a program with kernels.
add_includedirs("/usr/local/cuda-12.2/include")
add_linkdirs("/usr/local/cuda-12.2/lib64")

target("fill")
    set_kind("binary")
    add_files("src/*.cu")
    add_cugencodes("compute_70", "sm_80")
    add_cuflags("-Xcompiler=-Wall,-Wextra", "--use_fast_math")
    add_links("cudart", "cublas", "pthread") -- the libraries
