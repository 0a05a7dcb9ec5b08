#!/bin/sh
# The compiler and its options are variables, as users set them.
NVCC=${NVCC:-nvcc}
CXX=${CXX:-g++}
CUDA_PATH=${CUDA_PATH:-/usr/local/cuda}
NVCCFLAGS="-O2 -arch=sm_80 --expt-relaxed-constexpr -Xcompiler -fPIC --use_fast_math"
GENCODE='-gencode arch=compute_80,code=compute_80'

mkdir -p objects && cd objects || exit 1
for unit in sum norm; do
    echo "compiling $unit.cu"
    $NVCC $NVCCFLAGS $GENCODE -I.. -dc ../$unit.cu -o $unit.o || exit 1
done
"$NVCC" $NVCCFLAGS -rdc=true -x cu -c ../table.cpp -o table.o || exit 1
$NVCC $NVCCFLAGS -rdc=true sum.o norm.o table.o -shared -o libreduce.so -lcudadevrt || exit 1
$CXX -O2 -I"$CUDA_PATH/include" -c ../host.cpp -o host.o || exit 1
g++ host.o -L"$CUDA_PATH/lib64" -L. -lreduce -lcudart -Wl,-rpath,"$CUDA_PATH/lib64" -Wl,--allow-shlib-undefined -o ../reduce
