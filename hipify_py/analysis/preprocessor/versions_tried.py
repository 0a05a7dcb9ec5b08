"""CUDA's versions and architectures, and the values of the macros that name them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from hipify_py.core.targeting import NEWEST_CUDA, NEWEST_ROCM, version

ARCHITECTURE = b"__CUDA_ARCH__"
MODERN = 900
"""The value of `__CUDA_ARCH__` where the code of all branches is supported."""
CAUTIOUS = 700
"""Its value where nothing shows what the branches are about: seldom PTX, and most built-in functions."""

_ARCHITECTURES = (MODERN, 890, 860, 800, 750, 720, 700, 620, 610, 600, 530, 520, 500, 350, 320, 300, 200)
_CUDAS: tuple[tuple[int, int] | None, ...] = (None, (12, 8), (12, 0), (11, 8), (11, 0), (10, 2), (9, 2), (8, 0))
_CCCLS = ((2, 8), (2, 0), (1, 17))  # hipCUB follows CUB 2, and has nothing of cuda::std
_CUDNNS = ((9, 0), (8, 9), (7, 6))
HIP_VERSION = 70000000
"""The value of HIP's own version number: above all of CUDA's."""
_CUDA_NUMBERS = {  # the factors of the major and minor number in each macro
    b"CUDART_VERSION": (1000, 10),
    b"CUDA_VERSION": (1000, 10),
    b"__CUDART_API_VERSION": (1000, 10),
    b"__CUDACC_VER__": (10000, 100),
    b"__CUDACC_VER_MAJOR__": (1, 0),
    b"__CUDACC_VER_MINOR__": (0, 1),
    b"CUBLAS_VERSION": (10000, 100),
    b"CUBLAS_VER_MAJOR": (1, 0),
    b"CUBLAS_VER_MINOR": (0, 1),
    b"CUSPARSE_VERSION": (1000, 100),
    b"CUSPARSE_VER_MAJOR": (1, 0),
    b"CUSPARSE_VER_MINOR": (0, 1),
    b"CUSOLVER_VERSION": (1000, 100),
    b"CUSOLVER_VER_MAJOR": (1, 0),
    b"CUSOLVER_VER_MINOR": (0, 1),
}
_CUDNN_NUMBERS = {b"CUDNN_MAJOR": (1, 0), b"CUDNN_MINOR": (0, 1)}
_CCCL_NUMBERS = {
    b"CUB_VERSION": (100000, 100),
    b"CUB_MAJOR_VERSION": (1, 0),
    b"CUB_MINOR_VERSION": (0, 1),
    b"CCCL_VERSION": (1000000, 1000),
    b"CCCL_MAJOR_VERSION": (1, 0),
    b"CCCL_MINOR_VERSION": (0, 1),
}
VERSIONS = frozenset((*_CUDA_NUMBERS, *_CUDNN_NUMBERS, *_CCCL_NUMBERS, b"CUDNN_VERSION"))
"""Macros that hold a version of CUDA, cuDNN or CUB."""
RUNTIME_VERSIONS = frozenset((b"CUDA_VERSION", b"CUDART_VERSION", b"__CUDART_API_VERSION"))
"""Those that hold CUDA's own version, 1000 * major + 10 * minor."""
NUMBERS = VERSIONS | {ARCHITECTURE}
STAND_INS = {
    **dict.fromkeys(_CUDA_NUMBERS, (b"HIP_VERSION", HIP_VERSION, 2 * HIP_VERSION)),
    b"CUB_VERSION": (b"HIPCUB_VERSION", 300000, 500000),  # from ROCm 6 on
}
"""HIP's macros that replace a test of a CUDA version, and the lowest and highest numbers that they have."""


_RCCLS = (
    ("5.2", (2, 12, 10)),
    ("5.4", (2, 13, 4)),
    ("5.5", (2, 15, 5)),
    ("5.7", (2, 17, 1)),
    ("6.0", (2, 18, 3)),
    ("6.1", (2, 18, 6)),
    ("6.2", (2, 20, 5)),
    ("6.3", (2, 21, 5)),
    ("6.4", (2, 22, 3)),
    ("7.0", (2, 26, 6)),
    ("7.1", (2, 27, 7)),
    ("10.0", (2, 29, 0)),
)
"""The version of NCCL that RCCL says it is, from each ROCm on.

Source: RCCL's change log; for ROCm 10, the functions that its bindings declare (`ncclPutSignal` is new in NCCL 2.29).
"""


def nccl_code(major: int, minor: int, patch: int) -> int:
    """A version of NCCL as `NCCL_VERSION` encodes it. Source: nccl.h."""
    return major * 1000 + minor * 100 + patch if (major, minor) <= (2, 8) else major * 10000 + minor * 100 + patch


def nccl_macros(rocm: str) -> dict[bytes, int]:
    """The values of NCCL's version macros with the RCCL of a ROCm; empty for the newest."""
    wanted = version(rocm or NEWEST_ROCM)
    major, minor, patch = next(nccl for since, nccl in reversed(_RCCLS) if version(since) <= wanted)
    return {
        b"NCCL_VERSION_CODE": nccl_code(major, minor, patch),
        b"NCCL_MAJOR": major,
        b"NCCL_MINOR": minor,
        b"NCCL_PATCH": patch,
    }


class Setting(NamedTuple):
    """The values of the macros; `cuda` is None for a version above all of CUDA's, as HIP's own number is.

    With `of_hip`, a version has the value of the macro in `STAND_INS`: 1 for the lowest of its numbers, 2 for the
    highest.
    """

    architecture: int
    cuda: tuple[int, int] | None
    cudnn: tuple[int, int]
    cccl: tuple[int, int]
    of_hip: int = 0

    def with_stand_ins(self) -> Iterator[Setting]:
        """The setting as it is, and with HIP's macros in place of CUDA's versions."""
        for of_hip in (0, 1, 2):
            yield self._replace(of_hip=of_hip)

    def value(self, name: bytes) -> int | None:
        """The value of one of `NUMBERS`."""
        if name == ARCHITECTURE:
            return self.architecture
        if self.of_hip and name in STAND_INS:
            return STAND_INS[name][1:][self.of_hip - 1]
        if name == b"CUDNN_VERSION":
            major, minor = self.cudnn
            return major * 10000 if major >= 9 else major * 1000 + minor * 100
        if name in _CUDNN_NUMBERS:
            return _encode(self.cudnn, _CUDNN_NUMBERS[name])
        if name in _CCCL_NUMBERS:
            return _encode(self.cccl, _CCCL_NUMBERS[name])
        factors = _CUDA_NUMBERS.get(name)
        if factors is None:
            return None
        if self.cuda is None and factors == (1000, 10):
            return HIP_VERSION
        return _encode(self.cuda or version(NEWEST_CUDA), factors)


PLAIN = Setting(MODERN, None, _CUDNNS[0], _CCCLS[0])
"""The values where nothing has to be decided."""


def plain(cuda: str) -> Setting:
    """The values where nothing has to be decided; `cuda` is the chosen version, or empty."""
    return PLAIN._replace(cuda=version(cuda)) if cuda else PLAIN


def settings(names: frozenset[bytes], cuda: str) -> Iterator[Setting]:
    """The settings to try for a condition on some macros, newest first; `cuda` is the chosen version."""
    cudas = _CUDAS if names & _CUDA_NUMBERS.keys() else _CUDAS[:1]
    for numbers in product(
        _ARCHITECTURES if ARCHITECTURE in names else _ARCHITECTURES[:1],
        (version(cuda),) if cuda else cudas,
        _CUDNNS if any(name.startswith(b"CUDNN") for name in names) else _CUDNNS[:1],
        _CCCLS if names & _CCCL_NUMBERS.keys() else _CCCLS[:1],
    ):
        yield Setting(*numbers)


def _encode(numbers: tuple[int, int], factors: tuple[int, int]) -> int:
    return numbers[0] * factors[0] + numbers[1] * factors[1]
