"""Writes mappings/python/cuda_bindings.yaml: the functions of CUDA that AMD's `cuda.bindings` lacks.

`python -m tools.tables.python_bindings WHEEL` reads the stubs of a hip-python-interop wheel, which is not installed: its
modules have the names of NVIDIA's `cuda.bindings`.
"""

from __future__ import annotations

import re
import sys
import zipfile
from pathlib import Path

import yaml

from hipify_py.catalog import load_catalog

TABLE = Path(__file__).parents[2] / "mappings" / "python" / "cuda_bindings.yaml"
MODULES = ("driver", "nvrtc", "runtime")
_DEFINED = re.compile(r"^(?:def|class)\s+(\w+)", re.MULTILINE)
_HEAD = """\
# Functions of CUDA that AMD's hip-python-interop lacks in its cuda.bindings, by module.
# Written by `python -m tools.tables.python_bindings WHEEL`; do not edit.
"""


def lacking_functions(wheel: Path) -> dict[str, list[str]]:
    """By module, the functions of the mapping tables that the stubs of a wheel do not define.

    Raises:
        KeyError: if the wheel has no stubs of a module.
    """
    catalog = load_catalog()
    found = {}
    with zipfile.ZipFile(wheel) as archive:
        for module in MODULES:
            stubs = archive.read(f"cuda/bindings/{module}.pyi").decode()
            functions = {row.name for row in catalog.rows() if row.library == module and row.kind == "function"}
            found[module] = sorted(functions - set(_DEFINED.findall(stubs)))
    return found


def main() -> None:
    """Write the table."""
    wheel = Path(sys.argv[1])
    project, version = wheel.name.split("-")[:2]
    lacking = lacking_functions(wheel)
    body = yaml.safe_dump({"source": f"{project.replace('_', '-')} {version}", "lacking": lacking}, width=120)
    TABLE.write_text(_HEAD + body, encoding="utf-8")


if __name__ == "__main__":
    main()
