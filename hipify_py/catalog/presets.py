"""The shipped tables for frameworks (`mappings/presets/`), and the sources that need them."""

from __future__ import annotations

import os

from hipify_py.catalog.places import mappings_dir
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.targeting import Targeting

PRESETS = ("pytorch", "pytorch-v1", "pytorch-v2")
"""Their names: PyTorch's tables are those of the installed one, or of a generation (`hipify_py.catalog.pytorch`)."""

_PYTORCH_V2 = "pytorch"
_TABLES = {"pytorch-v1": (_PYTORCH_V2, "pytorch_v1"), "pytorch-v2": (_PYTORCH_V2,)}
"""The tables of a preset; later ones have the rows that differ."""

_PYTORCH = lazy_pattern(rb"#[ \t]*include[ \t]*[<\"](?:(?:ATen|c10)/(?:native/)?cud(?:a|nn)|THC)/")
_FOLDERS = (b"ATen/", b"c10/", b"THC/")


def preset_paths(name: str) -> tuple[str, ...]:
    """The paths of a framework's tables, in the order in which they win.

    Raises:
        ValueError: if the environment names a PyTorch that there is not.
    """
    if name == "pytorch":
        from hipify_py.catalog.pytorch import default_generation

        name = f"pytorch-{default_generation()}"
    return tuple(_table(table) for table in _TABLES[name])


def _table(name: str) -> str:
    return os.path.join(mappings_dir(), "presets", f"{name}.yaml")


def add_presets(data: bytes, targeting: Targeting) -> Targeting:
    """The targeting with the tables of the frameworks whose CUDA headers a source includes: these differ on ROCm.

    They are the newest ones: PyTorch's extension builder renames the rest for the PyTorch that it belongs to.
    """
    if not any(folder in data for folder in _FOLDERS) or _PYTORCH.search(data) is None:
        return targeting
    path = _table(_PYTORCH_V2)
    return targeting if path in targeting.tables else targeting._replace(tables=(path, *targeting.tables))
