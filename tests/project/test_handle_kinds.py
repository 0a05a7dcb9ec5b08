"""Handles of textures that a header declares as surfaces."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import convert

LAYER = "#pragma once\n#include <cuda_runtime.h>\nstruct Layer { cudaSurfaceObject_t view; cudaSurfaceObject_t target{}; };\n"
MAKES = (
    '#include "layer.h"\nvoid make(Layer &layer, const cudaResourceDesc *what, const cudaTextureDesc *how) {\n'
    "    cudaCreateTextureObject(&layer.view, what, how, nullptr);\n"
    "    cudaCreateSurfaceObject(&layer.target, what);\n}\n"
)


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ("", "hipTextureObject_t"),
        ("void drop(Layer &layer) { cudaDestroySurfaceObject(layer.view); }\n", "hipSurfaceObject_t"),
        ("__global__ void k(Layer a, int *p) { surf2Dread(p, a.view, 0, 0); }\n", "hipSurfaceObject_t"),
    ],
)
def test_a_member_gets_the_type_of_what_it_holds(tmp_path: Path, more: str, kind: str) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "layer.h").write_text(LAYER)
    (folder / "make.cu").write_text(MAKES + more)
    convert([folder], output=tmp_path / "1", jobs=1)
    convert([tmp_path / "1"], output=tmp_path / "2", jobs=1)
    output = (tmp_path / "1/layer.h").read_text()
    assert f"struct Layer {{ {kind} view; hipSurfaceObject_t target{{}}; }};" in output
    assert (tmp_path / "2/layer.h").read_text() == output
