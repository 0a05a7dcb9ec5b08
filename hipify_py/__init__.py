"""hipify-py translates CUDA sources to HIP, and tells what is left to port.

`translate` takes one source's text; `convert` takes files and directory trees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.core.installation import VERSION

if TYPE_CHECKING:
    from hipify_py.core.findings import Finding
    from hipify_py.core.options import Options
    from hipify_py.core.project_context import ProjectContext
    from hipify_py.core.source import UnreadableSource
    from hipify_py.core.translation import Counts, Reference, Translation
    from hipify_py.project.api import convert
    from hipify_py.translator.translate import translate

__version__ = VERSION

__all__ = [
    "Counts",
    "Finding",
    "Options",
    "ProjectContext",
    "Reference",
    "Translation",
    "UnreadableSource",
    "convert",
    "translate",
]

_HOMES = {
    "Counts": "core.translation",
    "Finding": "core.findings",
    "Options": "core.options",
    "ProjectContext": "core.project_context",
    "Reference": "core.translation",
    "Translation": "core.translation",
    "UnreadableSource": "core.source",
    "convert": "project.api",
    "translate": "translator.translate",
}


def __getattr__(name: str) -> object:
    """Import public names when they are asked for: a commit hook pays for what it uses only."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value  # importing a submodule of the same name would otherwise shadow it
    return value
