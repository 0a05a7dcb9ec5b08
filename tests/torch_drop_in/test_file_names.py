"""The names of translated files: those of PyTorch 2.10 and 2.11, found by calling it."""

from __future__ import annotations

import pytest

from hipify_py.torch.hipify_python import (
    get_hip_file_path,
    is_caffe2_gpu_file,
    is_cusparse_file,
    is_out_of_place,
    is_pytorch_file,
    is_special_file,
)


@pytest.mark.parametrize(
    ("source", "extension", "pytorch"),
    [
        ("a.cu", "a.hip", "hip/a.hip"),
        ("a.cuh", "a_hip.cuh", "hip/a.cuh"),
        ("a.cpp", "a_hip.cpp", "hip/a.cpp"),
        ("a_cuda.cpp", "a_hip.cpp", "hip/a_hip.cpp"),
        ("cuda/a.cu", "hip/a.hip", "hip/a.hip"),
        ("cuda/a.cuh", "hip/a.cuh", "hip/a.cuh"),
        ("csrc/cuda/CUDAThing.h", "csrc/hip/HIPThing.h", "csrc/hip/HIPThing.h"),
        ("my_cuda_ops/a.h", "my_hip_ops/a.h", "my_hip_ops/a.h"),
        ("hip/a.h", "hip/a_hip.h", "hip/hip/a.h"),
        ("hip/a.hip", "hip/a_hip.hip", "hip/hip/a.hip"),
        ("x/THCThing.cu", "x/THHThing.hip", "x/hip/THHThing.hip"),
        ("caffe2/core/THCThing.cu", "caffe2/core/THCThing.hip", "caffe2/core/hip/THCThing.hip"),
        ("torch/csrc/cuda/Stream.cpp", "torch/csrc/hip/Stream.cpp", "torch/csrc/cuda/Stream.cpp"),
        ("../cuda/a.cu", "../hip/a.hip", "../hip/a.hip"),
        ("no_ending", "no_ending_hip", "hip/no_ending"),
        ("a.b.cu", "a.b.hip", "hip/a.b.hip"),
    ],
)
def test_names(source: str, extension: str, pytorch: str) -> None:
    assert get_hip_file_path(source, is_pytorch_extension=True) == extension
    assert get_hip_file_path(source) == pytorch


@pytest.mark.parametrize(
    "function",
    [get_hip_file_path, is_out_of_place, is_pytorch_file, is_cusparse_file, is_special_file, is_caffe2_gpu_file],
)
def test_absolute_paths_are_refused(function) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(AssertionError, match="relative"):
        function("/a/b.cu")


def test_files_of_pytorch() -> None:
    assert is_pytorch_file("aten/src/ATen/cuda/Blas.cpp")
    assert not is_pytorch_file("aten/src/ATen/core/Tensor.h")
    assert not is_pytorch_file("c10/cuda/CUDAStream.h")
    assert is_caffe2_gpu_file("c10/cuda/CUDAStream.h")
    assert is_caffe2_gpu_file("x/op_gpu.cc")
    assert is_caffe2_gpu_file("x/a.cu")
    assert not is_caffe2_gpu_file("x/a_cudnn.cu")
    assert is_cusparse_file("aten/src/ATen/native/sparse/cuda/Blas.cpp")
    assert not is_cusparse_file("sparse/a.cu")
    assert is_special_file("aten/src/ATen/native/cuda/linalg/A.cpp")
    assert not is_special_file("aten/src/ATen/native/cuda/linalg/BatchLinearAlgebraLibBlas.cpp")
    assert not is_out_of_place("torch/csrc/a.cpp")
    assert is_out_of_place("aten/src/ATen/cuda/a.cpp")
