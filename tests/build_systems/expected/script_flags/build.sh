#!/bin/sh
# The compiler and its options are variables, as users set them.
NVCC=${NVCC:-hipcc}
CXX=${CXX:-g++}
ROCM_PATH=${ROCM_PATH:-/opt/rocm}
NVCCFLAGS="-O2 -fPIC -fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt -fgpu-approx-transcendentals"
GENCODE=''

mkdir -p objects && cd objects || exit 1
for unit in sum norm; do
    echo "compiling $unit.cu"
    $NVCC $NVCCFLAGS $GENCODE -I.. -fgpu-rdc -c ../$unit.cu -o $unit.o || exit 1
done
"$NVCC" $NVCCFLAGS -fgpu-rdc -x hip -c ../table.cpp -o table.o || exit 1
$NVCC $NVCCFLAGS -fgpu-rdc sum.o norm.o table.o -shared -o libreduce.so || exit 1
$CXX -D__HIP_PLATFORM_AMD__ -O2 -I"$ROCM_PATH/include" -c ../host.cpp -o host.o || exit 1
g++ host.o -L"$ROCM_PATH/lib" -L. -lreduce -lamdhip64 -Wl,-rpath,"$ROCM_PATH/lib" -Wl,--allow-shlib-undefined -o ../reduce
