#!/bin/bash
#SBATCH --gres=gpu:1
readonly ROCM_PATH=/opt/rocm
INCLUDES=(-I"$ROCM_PATH/include" -Iinclude)

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

hipcc "${INCLUDES[@]}" -O2 -Wall multiply.cu -o multiply \
     -L"$ROCM_PATH"/lib -lhipblas -lhipfft -lhiprand -lamdhip64 || exit 1
if [[ ${1:-} == --profile ]]; then
    nsys profile -o report ./multiply
    compute-sanitizer ./multiply
fi
