"""Reads from a header set which version it is of."""

from __future__ import annotations

import re
from pathlib import Path

_CUDA = re.compile(r"#define\s+CUDA_VERSION\s+(\d+)")
_HIP_PARTS = (re.compile(r"#define\s+HIP_VERSION_MAJOR\s+(\d+)"), re.compile(r"#define\s+HIP_VERSION_MINOR\s+(\d+)"))


def version_of(folder: Path, side: str) -> str:
    """The version (`X.Y`) of the headers in a folder, or in `include/` below it; empty where they do not say.

    CUDA's `cuda.h` holds it as major * 1000 + minor * 10, HIP's `hip_version.h` in parts; bindings do not say it.
    """
    name = "cuda.h" if side == "cuda" else "hip/hip_version.h"
    path = next((path for path in (folder / name, folder / "include" / name) if path.is_file()), None)
    if path is None:
        return ""
    text = path.read_text(encoding="utf-8", errors="replace")
    if side == "cuda":
        match = _CUDA.search(text)
        return f"{int(match[1]) // 1000}.{int(match[1]) % 1000 // 10}" if match else ""
    parts = [match[1] for pattern in _HIP_PARTS if (match := pattern.search(text))]
    return ".".join(parts) if len(parts) == len(_HIP_PARTS) else ""
