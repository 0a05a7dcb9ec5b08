"""Builds extension modules from the HIP translation of their CUDA sources, with setuptools.

In `setup.py`, `setup(..., cmdclass={"build_ext": HipifyBuildExt})`; the compiler is hipcc (`CC=hipcc CXX=hipcc`).
"""

from __future__ import annotations

import os
import subprocess  # our own command line  # nosec B404
import sys
from collections.abc import Sequence
from typing import ClassVar

from setuptools import Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

from hipify_py.core.source import CPP_SUFFIXES, CUDA_SUFFIXES, suffix_of
from hipify_py.project.build_sources import mirrored_folders, result_path

_ENDING = ".hip.cpp"
"""Of a CUDA source's translation: setuptools knows it as C++, which hipcc takes for HIP."""


class HipifyBuildExt(build_ext):
    """`build_ext` that converts the sources of each extension first, into the folder for temporary files.

    The project's configuration applies, and the ROCm that is installed, as for `hipify-py build-sources`.

    Attributes:
        hipify_options: options of that command, such as `--rocm 6.4` in two words.
    """

    hipify_options: ClassVar[Sequence[str]] = ()

    def build_extension(self, ext: Extension) -> None:
        """Convert the sources of an extension, and build it from the results.

        Raises:
            CompileError: if a source cannot be converted.
        """
        root = os.getcwd()
        output = os.path.join(self.build_temp, "hipify-py", ext.name)
        given = [os.fspath(source) for source in ext.sources]
        sources = [source for source in given if suffix_of(source) in CUDA_SUFFIXES | CPP_SUFFIXES]
        folders = [root, *map(os.fspath, ext.include_dirs)]
        searched = [f"-I{folder}" for folder in folders]
        places = ["--root", root, "-o", output, "--ending", _ENDING, *searched]
        command = [sys.executable, "-m", "hipify_py", "build-sources", *places, *self.hipify_options, "--", *sources]
        if subprocess.run(command, check=False).returncode:  # as the user has written it  # nosec B603
            raise CompileError(f"{ext.name}: the sources could not be converted to HIP")
        results = {source: result_path(source, root=root, output=output, ending=_ENDING) for source in sources}
        ext.sources = [results.get(source, source) for source in given]
        ext.include_dirs = [*mirrored_folders(folders, root=root, output=output), *ext.include_dirs]
        super().build_extension(ext)
