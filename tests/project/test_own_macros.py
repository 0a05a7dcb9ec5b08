"""Macros under names of the tables that one file defines and others see: all files agree on the name."""

from __future__ import annotations

from pathlib import Path

from hipify_py.core.options import Options, Targeting
from hipify_py.project.api import check, convert

ROCM = Options(targeting=Targeting(rocm="7.1"))
WRAPPER = "#pragma once\n#include <cuda_runtime.h>\n#define cudaFreeHost(p) released(p)\nint released(void *p);\n"
USE = "int drop(void *p) { return cudaFreeHost(p); }\n"


def translated(folder: Path, files: dict[str, str]) -> dict[str, str]:
    for name, text in files.items():
        (folder / name).write_text(text)
    convert([folder], in_place=True, force=True, options=ROCM)
    return {name: (folder / name).read_text() for name in files}


def errors(folder: Path) -> list[str]:
    return [finding.name for result in check([folder], options=ROCM).results for finding in result.findings]


def test_who_includes_the_definition_keeps_the_name(tmp_path: Path) -> None:
    texts = translated(
        tmp_path,
        {
            "w.h": WRAPPER,
            "a.cu": '#include "w.h"\n' + USE + "auto f = &cudaFreeHost;\nint g() { return (cudaFreeHost)(0); }\n",
        },
    )
    assert "return cudaFreeHost(p);" in texts["a.cu"]
    assert "&hipHostFree;" in texts["a.cu"]
    assert "(hipHostFree)(0)" in texts["a.cu"]
    assert "#define cudaFreeHost(p)" in texts["w.h"]


def test_constants_of_a_header_keep_their_names(tmp_path: Path) -> None:
    files = {
        "c.h": "#ifndef C_H\n#define C_H\n#ifndef CUDART_LN10_F\n#define CUDART_LN10_F 2.3f\n#endif\n"
        "#define CUB_SMEM_BANKS 32\n#endif\n",
        "a.cu": '#include "c.h"\n__device__ float f() { return CUDART_LN10_F * CUB_SMEM_BANKS; }\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert errors(tmp_path) == []
    texts = translated(tmp_path, files)
    assert texts["c.h"] == files["c.h"]
    assert "CUDART_LN10_F * CUB_SMEM_BANKS" in texts["a.cu"]


def test_a_file_that_undefines_a_headers_macro_means_cudas_function_after_that(tmp_path: Path) -> None:
    texts = translated(tmp_path, {"w.h": WRAPPER, "a.cu": '#include "w.h"\n#undef cudaFreeHost\n' + USE})
    assert "return hipHostFree(p);" in texts["a.cu"]


def test_a_macro_that_a_header_beside_it_uses_is_renamed_with_all_uses(tmp_path: Path) -> None:
    files = {"w.h": WRAPPER, "pool.h": "#pragma once\n" + USE, "a.cu": '#include "w.h"\n#include "pool.h"\n' + USE}
    texts = translated(tmp_path, files)
    assert "#define hipHostFree(p) released(p)" in texts["w.h"]
    assert all("return hipHostFree(p);" in texts[name] for name in ("pool.h", "a.cu"))


def test_a_macro_of_a_source_that_its_headers_use_is_renamed_with_all_uses(tmp_path: Path) -> None:
    files = {"a.cu": WRAPPER.replace("#pragma once\n", "") + '#include "pool.h"\n', "pool.h": "#pragma once\n" + USE}
    texts = translated(tmp_path, files)
    assert "#define hipHostFree(p) released(p)" in texts["a.cu"]
    assert "return hipHostFree(p);" in texts["pool.h"]


def test_a_macro_of_a_header_that_some_builds_include_is_renamed_with_all_uses(tmp_path: Path) -> None:
    source = '#include <cuda_runtime.h>\n#ifdef TRACED\n#include "w.h"\n#endif\n#ifdef cudaFreeHost\nint n;\n#endif\n'
    texts = translated(tmp_path, {"w.h": WRAPPER, "a.cu": source + USE + "#undef cudaFreeHost\n"})
    assert "#define hipHostFree(p) released(p)" in texts["w.h"]
    assert "cudaFreeHost" not in texts["a.cu"]


def test_what_hip_lacks_is_no_error_where_a_header_beside_it_has_its_macro(tmp_path: Path) -> None:
    files = {
        "banks.h": "#pragma once\n#define CUB_SMEM_BANKS 32\n",
        "tile.h": "#pragma once\nconstexpr int tile = 2 * CUB_SMEM_BANKS;\n",
        "a.cu": '#include "banks.h"\n#include "tile.h"\nint n = tile;\n',
        "other.cu": "int banks = CUB_SMEM_BANKS;\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert errors(tmp_path) == ["CUB_SMEM_BANKS"]


def test_a_file_given_by_itself_sees_the_macros_of_its_headers(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "w.h").write_text(WRAPPER)
    (tmp_path / "a.cu").write_text('#include "w.h"\n' + USE)
    convert([tmp_path / "a.cu"], in_place=True, force=True, options=ROCM)
    assert "return cudaFreeHost(p);" in (tmp_path / "a.cu").read_text()
