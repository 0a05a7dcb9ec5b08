"""Names like CUDA's that some file of the project declares: they are no references, wherever they are used."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import check

_USE = "#include <cuda_runtime.h>\nvoid f() {\n  @;\n  cudaFree(0);\n}\n"


def reported(folder: Path, *given: str) -> list[str]:
    """The names that errors and warnings are about."""
    report = check([folder / name for name in given] or [folder])
    return [finding.name for result in report.results for finding in result.findings if finding.severity != "note"]


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


DECLARED = {
    "function": ("int nvcompMyThing(int);", "nvcompMyThing(3)"),
    "type": ("typedef struct { int x; } nvcompMyOpts_t;", "nvcompMyOpts_t o"),
    "struct": ("struct nvcompState { int x; };", "nvcompState s"),
    "enumerator": ("enum nvcompMode { nvcompModeA, NVCOMP_MODE_B };", "int k = nvcompModeA + NVCOMP_MODE_B"),
    "macro": ("#define NVCOMP_MAGIC 7", "int k = NVCOMP_MAGIC"),
    "macro with parameters": ("#define NVCOMP_MAX(a, b) ((a) > (b) ? (a) : (b))", "int k = NVCOMP_MAX(1, 2)"),
    "class": ("class cudaPool { public: static int cublasHelper(); };", "cudaPool p; cudaPool::cublasHelper()"),
    "variable": ("extern int cudaMyGlobal;", "cudaMyGlobal = 3"),
    "template": ("template <class T> int cudnnMyTemplate(T t);", "cudnnMyTemplate<int>(3)"),
    "namespace": (
        "namespace nvcomp { struct Manager { int x; }; int decode(int); }",
        "nvcomp::Manager m; nvcomp::decode(1)",
    ),
    "nested namespace": ("namespace nvcomp::detail { int decode(int); }", "nvcomp::detail::decode(1)"),
    "namespace within others": (
        "namespace mine::cuGates { int decode(int); }\nusing namespace mine;",
        "cuGates::decode(1)",
    ),
    "alias": ("using nvjpegMine = int;", "nvjpegMine n"),
}


@pytest.mark.parametrize("name", DECLARED)
def test_a_name_that_a_header_of_the_project_declares_is_the_projects(tmp_path: Path, name: str) -> None:
    header, use = DECLARED[name]
    write(tmp_path, {"include/own.h": header + "\n", "src/a.cu": '#include "own.h"\n' + _USE.replace("@", use)})
    assert reported(tmp_path) == []
    (result,) = [result for result in check([tmp_path]).results if result.path.endswith("a.cu")]
    assert (result.counts.unknown, result.counts.unsupported) == (0, 0)


@pytest.mark.parametrize("name", DECLARED)
def test_a_file_given_by_itself_is_told_of_what_its_headers_declare(tmp_path: Path, name: str) -> None:
    header, use = DECLARED[name]
    write(tmp_path, {"include/own.h": header + "\n", "src/a.cu": '#include "own.h"\n' + _USE.replace("@", use)})
    (tmp_path / ".git").mkdir()
    assert reported(tmp_path, "src/a.cu") == []


@pytest.mark.parametrize("name", DECLARED)
def test_a_name_that_no_file_declares_is_reported(tmp_path: Path, name: str) -> None:
    _, use = DECLARED[name]
    write(tmp_path, {"src/a.cu": _USE.replace("@", use)})
    assert reported(tmp_path) != []


def test_a_source_declares_for_the_others_too(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"a.cu": _USE.replace("@", "nvcompMyThing(3)"), "b.cpp": "int nvcompMyThing(int n) { return n; }\n"},
    )
    assert reported(tmp_path) == []


def test_a_namespace_of_a_library_that_the_project_uses_is_the_librarys(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "own.h": "namespace nvcomp { int more(int); }\n",
            "a.cu": "#include <nvcomp.hpp>\n" + _USE.replace("@", "nvcomp::LZ4Manager m"),
        },
    )
    assert "nvcomp::LZ4Manager" in reported(tmp_path)
    write(tmp_path, {"own.h": "#include <cutlass/cutlass.h>\nnamespace cutlass { struct Mine {}; }\n", "a.cu": ""})
    assert "cutlass" in " ".join(reported(tmp_path))


def test_a_symbol_of_the_tables_stays_reported_whatever_others_define(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.h": "#ifdef OLD\nint cudaGraphConditionalHandleCreate(int);\n#endif\n",
            "a.cu": '#include "a.h"\n' + _USE.replace("@", "cudaGraphConditionalHandleCreate(a, b, 0, 0)"),
        },
    )
    assert "cudaGraphConditionalHandleCreate" in reported(tmp_path)
