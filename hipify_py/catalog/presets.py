"""The shipped tables for frameworks (`mappings/presets/`), and the sources that need them."""

from __future__ import annotations

import os

from hipify_py.catalog.places import mappings_dir
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.targeting import Targeting

PRESETS = ("pytorch",)

_PYTORCH = lazy_pattern(rb"#[ \t]*include[ \t]*[<\"](?:ATen|c10)/(?:native/)?cud(?:a|nn)/")


def preset_path(name: str) -> str:
    """The path of a framework's table."""
    return os.path.join(mappings_dir(), "presets", f"{name}.yaml")


def add_presets(data: bytes, targeting: Targeting) -> Targeting:
    """The targeting with the tables of the frameworks whose CUDA headers a source includes: these differ on ROCm."""
    if (b"ATen/" not in data and b"c10/" not in data) or _PYTORCH.search(data) is None:
        return targeting
    path = preset_path("pytorch")
    return targeting if path in targeting.tables else targeting._replace(tables=(path, *targeting.tables))
