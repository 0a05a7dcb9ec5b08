"""The functions of CUDA that AMD's `cuda.bindings` lacks, from the stubs of a hip-python-interop wheel.

Its modules have the names of NVIDIA's package, so the wheel is read, not installed.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import yaml

from hipify_py.catalog import load_catalog

TABLE = Path(__file__).parents[2] / "mappings" / "python" / "cuda_bindings.yaml"
MODULES = ("driver", "nvrtc", "runtime")
_DEFINED = re.compile(r"^(?:def|class)\s+(\w+)", re.MULTILINE)
_HEAD = """\
# Functions of CUDA that AMD's hip-python-interop lacks in its cuda.bindings, by module.
# Written by `python -m tools.tables python-bindings WHEEL`; do not edit.
"""


class NotInterop(ValueError):
    """The file is not a wheel of hip-python-interop."""


def table_of(wheel: Path) -> str:
    """The table for a wheel, as it stands in its file.

    Raises:
        NotInterop: if the file is not a wheel, or has no stubs of a module.
    """
    functions = [row for row in load_catalog().rows() if row.kind == "function"]
    lacking = {}
    try:
        with zipfile.ZipFile(wheel) as archive:
            for module in MODULES:
                defined = set(_DEFINED.findall(archive.read(f"cuda/bindings/{module}.pyi").decode()))
                lacking[module] = sorted(
                    row.name for row in functions if row.library == module and row.name not in defined
                )
    except (KeyError, zipfile.BadZipFile) as error:
        raise NotInterop(f"{wheel}: {error}") from error
    project, version = wheel.name.split("-")[:2]
    source = f"{project.replace('_', '-')} {version}"
    return _HEAD + yaml.safe_dump({"source": source, "lacking": lacking}, width=120)
