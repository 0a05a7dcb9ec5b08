"""The generations of PyTorch's names on ROCm, and the one that the installed PyTorch has; PyTorch is not imported.

PyTorch's own translator (`torch.utils.hipify`) numbers them. Version 1.0.0, up to PyTorch 2.10, moves `c10::cuda` to
`c10::hip` and gives classes that pass for CUDA's in Python names that end in `MasqueradingAsCUDA`. Version 2.0.0, from
2.11 on, leaves namespaces, classes and macros as they are; only headers have other names.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from hipify_py.core.patterns import lazy_pattern

V1, V2 = "v1", "v2"
GENERATIONS = (V1, V2)

VARIABLE = "HIPIFY_PY_PYTORCH"
"""The environment variable that chooses one, in place of the installed PyTorch."""

_FIRST_OF_V2 = (2, 11)
_NUMBER = lazy_pattern(r"__version__\s*=\s*['\"](\d+)\.")
_RELEASE = lazy_pattern(r"(\d+)\.(\d+)")


def default_generation(environment: Mapping[str, str] | None = None) -> str:
    """The generation from the environment, or of the installed PyTorch, or the newest.

    Raises:
        ValueError: the environment has something else.
    """
    chosen = (os.environ if environment is None else environment).get(VARIABLE, "")
    if chosen:
        try:
            return checked_generation(chosen)
        except ValueError as error:
            raise ValueError(f"{VARIABLE}: {error}") from error
    return installed_generation() or V2


def checked_generation(text: str) -> str:
    """The generation of that name.

    Raises:
        ValueError: there is none.
    """
    if text not in GENERATIONS:
        raise ValueError(f"{text!r} is not one of {', '.join(GENERATIONS)}")
    return text


def installed_generation() -> str:
    """The generation of the installed PyTorch; empty if there is none.

    Builds between two releases have the version of the next one: the file of its translator decides, if it is there.
    """
    for folder in _folders_of_torch():
        try:
            with open(os.path.join(folder, "utils", "hipify", "version.py"), encoding="utf-8") as file:
                found = _NUMBER.search(file.read(1 << 10))
        except (OSError, UnicodeDecodeError):
            continue
        if found is not None:
            return V1 if int(found[1]) < 2 else V2
    from importlib.metadata import PackageNotFoundError, version  # it takes longer to import than the rest of a start

    try:
        release = _RELEASE.match(version("torch"))
    except PackageNotFoundError:
        return ""
    if release is None:
        return ""
    return V1 if (int(release[1]), int(release[2])) < _FIRST_OF_V2 else V2


def _folders_of_torch() -> list[str]:
    """Where the package is; a name in `sys.modules` is what an import would give."""
    loaded = sys.modules.get("torch")
    if loaded is not None:
        return [*getattr(loaded, "__path__", ())]
    from importlib.util import find_spec

    try:
        spec = find_spec("torch")
    except (ImportError, ValueError):
        return []
    return [] if spec is None else [*(spec.submodule_search_locations or ())]
