"""The legacy interface of cuBLAS (`cublas.h`), whose functions take no handle and share the names of those that do."""

from __future__ import annotations

import re

from hipify_py.catalog import Row
from hipify_py.core.project_context import has_file_ending
from hipify_py.frontend.lexer import Include
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.headers import is_support_header
from hipify_py.semantics.symbols import names_of

# The functions that both interfaces have, by the number of the legacy one's arguments: level 1, 2 and 3 BLAS.
_ARGUMENTS = {
    3: "amax amin asum nrm2",
    4: "rotg scal",
    5: "copy dot dotc dotu rotmg swap",
    6: "axpy hpr rotm spr",
    7: "her rot syr tpmv tpsv",
    8: "hpr2 spr2 trmv trsv",
    9: "ger gerc geru her2 hpmv spmv syr2 tbmv tbsv",
    10: "hemv herk symv syrk",
    11: "gemv hbmv sbmv trmm trsm",
    12: "hemm her2k symm syr2k",
    13: "gbmv gemm",
}
_LEGACY = {routine: count for count, routines in _ARGUMENTS.items() for routine in routines.split()}
_REAL = frozenset(["dot", "ger", "rotm", "rotmg", "sbmv", "spmv", "spr", "spr2", "symv", "syr", "syr2"])
"""Routines that the legacy interface has for real numbers only."""
_LEGACY_ONLY = frozenset(
    {"cublasAlloc", "cublasFree", "cublasGetError", "cublasInit", "cublasSetKernelStream", "cublasShutdown"}
)
"""Functions of the legacy interface only."""
_NAME = re.compile(rf"cublas(?:I[sdcz]|Sc|Dz|Cs|Zd|[SDCZ])({'|'.join(_LEGACY)})")
"""`cublasScopy` and `cublasScasum` begin alike: what follows decides which letters are the type's."""


def is_legacy(unit: Unit, use: Use) -> bool:
    """Whether a use of a cuBLAS function can only mean the legacy one.

    That is so where `cublas.h` is included and `cublas_v2.h` is not, and never the other way round. Anywhere else the
    number of a call's arguments decides: without a handle, and without a pointer to the result, the legacy functions
    have
    fewer.
    """
    legacy = _legacy_arguments(use.row)
    if legacy is None:
        return use.row.name in _LEGACY_ONLY and may_keep_a_handle(unit) and _is_cublas_function(unit, use)
    if has_legacy_header(unit):
        return True
    if "cublas_v2.h" in unit.headers and "cublas.h" not in unit.headers:
        return False
    call = call_at(unit, use.end)
    return call is not None and len(call.arguments) == legacy


def _is_cublas_function(unit: Unit, use: Use) -> bool:
    """Whether `cublasInit` and the like are cuBLAS's: `cublas.h` is included, or nothing contradicts it.

    Projects that include `cublas_v2.h`, which has none of them, have functions of their own by these names.
    """
    if has_legacy_header(unit):
        return True
    if any(_may_bring_another(unit, include) for include in unit.lexemes.includes):
        return False
    return not names_of(unit).is_declared(use.row.name.encode())


def _may_bring_another(unit: Unit, include: Include) -> bool:
    """Whether functions of such names may be the project's through a header: its own, or one of those with a handle."""
    path = include.path
    if is_support_header(path):
        return False
    return path.startswith(("cublas", "hipblas", "rocblas")) or include.quoted or has_file_ending(unit.project, path)


def legacy_row(unit: Unit, use: Use) -> Row:
    """The row of a function without a handle: that of the support header, which keeps a handle for it."""
    row = use.row
    if not may_keep_a_handle(unit) or not _is_called(unit, use):
        return Row(row.name, row.library, row.kind, None, {"legacy": True})
    hip = f"hipify::blas::{row.name.removeprefix('cublas')}"
    return Row(row.name, row.library, row.kind, hip, {"section": "legacy_blas"})


def may_keep_a_handle(unit: Unit) -> bool:
    """Whether the support header can provide functions without a handle: the source is C++, over hipBLAS."""
    is_cpp = not unit.source.path.endswith(".c")
    return unit.options.support and unit.catalog.targeting.target == "hip" and is_cpp


def _is_called(unit: Unit, use: Use) -> bool:
    """Whether it is called, or named in a macro; code that takes its address may need another signature."""
    return call_at(unit, use.end) is not None or unit.lexemes.define_around(use.start) is not None


def needs_legacy_header(unit: Unit) -> bool:
    """Whether a source includes `cublas.h` for functions that have no replacement."""
    return unit.analysis(_needs_legacy_header)


def _needs_legacy_header(unit: Unit) -> bool:
    if not has_legacy_header(unit):
        return False
    legacy = (use for use in unit.uses if _legacy_arguments(use.row) is not None)
    return any(legacy_row(unit, use).is_unsupported for use in legacy)


def has_legacy_header(unit: Unit) -> bool:
    """Whether `cublas.h` is included. Both headers together do not compile, so `cublas_v2.h` overrides it."""
    return "cublas.h" in unit.headers and "cublas_v2.h" not in unit.headers


def _legacy_arguments(row: Row) -> int | None:
    """The number of arguments of the legacy function of a row's name; None where there is none."""
    if row.library != "cublas" or row.kind != "function":
        return None
    match = _NAME.fullmatch(row.name)
    if match is None or (match[1] in _REAL and row.name[len("cublas")] in "CZ"):
        return None
    return _LEGACY.get(match[1])
