"""`hipify-py compile --syntax`: translated files parsed in memory, and errors at the CUDA lines."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import hipify_py
from hipify_py.clang import precompiled
from hipify_py.clang import worker_pool as asking
from hipify_py.clang.protocol import LIMITS, Job, Limits
from hipify_py.clang.toolchain import Toolchain
from hipify_py.cli.main import run
from hipify_py.compile.check import CompileReport
from hipify_py.compile.diagnostics import message_lines
from hipify_py.compile.syntax.check import check_groups
from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.project.groups import Group
from hipify_py.report.document import document_of, report_of
from tests.compile.syntax_parts import HIP, small_parts

pytest.importorskip("clang.cindex", exc_type=ImportError)

REPORT = Path(hipify_py.__file__).parent / "report"

KERNEL = """\
#include <cuda_runtime.h>
#include "inc/k.cuh"
int main() {
    float *p;
    if (cudaMalloc(&p, 4) != cudaSuccess) return 1;
    k<<<1, 32>>>(p);
    return cudaDeviceSynchronize();
}
"""
HEADER = "#pragma once\n__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def parts(tmp_path: Path) -> Toolchain:
    return small_parts(tmp_path / "parts")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    write(folder, {"src/a.cu": KERNEL, "src/inc/k.cuh": HEADER})
    return folder


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


WIDE = DEFAULT_OPTIONS._replace(fixes=frozenset())
"""Warps of the wavefront's width: masks have 64 bits."""


def check(
    parts: Toolchain,
    *paths: str,
    options: Options = DEFAULT_OPTIONS,
    arch: Sequence[str] = (),
    flags: Sequence[str] = (),
    cache: bool = False,
    limits: Limits = LIMITS,
) -> CompileReport:
    groups = [Group(paths or ["src"], options)]
    (report,) = check_groups([parts], groups, arch=arch, flags=flags, jobs=1, cache=cache, limits=limits)
    return report


def said(report: CompileReport) -> list[str]:
    return [f"{m.path}:{m.line}:{m.column}: {m.severity}: {m.text}" for m in report.messages]


def test_a_project_that_parses_and_nothing_is_written(parts: Toolchain, project: Path) -> None:
    report = check(parts)
    assert (report.compiled, report.failed, said(report), report.untranslated) == (1, 0, [], [])
    assert sorted(path.name for path in project.rglob("*") if path.is_file()) == ["a.cu", "k.cuh"]


def test_errors_are_at_their_cuda_lines_once(parts: Toolchain, project: Path) -> None:
    write(project, {"src/a.cu": KERNEL.replace("k<<<1, 32>>>(p);", "cudaFree(p), oops(p);")})
    write(project, {"src/inc/k.cuh": HEADER + "inline void f() { cudaError_t e = 3.5f; }\n"})
    report = check(parts)
    assert [line.partition(": error:")[0] for line in said(report)] == ["src/inc/k.cuh:3:31", "src/a.cu:6:18"]
    assert report.messages[-1].source_line == "    cudaFree(p), oops(p);"
    assert report.failed == 1


def test_what_only_the_gpu_or_only_the_host_sees(parts: Toolchain, project: Path) -> None:
    write(
        project,
        {
            "src/a.cu": "#include <cuda_runtime.h>\n#ifdef __CUDA_ARCH__\n__device__ int d() { return on_gpu; }\n#else\n"
            "int h() { return on_host; }\n#endif\nint host_only();\n"
            "__global__ void k(int *p) { *p = host_only(); }\n"
        },
    )
    texts = " ".join(said(check(parts)))
    assert "'on_gpu'" in texts
    assert "'on_host'" in texts
    assert "no matching function for call to 'host_only'" in texts


def test_the_host_and_every_gpu_are_parsed(parts: Toolchain, project: Path) -> None:
    write(
        project,
        {
            "src/a.cu": "#include <cuda_runtime.h>\n#if defined(__gfx90a__)\n#error wide\n#elif defined(__gfx1100__)\n#error narrow\n#endif\n"
        },
    )
    assert said(check(parts, arch=("gfx90a", "gfx1100"))) == [
        "src/a.cu:3:2: error: wide",
        "src/a.cu:5:2: error: narrow",
    ]


def test_includes_are_found_by_the_include_graph(parts: Toolchain, project: Path) -> None:
    write(
        project,
        {
            "src/a.cu": KERNEL.replace("inc/k.cuh", "kernels/k.cuh"),
            "include/kernels/k.cuh": HEADER + '#include "util/sizes.h"\n__device__ int n = SIZE;\n',
            "third/util/sizes.h": "#define SIZE 4\n",
        },
    )
    assert said(check(parts, ".")) == []


def test_a_compilation_database_says_how(parts: Toolchain, project: Path) -> None:
    command = ["nvcc", "-DCOUNT=3", "-Iodd", "-Xcompiler", "-Wall", "--plugin=x", "-c", "src/a.cu"]
    entry = {"directory": str(project), "file": "src/a.cu", "arguments": command}
    write(
        project,
        {
            "compile_commands.json": json.dumps([entry]),
            "src/a.cu": '#include <cuda_runtime.h>\n#include "k.h"\nint a[COUNT] = {K};\n',
            "odd/k.h": "#define K 1\n",
            "even/k.h": "#error the other one\n",
        },
    )
    assert said(check(parts, ".")) == []


def test_flags_behind_the_paths(parts: Toolchain, project: Path) -> None:
    write(project, {"src/a.cu": KERNEL + "#ifdef BREAK\n#error broken\n#endif\n"})
    assert said(check(parts)) == []
    assert said(check(parts, flags=("-DBREAK",))) == ["src/a.cu:10:2: error: broken"]


def test_files_that_sources_include_are_parsed_through_them(parts: Toolchain, project: Path) -> None:
    write(
        project,
        {
            "src/a.cu": '#include <cuda_runtime.h>\ntypedef float real;\n#include "part.cu"\n',
            "src/part.cu": "__global__ void k(real *p) { *p = oops; }\n",
        },
    )
    for paths in (["src"], ["src/part.cu", "src/a.cu"]):
        report = check(parts, *paths)
        assert said(report) == ["src/part.cu:1:35: error: use of undeclared identifier 'oops'"]
        assert report.compiled == 1


@pytest.mark.parametrize("name", ["src/deep/part.cuh", "src/part.inl", "include/part.h"])
def test_a_fragment_that_is_given_alone_is_parsed_through_its_includer(
    parts: Toolchain, project: Path, name: str
) -> None:
    short = Path(name).relative_to(*Path(name).parts[:1])
    write(
        project,
        {
            ".git/HEAD": "",
            "src/a.cu": f'#include <cuda_runtime.h>\ntypedef float real;\n#include "{short}"\nint not_asked = wrong;\n',
            name: "__global__ void k(real *p) { *p = oops; }\n",
        },
    )
    assert said(check(parts, name)) == [f"{name}:1:35: error: use of undeclared identifier 'oops'"]


@pytest.mark.parametrize("home", [".", "deep", "deep/er"])
def test_the_users_own_folder_is_not_looked_through(
    parts: Toolchain, project: Path, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        project,
        {
            "src/a.cu": '#include <cuda_runtime.h>\ntypedef float real;\n#include "part.cuh"\n',
            "src/part.cuh": "#pragma once\nreal *p;\n",
        },
    )
    monkeypatch.setenv("HOME", str(project / "src" / home))
    monkeypatch.setenv("USERPROFILE", str(project / "src" / home))
    assert said(check(parts, "src/part.cuh")) == ["src/part.cuh:2:1: error: unknown type name 'real'"]


def test_what_follows_from_a_missing_header_is_folded_into_one(parts: Toolchain, project: Path) -> None:
    text = "#include <cuda_runtime.h>\nint first = early;\n#include <zoo/cat.h>\n#include <zoo/dog.h>\ncat c; dog d;\n"
    write(project, {"src/a.cu": text, "src/b.cu": text.replace("int first = early;", "")})
    assert said(check(parts)) == [
        "src/a.cu:2:13: error: use of undeclared identifier 'early'",
        "src/a.cu:3:10: error: 'zoo/cat.h' file not found (nor 1 other of zoo/; in 2 sources)",
    ]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("register int x = 1;", "ISO C++17 does not allow 'register' storage class specifier"),
        ("struct { int x; } s = {1.5};", "type 'double' cannot be narrowed to 'int' in initializer list"),
    ],
)
def test_warnings_that_stop_the_compiler_are_errors(parts: Toolchain, project: Path, line: str, error: str) -> None:
    write(project, {"src/a.hip": f"#include <hip/hip_runtime.h>\nvoid f() {{\n  {line}\n}}\n"})
    (message,) = said(check(parts, "src/a.hip"))
    assert error in message


def test_a_template_stands_for_the_header_that_the_build_makes_of_it(parts: Toolchain, project: Path) -> None:
    template = (
        "#cmakedefine HAS_ZOO\n#cmakedefine01 HAS_CATS\n@LINES@\n#define CATS @CATS@\n"
        '#define ZOO "${ZOO_DIR}/x"\nstruct Zoo { int cats; };\n'
    )
    text = (
        "#include <cuda_runtime.h>\n#include <conf/zoo.h>\n#if HAS_CATS || defined(HAS_ZOO)\nint cats = dogs;\n#endif\n"
        "Zoo zoo{CATS};\nconst char *where = ZOO;\nint x = oops;\n"
    )
    write(project, {"src/templates/conf/zoo.h.in": template, "src/a.cu": text})
    assert said(check(parts)) == ["src/a.cu:8:9: error: use of undeclared identifier 'oops'"]


def test_errors_in_foreign_headers_are_counted_or_told_where_they_come_from(
    parts: Toolchain, project: Path, tmp_path: Path
) -> None:
    parts = small_parts(tmp_path / "broken", hip=HIP + "inline int broken() { return oops; }\n")
    write(
        project,
        {
            "src/a.cu": "#include <cuda_runtime.h>\nstruct None {};\nint main() {\n  vector_of<None> none;\n}\n",
            "src/b.cpp": "#include <cuda_runtime.h>\nint x;\n",
        },
    )
    # What begins with the broken header has it precompiled; a source that does not sees the error itself.
    write(project, {"src/c.cu": "#define FIRST\n#include <cuda_runtime.h>\nint z;\n"})
    report = check(parts)
    assert said(report) == ["src/a.cu:4:19: error: no type named 'value_type' in 'None' (in hip_runtime.h)"]
    assert report.dropped == 1


def test_the_support_header_is_in_memory_too(parts: Toolchain, project: Path) -> None:
    write(
        project,
        {
            "src/a.cu": "",
            "src/deep/b.cu": '#include <cuda_runtime.h>\n__device__ unsigned long long f(unsigned a) { unsigned r; asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a)); return clock64() + r + __nvvm_get_smem_pointer(0); }\n',
        },
    )
    assert not [line for line in said(check(parts)) if "file not found" in line and "hipify_support" in line]


def test_plain_c_calls_hip_too(parts: Toolchain, project: Path, tmp_path: Path) -> None:
    parts = small_parts(
        tmp_path / "c", hip="typedef enum hipError_t { hipSuccess } hipError_t;\nhipError_t hipFree(void *);\n"
    )
    (tmp_path / "c/hip/include/hip/hip_runtime_api.h").write_text("#include <hip/hip_runtime.h>\n")
    write(
        project,
        {
            "src/a.cu": "",
            "src/b.c": "#include <cuda_runtime_api.h>\nint f(void) { void *class = oops; return cudaFree(class); }\n",
        },
    )
    assert said(check(parts, "src/b.c")) == ["src/b.c:2:29: error: use of undeclared identifier 'oops'"]


SLOW = (
    "#include <cuda_runtime.h>\n"
    "constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nstatic_assert(f(60) == 0);\n"
)
FOREVER = ("-fconstexpr-steps=4294967295", "-fconstexpr-depth=4096")


def test_a_file_that_libclang_cannot_do_costs_no_other(parts: Toolchain, project: Path) -> None:
    write(project, {"src/a.cu": SLOW, "src/b.cu": "#include <cuda_runtime.h>\nint x = y;\n"})
    report = check(parts, limits=Limits(2), flags=FOREVER)
    assert said(report) == ["src/b.cu:2:9: error: use of undeclared identifier 'y'"]
    (failed,) = report.untranslated
    assert failed.path == "src/a.cu"
    assert "out of time" in failed.findings[0].message
    assert (report.compiled, report.failed, report.unanswered) == (1, 1, 1)


@pytest.mark.parametrize(
    ("files", "summary"),
    [
        ({"src/a.cu": KERNEL, "src/b.cu": SLOW}, "1 file parsed, 0 with errors; 1 file could not be parsed\n"),
        (
            {"src/a.cu": SLOW, "src/b.cu": SLOW, "src/c.cu": "int x = y;\n"},
            "1 file parsed, 1 with errors; 2 files could not be parsed\n",
        ),
        ({"src/a.cu": SLOW}, "0 files parsed, 0 with errors; 1 file could not be parsed\n"),
    ],
)
def test_only_files_with_an_answer_count_as_parsed(
    files: dict[str, str],
    summary: str,
    parts: Toolchain,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("hipify_py.cli.compile.find_toolchain", lambda **wanted: parts)
    monkeypatch.setattr("hipify_py.cli.compile.check_groups", partial(check_groups, limits=Limits(2)))
    write(project, files)
    assert run(["compile", "src", "--syntax", "--", *FOREVER]) == 3
    assert summary in capsys.readouterr().err


def test_where_includes_are_nested_deeply_no_source_is_lost(parts: Toolchain, project: Path) -> None:
    deep = "#include <cuda_runtime.h>\n" + "#if 1\n" * 3000 + "int x = y;\n" + "#endif\n" * 3000
    write(project, {"src/a.cu": deep})
    assert said(check(parts)) == ["src/a.cu:3002:9: error: use of undeclared identifier 'y'"]


def test_files_that_cannot_be_translated(parts: Toolchain, project: Path) -> None:
    (project / "src/bad.cu").write_bytes(b"\0\0")
    report = check(parts)
    assert [result.path for result in report.untranslated] == ["src/bad.cu"]
    assert report.compiled == 1


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What children are asked, job by job."""
    jobs: list[str] = []
    packed = asking.packed_job

    def note(job: Job, *more: Any) -> bytes:
        jobs.append(f"{job.kind} {Path(job.path).name}")
        return packed(job, *more)

    monkeypatch.setattr(asking, "packed_job", note)
    return jobs


def test_answers_are_kept_as_long_as_all_that_was_read_is_as_it_was(
    parts: Toolchain, project: Path, asked: list[str]
) -> None:
    write(project, {"src/a.cu": KERNEL + "int x = y;\n", "src/b.cu": "#include <cuda_runtime.h>\nint b;\n"})
    first = check(parts, cache=True)
    del asked[:]
    again = check(parts, cache=True)
    assert (again.messages, again.compiled, again.failed) == (first.messages, first.compiled, first.failed)
    assert [(parsed.is_kept, parsed.seconds) for parsed in again.parsed or ()] == [(True, 0), (True, 0)]
    assert asked == []
    write(project, {"src/inc/k.cuh": HEADER + "int y;\n"})
    assert said(check(parts, cache=True)) == []
    assert asked == ["messages a.cu"]
    del asked[:]
    check(parts, cache=True, flags=("-DX",))
    assert "messages b.cu" in asked


@pytest.mark.parametrize("value", ["{}", "(0 + {})"])
def test_an_answer_hangs_on_the_macros_of_the_database(parts: Toolchain, project: Path, value: str) -> None:
    write(project, {"src/a.cu": "#include <cuda_runtime.h>\n#if COUNT == 2\n#error two\n#endif\n"})
    for number, expected in (("1", []), ("2", ["src/a.cu:3:2: error: two"]), ("1", [])):
        command = ["nvcc", f"-DCOUNT={value.format(number)}", "-c", "src/a.cu"]
        entry = {"directory": str(project), "file": "src/a.cu", "arguments": command}
        write(project, {"compile_commands.json": json.dumps([entry])})
        assert said(check(parts, ".", cache=True)) == expected


def test_what_is_included_first_is_seen_as_it_is_translated(parts: Toolchain, project: Path) -> None:
    command = ["nvcc", "-include", "src/first.cuh", "-c", "src/a.cu"]
    entry = {"directory": str(project), "file": "src/a.cu", "arguments": command}
    write(
        project,
        {
            "compile_commands.json": json.dumps([entry]),
            "src/first.cuh": "#include <cuda_runtime.h>\ninline void wait() { cudaDeviceSynchronize(); }\n",
            "src/a.cu": "int main() { wait(); return cudaDeviceSynchronize(); }\n",
        },
    )
    assert said(check(parts, ".")) == []


def test_a_header_that_comes_earlier_on_the_search_path_is_seen(
    parts: Toolchain, project: Path, asked: list[str], tmp_path: Path
) -> None:
    own = "#include <cuda_runtime.h>\nint x = own;\n"
    write(project, {"src/a.cu": "#include <far/own.h>\n" + own, "src/b.cu": own.replace("own", "x0")})
    write(tmp_path, {"first/far/other.h": "", "last/far/own.h": "const int own = 1;\n"})
    flags = (f"-I{tmp_path / 'first'}", f"-I{tmp_path / 'last'}")
    of_other = ["src/b.cu:2:9: error: use of undeclared identifier 'x0'"]
    assert said(check(parts, cache=True, flags=flags)) == of_other
    del asked[:]
    assert said(check(parts, cache=True, flags=flags)) == of_other
    assert asked == []
    write(tmp_path, {"first/far/own.h": "const int other = 1;\n"})
    of_own = "src/a.cu:3:9: error: use of undeclared identifier 'own'"
    assert said(check(parts, cache=True, flags=flags)) == [of_own, *of_other]


def test_an_answer_that_lacks_a_header_is_asked_for_again(parts: Toolchain, project: Path, tmp_path: Path) -> None:
    write(project, {"src/a.cu": "#include <cuda_runtime.h>\n#include <far/away.h>\n"})
    flags = (f"-I{tmp_path / 'elsewhere'}",)
    assert "file not found" in said(check(parts, cache=True, flags=flags))[0]
    write(tmp_path, {"elsewhere/far/away.h": ""})
    assert said(check(parts, cache=True, flags=flags)) == []


def test_a_precompiled_header_that_is_stale_is_made_anew(
    parts: Toolchain, project: Path, tmp_path: Path, asked: list[str]
) -> None:
    assert said(check(parts)) == []
    assert len([*Path(precompiled.folder()).glob("*.pch")]) == 4  # for two passes, before HIP's header and with it
    header = tmp_path / "parts/hip/include/hip/hip_runtime.h"
    header.write_text(HIP.replace("hipDeviceSynchronize", "hipDeviceSynchronise"))
    report = check(parts)
    assert said(report) == ["src/a.cu:7:12: error: use of undeclared identifier 'hipDeviceSynchronize'"]


def test_a_precompiled_header_may_be_removed_at_any_time(
    parts: Toolchain, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = asking.packed_job

    def remove_before(job: Job, *more: Any) -> bytes:
        if job.kind == "messages":
            precompiled.clear()
        return packed(job, *more)

    monkeypatch.setattr(asking, "packed_job", remove_before)
    report = check(parts)
    assert (said(report), report.untranslated) == ([], [])


def test_what_a_killed_libclang_was_writing_counts_and_is_cleared(tmp_path: Path) -> None:
    folder = Path(precompiled.folder())
    folder.mkdir(parents=True)
    for ending in (".temp-stream-1a2b3c", "-1a2b3c4d"):
        (folder / f"{'0' * 24}.pch.77.new{ending}").write_text("half")
    (folder / "else.pch").write_text("another one's")
    assert precompiled.size() == (2, 8)
    assert precompiled.clear() == 2
    assert [path.name for path in folder.iterdir()] == ["else.pch"]


def test_precompiled_headers_of_others_are_not_taken(parts: Toolchain, project: Path, asked: list[str]) -> None:
    check(parts)
    for path in Path(precompiled.folder()).glob("*.pch"):
        path.chmod(0o666)
    del asked[:]
    assert said(check(parts)) == []
    assert asked.count("precompile begin.h") == 4


def test_what_comes_before_the_runtime_header_is_not_passed_over(
    parts: Toolchain, project: Path, tmp_path: Path
) -> None:
    parts = small_parts(tmp_path / "asking", hip=HIP + "#ifdef WANTED\nint wanted;\n#endif\n")
    write(
        project,
        {
            "src/a.cu": "#define WANTED\n#include <cuda_runtime.h>\nint x = wanted;\n",
            "src/b.cu": "#include <cuda_runtime.h>\n#define WANTED\nint y = wanted;\n",
        },
    )
    assert said(check(parts)) == ["src/b.cu:3:9: error: use of undeclared identifier 'wanted'"]


def test_the_command_without_hipcc(
    parts: Toolchain, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hipify_py.cli.compile.find_toolchain", lambda **wanted: parts)
    monkeypatch.setattr("hipify_py.cli.compile.find_hipcc", lambda: None)
    write(project, {"src/a.cu": KERNEL.replace("k<<<1, 32>>>(p);", "cudaFree(p), oops(p);")})
    assert run(["compile", "src"]) == 2
    assert "hipify-py compile --syntax" in capsys.readouterr().err
    assert run(["compile", "src", "--syntax"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[:2] == [
        "src/a.cu:6:18: error: use of undeclared identifier 'oops'",
        "        cudaFree(p), oops(p);",
    ]
    assert "1 file parsed, 1 with errors" in err
    assert "HIP 6.4" in err
    write(project, {"src/a.cu": KERNEL})
    assert run(["compile", "src", "--syntax", "--", "-DX"]) == 0


@pytest.mark.parametrize("missing", ["library", "resources", "hip"])
def test_what_is_missing_to_parse_is_told(
    missing: str,
    parts: Toolchain,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("hipify_py.cli.compile.find_toolchain", lambda **wanted: parts._replace(**{missing: None}))
    assert run(["compile", "src", "--syntax"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    names = {"library": "libclang", "resources": "clang's own headers", "hip": "HIP's headers"}
    assert f"--syntax needs {names[missing]}" in err
    assert "hipify-py doctor" in err


def test_the_cache_shows_and_clears_precompiled_headers(
    parts: Toolchain, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(parts, cache=True)
    assert run(["cache"]) == 0
    assert precompiled.folder() in capsys.readouterr().out
    assert run(["cache", "clear"]) == 0
    assert precompiled.size() == (0, 0)


def narrowings(report: CompileReport) -> list[str]:
    return [f"{m.path}:{m.line}: {m.text.partition(': ')[2]}" for m in report.messages if m.id == "HIP331"]


@pytest.mark.parametrize(
    ("text", "line", "types"),
    [
        ("template <typename T> __device__ void put(T *to, bool v) { *to = __ballot_sync(0xffffffff, v); }\n"
         "template __device__ void put<unsigned>(unsigned *, bool);\n", 2, "'unsigned long long' to 'unsigned int'"),
        ("template <typename T> struct A { T m; __device__ void f(int v) { m = __ballot_sync(~0u, v); } };\n"
         "__global__ void k() { A<int> a; a.f(1); }\n", 2, "'unsigned long long' to 'int'"),
    ],
)  # fmt: skip
def test_a_mask_that_is_cut_in_a_template_is_found(
    text: str, line: int, types: str, parts: Toolchain, project: Path
) -> None:
    write(project, {"src/a.cu": "#include <cuda_runtime.h>\n" + text})
    report = check(parts, options=WIDE)
    assert narrowings(report) == [f"src/a.cu:{line}: {types}"]
    assert report.failed == 0


def test_what_narrows_in_cuda_too_is_not_told(parts: Toolchain, project: Path) -> None:
    text = "#include <cuda_runtime.h>\nunsigned f(unsigned long long x) { return x; }\nint g(size_t n) { return n; }\n"
    write(project, {"src/a.cu": text + "void h(float *p) { cudaFree(p); }\n"})
    assert narrowings(check(parts)) == []


def test_nothing_is_said_of_narrowings_behind_a_header_that_only_hip_has(
    parts: Toolchain, project: Path, tmp_path: Path
) -> None:
    write(tmp_path / "parts", {"hip/include/hipcub/hipcub.hpp": "inline long total() { return 1; }\n"})
    write(
        project,
        {"src/a.cu": "#include <cuda_runtime.h>\n#include <cub/cub.cuh>\nint f() { int n = total(); return n; }\n"},
    )
    assert narrowings(check(parts)) == []


CUT = (
    "#include <cuda_runtime.h>\n"
    "template <typename T> struct A { T m; __device__ void f(int v) { m = __ballot_sync(~0u, v); } };@\n"
    "__global__ void k() { A<int> a; a.f(1); }\n"
)


@pytest.mark.parametrize(
    "comment",
    [
        " // hipify: ignore[HIP331] the lanes are 32",
        " // hipify: ignore",
        "\n// hipify: ignore-file[HIP331]",
        " // hip331",
    ],
)
def test_a_comment_suppresses_a_value_that_is_cut(comment: str, parts: Toolchain, project: Path) -> None:
    write(project, {"src/a.cu": CUT.replace("@", comment)})
    assert bool(narrowings(check(parts, options=WIDE))) == ("hipify:" not in comment)


@pytest.mark.parametrize(
    "options",
    [
        WIDE._replace(ignore=frozenset({"HIP331"})),
        WIDE._replace(unselected=frozenset({"HIP331"})),
    ],
)
def test_options_leave_out_a_value_that_is_cut(options: Options, parts: Toolchain, project: Path) -> None:
    write(project, {"src/a.cu": CUT.replace("@", "")})
    assert narrowings(check(parts, options=options)) == []
    write(project, {"src/a.cu": CUT.replace("@", " int e = none;")})
    assert [message.severity for message in check(parts, options=options).messages] == ["error"]


def test_a_value_that_is_cut_is_as_grave_as_the_configuration_says(parts: Toolchain, project: Path) -> None:
    write(project, {"src/a.cu": CUT.replace("@", "")})
    report = check(parts, options=WIDE._replace(severities=(("HIP331", "error"),)))
    assert [(message.id, message.severity) for message in report.messages] == [("HIP331", "error")]


def test_without_cudas_headers_nothing_is_said_of_narrowings(parts: Toolchain, project: Path) -> None:
    write(
        project,
        {
            "src/a.cu": "#include <cuda_runtime.h>\nunsigned f(unsigned long long x) { return x; }\nvoid h(float *p) { cudaFree(p); }\n"
        },
    )
    assert said(check(parts._replace(cuda=None))) == []


def test_the_hip_text_is_shown_beside(parts: Toolchain, project: Path) -> None:
    write(project, {"src/a.cu": KERNEL.replace("k<<<1, 32>>>(p);", "cudaFree(p), oops(p);")})
    (message,) = check(parts).messages
    assert message_lines(message)[-1] == "    in HIP: hipFree(p), oops(p);"
    write(project, {"src/a.cu": KERNEL.replace("k<<<1, 32>>>(p);", "oops(p);")})
    (message,) = check(parts).messages
    assert not [line for line in message_lines(message) if "in HIP" in line]


def test_a_header_of_the_project_does_not_hide_one_of_the_system(
    parts: Toolchain, project: Path, tmp_path: Path
) -> None:
    write(tmp_path, {"parts/hip/include/limits_of_all.h": "#define FROM 1\n"})
    text = '#include <cuda_runtime.h>\n#include "mine.h"\n#include <limits_of_all.h>\nint a[FROM] = {1};\n'
    mine = {"include/mine.h": "", "include/limits_of_all.h": "#error hides the other\n"}
    write(project, {"src/a.cu": text, **mine})
    assert said(check(parts, ".")) == []


@pytest.mark.parametrize(
    "text",
    [
        "#include <cuda_runtime.h>\n#include <zoo/cat.h>\nint a = late;\n#include <zoo/dog.h>\n",
        "#include <cuda_runtime.h>\n#include <zoo/cat.h>\n#include <zoo/dog.h>\n",
        "#define EARLY\n#include <cuda_runtime.h>\n#include <zoo/cat.h>\nvoid f() { late(); }\n#include <zoo/dog.h>\n",
        "int x;\n#include <zoo/cat.h>\ntemplate <class T> int f(T t) { return t.no; }\nint y = f(1);\n#include <zoo/dog.h>\n",
    ],
)
def test_behind_a_missing_header_others_that_are_missing_are_told(
    text: str, parts: Toolchain, project: Path, tmp_path: Path
) -> None:
    write(project, {"src/a.cu": text})
    (told,) = said(check(parts))
    assert told.endswith("'zoo/cat.h' file not found (nor 1 other of zoo/)")
    write(tmp_path / "parts/hip/include", {"zoo/cat.h": "", "zoo/dog.h": ""})
    assert not [line for line in said(check(parts)) if "file not found" in line]


def test_errors_before_a_missing_header_are_told(parts: Toolchain, project: Path) -> None:
    text = "#include <cuda_runtime.h>\n__device__ int f() { return early; }\n#include <zoo/cat.h>\nint a = late;\n"
    write(project, {"src/a.cu": text})
    assert said(check(parts)) == [
        "src/a.cu:2:29: error: use of undeclared identifier 'early'",
        "src/a.cu:3:10: error: 'zoo/cat.h' file not found",
    ]


def test_how_sources_were_parsed_is_told(
    parts: Toolchain, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hipify_py.cli.compile.find_toolchain", lambda **wanted: parts)
    write(project, {"src/a.cu": KERNEL, "src/b.cu": "#include <cuda_runtime.h>\nint b;\n#include <zoo/cat.h>\n"})
    assert run(["compile", "src", "--syntax", "--verbose"]) == 1
    first, second = capsys.readouterr().err.splitlines()[:2]
    assert re.fullmatch(r"src/a\.cu: parsed 2 times; \d\.\d\d s of processor time; 1 include precompiled", first)
    assert re.fullmatch(r"src/b\.cu: parsed 3 times; .*; 1 include precompiled; not found: zoo/cat\.h", second)
    assert run(["compile", "src", "--syntax", "--verbose"]) == 1
    assert "src/a.cu: parsed 2 times; kept from an earlier run" in capsys.readouterr().err
    assert run(["compile", "src", "--syntax", "--verbose", "--quiet"]) == 1
    assert "parsed" not in capsys.readouterr().err


def test_the_account_counts_no_references_and_lists_what_is_suppressed(
    parts: Toolchain, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hipify_py.cli.compile.find_toolchain", lambda **wanted: parts)
    write(
        project, {"src/a.cu": CUT.replace("@", " // hipify: ignore[HIP331] 32 lanes"), "src/inc/k.cuh": "#error no\n"}
    )
    write(project, {"src/b.cu": '#include "inc/k.cuh"\n'})
    assert run(["compile", "src", "--syntax", "--no-fix", "wavefront", "--format", "json", "-q"]) == 1
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, json.loads((REPORT / "report.schema.json").read_text()))
    assert (document["totals"]["references"], document["totals"]["files"]) == (None, None)
    assert document["totals"]["suppressed"] == 1
    assert {key: document["compiled"][key] for key in ("sources", "failed", "dropped")} == {
        "sources": 2,
        "failed": 1,
        "dropped": 0,
    }
    assert [(parsed["path"], parsed["passes"]) for parsed in document["compiled"]["parsed"]] == [
        ("src/a.cu", 2),
        ("src/b.cu", 2),
    ]
    by_path = {file["path"]: file for file in document["files"]}
    (suppressed,) = by_path["src/a.cu"]["suppressed"]
    assert (suppressed["id"], suppressed["suppression"], suppressed["line"]) == ("HIP331", "comment", 2)
    assert {(file["status"], file["references"]) for file in document["files"]} == {(None, None)}
    read = report_of(document)
    assert document_of(read) == document
    assert run(["compile", "src", "--syntax", "--no-fix", "wavefront", "--format", "sarif", "-q"]) == 1
    properties = json.loads(capsys.readouterr().out)["runs"][0]["properties"]
    assert properties["compiled"] == {"sources": 2, "failed": 1}
    assert "coverage" not in properties


def test_errors_in_the_formats_of_check(
    parts: Toolchain, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hipify_py.cli.compile.find_toolchain", lambda **wanted: parts)
    write(project, {"src/a.cu": KERNEL.replace("k<<<1, 32>>>(p);", "cudaFree(p), oops(p);")})
    assert (
        run(
            ["compile", "src", "--syntax", "--rocm", "6.4", "--format", "json", "-q", "--output-file", "github=out.txt"]
        )
        == 1
    )
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, json.loads((REPORT / "report.schema.json").read_text()))
    assert document["targeting"]["rocm"] == "6.4"
    (file,) = document["files"]
    (finding,) = file["findings"]
    assert (finding["id"], finding["line"], finding["column"], finding["end_column"]) == ("HIP920", 6, 18, 22)
    assert "use of undeclared identifier 'oops' (in HIP: hipFree(p), oops(p);)" in finding["message"]
    assert (project / "out.txt").read_text().startswith("::error file=src/a.cu,line=6,")
    assert run(["compile", "src", "--syntax", "--format", "sarif", "-q"]) == 1
    (told,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert told["ruleId"] == "HIP920"
