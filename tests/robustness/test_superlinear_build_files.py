"""Build files whose translation once took time by the square of their size: twice as much takes twice as long."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.cmake import load as cmake
from hipify_py.build_systems.make import translate as make
from hipify_py.build_systems.python.reader import read as read_python
from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.project_context import NO_PROJECT
from tests.growth import assert_linear

CMAKE, MAKE, WORKFLOW = "CMakeLists.txt", "Makefile", ".github/workflows/build.yml"

REPEATED: dict[str, tuple[str, str, str, str, int]] = {
    "macros left open": (CMAKE, "project(p CUDA)\n", "macro(m)\n", "", 500),
    "conditions left open": (CMAKE, "project(p CUDA)\n", "if(CUDA_FOUND)\n", "", 500),
    "values of a variable": (CMAKE, "project(p CUDA)\nset(A ", "a.cu ", ")\n", 500),
    "references of a value": (CMAKE, "project(p CUDA)\nset(A ", "${A}", ")\n", 2000),
    "libraries": (CMAKE, "project(p CUDA)\nfind_package(CUDA)\n", "cuda_add_library(e a.cu)\n", "", 200),
    "conditions": (CMAKE, "project(p CUDA)\n", "if(CUDA_FOUND)\nset(A 1)\nendif()\n", "", 200),
    "parts of a condition": (CMAKE, "project(p CUDA)\nif(A ", "AND CUDA_FOUND ", ")\nendif()\n", 2000),
    "strings of a value": (CMAKE, "project(p CUDA)\nset(A ", '"a" ', ")\n", 500),
    "options for the host": ("setup.py", "x = ['nvcc', '", "-Xcompiler -O2 ", "']\n", 1000),
    "expressions of a template left open": (WORKFLOW, "run: nvcc a.cu\n", "{{", "", 4000),
    "statements of a template left open": (WORKFLOW, "run: nvcc a.cu\n", "{%", "", 4000),
    "remarks of a template left open": (WORKFLOW, "run: nvcc a.cu\n", "{#", "", 4000),
    "lists within each other": (WORKFLOW, "run: nvcc a.cu\n", "[", "", 2000),
    "mappings within each other": (WORKFLOW, "run: nvcc a.cu\n", "{x: ", "", 2000),
    "references of one word": (MAKE, "NVCC = nvcc\nA = ", "$@", "\nB = $(A) x\n", 500),
    "prefixes of references": (MAKE, "NVCC = nvcc\nA = ", "(-l$@", "\n", 500),
    "loops of one word": (MAKE, "NVCC = nvcc\nA = ", "$(foreach x,$(B),-l$(x))", "\n", 100),
    "loops left open": (MAKE, "NVCC = nvcc\nA = ", "$(foreach x,$(B),-l$(x)", "\n", 100),
    "references of a loop": (MAKE, "NVCC = nvcc\nA = $(foreach x,$(B),", "a$(x)", ")\n", 200),
    "operations": ("meson.build", "x = 'cuda'", " - dependency('cuda')", "\n", 200),
    "methods": ("meson.build", "x = cuda", ".found()", "\n", 300),
    "indexes": ("meson.build", "x = cuda", "[0]", "\n", 300),
}


def translated(path: str, data: bytes) -> object:
    """Translate a build file, with what it says of itself, as in a run of a project."""
    context = NO_PROJECT
    if path in {CMAKE, MAKE}:
        build_contexts = (cmake if path == CMAKE else make).build_contexts
        told = build_contexts({path: data}, DEFAULT_OPTIONS, context).get(path)
        context = context if told is None else context._replace(build=told)
    return translate_build_file(data, path, DEFAULT_OPTIONS, context)


@pytest.mark.parametrize("kind", REPEATED)
def test_twice_as_much_takes_twice_as_long(kind: str) -> None:
    path, head, unit, tail, size = REPEATED[kind]
    assert_linear(lambda data: translated(path, data), lambda count: (head + unit * count + tail).encode(), size)


@pytest.mark.parametrize("unit", [b"+=~", b"\\\nx", b"\\\r\n", b"\n\\\n"])
def test_scripts_that_the_grammar_takes_too_long_for_are_not_read(unit: bytes) -> None:
    found = read_python(b"env['NVCC'] = 'nvcc'\n" + unit * 10_000)
    assert found.broken == 0
    assert not found.root.children


def test_scripts_with_an_error_are_read_around_it() -> None:
    found = read_python(b"x = ['nvcc']\n" * 1000 + b")\n" + b"x = ['nvcc']\n" * 1000)
    assert len(found.root.children) > 1000
    assert found.broken > 0
