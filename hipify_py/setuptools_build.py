"""Builds extension modules from the HIP translation of their CUDA sources, with setuptools.

In `setup.py`, `setup(..., cmdclass={"build_ext": HipifyBuildExt})`; the compiler is hipcc (`CC=hipcc CXX=hipcc`).
"""

from __future__ import annotations

import os
import sys
from typing import ClassVar

from setuptools import Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.source import CPP_SUFFIXES, CUDA_SUFFIXES, suffix_of
from hipify_py.project.build_sources import convert_sources, mirrored_folders
from hipify_py.report.text import show_failures, show_findings

_ENDING = ".hip.cpp"
"""Of a CUDA source's translation: setuptools knows it as C++, which hipcc takes for HIP."""


class HipifyBuildExt(build_ext):
    """`build_ext` that converts the sources of each extension first, into the folder for temporary files.

    Attributes:
        hipify_options: the translator's options.
    """

    hipify_options: ClassVar[Options] = DEFAULT_OPTIONS

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
        built = convert_sources(
            sources, root=root, output=output, include_dirs=folders, ending=_ENDING, options=self.hipify_options
        )
        show_findings(built.written, sys.stderr)
        if built.report.failed:
            show_failures(built.report.results, sys.stderr)
            raise CompileError(f"{ext.name}: some sources could not be converted to HIP")
        results = dict(zip(sources, built.results, strict=True))
        ext.sources = [results.get(source, source) for source in given]
        ext.include_dirs = [*mirrored_folders(folders, root=root, output=output), *ext.include_dirs]
        ext.depends = [*ext.depends, *built.needed]
        super().build_extension(ext)
