"""The names of translated files, and PyTorch's predicates about the files of its own tree.

The rules are those of PyTorch 2.10 and 2.11, which agree but for one folder (`is_pytorch_file`).
"""

from __future__ import annotations

import os

_IN_PLACE = ("torch/", "third_party/nvfuser/", "tools/autograd/templates/")
"""Folders of PyTorch's tree whose files are replaced."""

_OF_PYTORCH = ("aten/", "torch/", "third_party/nvfuser/", "third_party/fbgemm/", "third_party/mslk/", _IN_PLACE[-1])
_HOST_ONLY = "aten/src/ATen/core/"
_HIP_NAMES = (("cuda", "hip"), ("CUDA", "HIP"), ("THC", "THH"))
_KERNELS = (".cu", ".cuh")
_CORE_OF_CAFFE2 = "caffe2/core"


def get_hip_file_path(rel_filepath: str, is_pytorch_extension: bool = False) -> str:
    """The path of a translated file, from the folder that the source's path is relative to.

    `cuda`, `CUDA` and `THC` become `hip`, `HIP` and `THH` in folders and in the name, and `.cu` becomes `.hip`. Where
    that changes nothing, an extension's file gets `_hip` after its name. In PyTorch's own tree, a file whose folder
    would be the same goes to a folder `hip` below it; some folders are translated in place.

    Raises:
        AssertionError: for an absolute path.
    """
    _refuse_absolute(rel_filepath)
    if not is_pytorch_extension and not is_out_of_place(rel_filepath):
        return rel_filepath
    folder, name = os.path.split(rel_filepath)
    stem, ending = os.path.splitext(name)
    new_ending = ".hip" if ending == ".cu" else ending
    new_folder, new_stem = _hip_name(folder), _hip_name(stem)
    if new_folder == _CORE_OF_CAFFE2:  # THCCachingAllocator keeps its name there
        new_stem = _hip_name(stem, _HIP_NAMES[:-1])
    if new_folder == folder:
        if not is_pytorch_extension:
            new_folder = os.path.join(folder, "hip")
        elif new_stem + new_ending == name:
            new_stem += "_hip"
    return os.path.join(new_folder, new_stem + new_ending)


def is_out_of_place(rel_filepath: str) -> bool:
    """Whether a file of PyTorch's tree keeps its original beside its translation.

    Raises:
        AssertionError: for an absolute path.
    """
    _refuse_absolute(rel_filepath)
    return not rel_filepath.startswith(_IN_PLACE)


def is_pytorch_file(rel_filepath: str) -> bool:
    """Whether a file of PyTorch's tree belongs to PyTorch itself, not to Caffe2. (Only 2.11 names third_party/mslk.)

    Raises:
        AssertionError: for an absolute path.
    """
    _refuse_absolute(rel_filepath)
    return rel_filepath.startswith(_OF_PYTORCH) and not rel_filepath.startswith(_HOST_ONLY)


def is_cusparse_file(rel_filepath: str) -> bool:
    """Whether a file of PyTorch uses cuSPARSE, by its name."""
    return is_pytorch_file(rel_filepath) and "sparse" in rel_filepath.lower()


def is_special_file(rel_filepath: str) -> bool:
    """Whether PyTorch up to 2.10 translates a file's library calls in another way: to hipSPARSE and hipSOLVER."""
    name = rel_filepath.lower()
    if not is_pytorch_file(rel_filepath):
        return False
    return "sparse" in name or ("linalg" in name and "batchlinearalgebralibblas" not in name)


def is_caffe2_gpu_file(rel_filepath: str) -> bool:
    """Whether a file of Caffe2 or c10 is for GPUs.

    Raises:
        AssertionError: for an absolute path.
    """
    _refuse_absolute(rel_filepath)
    if rel_filepath.startswith("c10/cuda"):
        return True
    name = os.path.basename(rel_filepath)
    return ("gpu" in name or os.path.splitext(name)[1] in _KERNELS) and "cudnn" not in name


def _hip_name(name: str, names: tuple[tuple[str, str], ...] = _HIP_NAMES) -> str:
    for cuda, hip in names:
        name = name.replace(cuda, hip)
    return name


def _refuse_absolute(path: str) -> None:
    if os.path.isabs(path):
        raise AssertionError(f"{path} must be a relative path")
