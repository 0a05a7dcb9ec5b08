"""Lets PyTorch's own builder of extensions, `torch.utils.cpp_extension`, translate with hipify-py."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from hipify_py.torch import hipify_python

_PACKAGE = "torch.utils.hipify"
_MODULE = f"{_PACKAGE}.hipify_python"
_BUILDER = "torch.utils.cpp_extension"


def install() -> None:
    """Let `torch.utils.hipify.hipify_python` be this package's module, for all that imports it from now on.

    PyTorch need not have been imported, and is not. Its files are not changed; only this process is affected.
    """
    _put(hipify_python)


def uninstall() -> None:
    """Undo `install`: PyTorch's own module is imported again by what asks for it next."""
    if sys.modules.get(_MODULE) is not hipify_python:
        return
    del sys.modules[_MODULE]
    package = sys.modules.get(_PACKAGE)
    if package is None:
        return
    vars(package).pop("hipify_python", None)
    _put(importlib.import_module(_MODULE))


def _put(module: ModuleType) -> None:
    sys.modules[_MODULE] = module
    package = sys.modules.get(_PACKAGE)
    if package is not None:
        vars(package)["hipify_python"] = module
    builder = sys.modules.get(_BUILDER)
    if builder is None:
        return
    for name in ("hipify_python", "GeneratedFileCleaner"):  # PyTorch up to 2.1 imports them when it is imported itself
        if name in vars(builder):
            vars(builder)[name] = module if name == "hipify_python" else vars(module)[name]
