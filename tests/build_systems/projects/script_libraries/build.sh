#!/bin/bash
#SBATCH --gres=gpu:1
readonly CUDA_DIR=/usr/local/cuda-12.2
INCLUDES=(-I"$CUDA_DIR/include" -Iinclude)

usage() {
    cat <<'EOF'
usage: build.sh [--profile]
Compiles with nvcc; set CUDA_DIR for another toolkit.
EOF
}

case "${1:-}" in
    -h | --help) usage; exit 0 ;;
    nvcc) echo "nvcc is the only compiler" ;;
esac

export CUDA_VISIBLE_DEVICES=0
if command -v nvidia-smi >/dev/null 2>&1; then
    nvidia-smi --query-gpu=name --format=csv,noheader   # what there is
fi

nvcc "${INCLUDES[@]}" -O2 --compiler-options '-Wall' -maxrregcount=64 multiply.cu -o multiply \
     -L"$CUDA_DIR"/lib64 -lcublas -lcufft -lcurand -lcudart || exit 1
if [[ ${1:-} == --profile ]]; then
    nsys profile -o report ./multiply
    compute-sanitizer ./multiply
fi
