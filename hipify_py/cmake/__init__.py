"""The CMake package HipifyPy, which converts CUDA sources in a build; `find_package` finds it here."""

from __future__ import annotations

from pathlib import Path

FOLDER = str(Path(__file__).resolve().parent)
"""The folder of `HipifyPyConfig.cmake`."""
