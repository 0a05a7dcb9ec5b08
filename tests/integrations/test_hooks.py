"""What the hooks are given by pre-commit is what a run over the folder would take."""

from __future__ import annotations

import re

import pytest

from hipify_py.build_systems.kinds import is_build_file
from hipify_py.core.source import SOURCE_SUFFIXES, TEMPLATE_ENDINGS
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.project.discovery import is_source_name

from .conftest import REPOSITORY, documents

PATTERNS = {hook["id"]: hook["files"] for hook in documents(REPOSITORY / ".pre-commit-hooks.yaml")[0]}


@pytest.mark.parametrize("files", PATTERNS.values(), ids=list(PATTERNS))
def test_they_take_what_discovery_takes(files: str) -> None:
    names = [f"src/a{suffix}" for suffix in SOURCE_SUFFIXES]
    names += [f"src/a.cu{ending}" for ending in TEMPLATE_ENDINGS]
    names += ["a.CUH", "a.hpp.cmake.in", "a.py", "a.pyi", "a.ipynb", "a.pyx", "a.pxd", "a.pxi", "a.cu.bak", "acu"]
    names += ["CMakeLists.txt", "x/Makefile", "GNUmakefile", "rules.mk", "cu.cmake", "setup.py", "meson.build", "a.m4"]
    taken = {name for name in names if is_source_name(name) or is_build_file(name) or kind_of_host(name)}
    assert {name for name in names if re.search(files, name)} == taken
