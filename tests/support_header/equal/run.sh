#!/usr/bin/env bash
# Compares the support header with CUDA on an NVIDIA GPU: needs nvcc, bash, and a written header.
#   hipify-py header --support > hipify_support.hpp     (make it first; HEADER names it)
#   tests/support_header/equal/run.sh [HEADER] > tests/support_header/recorded.txt
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
header=$(cd "$(dirname "${1:-hipify_support.hpp}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -arch=native -std=c++17 -O2 --extended-lambda --expt-relaxed-constexpr -I "$header" "$here/equal.cu" -o "$work/equal"
"$work/equal"
