"""What a run says to do next."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hipify_py.build_systems.kinds import CMAKE, DOCKER, MAKE, MESON, PYTHON
from hipify_py.catalog import load_catalog
from hipify_py.core.findings import EXACT, REVIEW, Finding, Fix, Replacement
from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.targeting import ROC, Targeting
from hipify_py.core.translation import Counts
from hipify_py.project.build_files import BuildFile
from hipify_py.project.result import CHANGED, UNCHANGED, FileResult, failure
from hipify_py.report.next_steps import Run, next_steps

CLEAN = FileResult("src/a.cu", CHANGED, libraries={"runtime": Counts(converted=3)})


def result(*ids: str, libraries: Sequence[str] = (), status: str = CHANGED) -> FileResult:
    entries = [load_catalog().diagnostic(id) for id in ids]
    findings = tuple(Finding(e.id, e.severity, e.effort, "m", "src/b.cu", 0, 1, 1, "n", "runtime") for e in entries)
    counts = {library: Counts(converted=9, unsupported=1) for library in libraries}
    return FileResult("src/b.cu", status, libraries=counts, findings=findings)


def told(
    *results: FileResult, builds: Sequence[BuildFile] = (), options: Options = DEFAULT_OPTIONS, **more: object
) -> list[str]:
    paths: Sequence[str] = more.pop("paths", ["src"])  # type: ignore[assignment]
    converted: Sequence[str] = more.pop("converted", ())  # type: ignore[assignment]
    return next_steps(Run(paths, [options], results, builds, converted), verbose=bool(more.get("verbose")))


def test_nothing_to_do_is_nothing_to_say() -> None:
    assert told() == []
    assert told(CLEAN._replace(status=UNCHANGED)) == []
    assert told(failure("src/a.cu", "HIP901", "no")) == []


def test_the_next_commands() -> None:
    assert told(CLEAN) == [
        "coverage 100.0 %",
        "next:",
        "  translate: hipify-py convert src -o DIR",
        "  compile the translation (needs no GPU): hipify-py compile src",
    ]
    assert told(CLEAN, converted=["out dir"])[2:] == [
        "  compile the translation (needs no GPU): hipify-py compile 'out dir'"
    ]
    run = Run(["src"], [DEFAULT_OPTIONS], [CLEAN], (), ["out"], is_compiled=True)
    assert next_steps(run) == []
    assert "  translate: hipify-py convert 'a b' '$(c)' -o DIR" in told(CLEAN, paths=["a b", "$(c)"])
    assert "  translate: hipify-py convert PATH... -o DIR" in told(CLEAN, paths=["a", "b", "c"])


@pytest.mark.parametrize("name", ["CMakeLists.txt", "Makefile", "GNUmakefile", "setup.py", "meson.build"])
def test_a_project_with_a_build_file_can_be_built(name: str) -> None:
    step = "  build it with its own build system: hipify-py build src"
    told_of = BuildFile(f"src/{name}", MAKE, 3)
    assert step in told(CLEAN, builds=[told_of])
    assert step in told(CLEAN, FileResult(f"src/{name}", UNCHANGED), converted=["out"])
    assert f"{step}/" in told(CLEAN, FileResult(f"src/{name}", UNCHANGED), paths=["src/"])
    assert not any("build it" in line for line in told(CLEAN, FileResult(f"src/below/{name}", UNCHANGED)))
    assert not any("build it" in line for line in told(CLEAN, builds=[told_of], paths=["src", "other"]))
    assert not any("build it" in line for line in told(CLEAN._replace(status=UNCHANGED), builds=[told_of]))


def test_the_gravest_findings_come_first() -> None:
    lines = told(result("HIP103", "HIP103", "HIP103", "HIP102", "HIP101", "HIP105", "HIP105", status=UNCHANGED))
    assert lines == [
        "4 causes left, by effort: 1 medium, 3 low",
        "next:",
        "  src/b.cu:1: error HIP101 m",
        "  src/b.cu:1: error HIP105 m (2 places in 1 file)",
        "  src/b.cu:1: warning HIP102 m",
        "  1 more cause; -v lists them",
        "  explain them: hipify-py explain HIP101 HIP105 HIP102",
    ]
    named = told(result("HIP103", "HIP102", "HIP101", "HIP105", status=UNCHANGED), verbose=True)
    assert "  src/b.cu:1: note HIP103 m" in named
    assert not any("-v" in line for line in named)


def test_the_rocm_that_resolves_findings() -> None:
    found = result("HIP108", "HIP108", "HIP101")
    newer = [each._replace(rocm=rocm) for each, rocm in zip(found.findings, ("6.4", "7.1", ""), strict=True)]
    assert "  2 of 3 errors go away with --rocm 7.1" in told(found._replace(findings=tuple(newer)))
    assert not any("go away" in line for line in told(result("HIP101")))


def test_fixes_that_nobody_asked_for() -> None:
    found = result("HIP303", "HIP303", "HIP305")
    lines = told(found)
    assert "  --fix warp-size fixes most of 2 findings HIP303" in lines
    asked = DEFAULT_OPTIONS._replace(fixes=DEFAULT_OPTIONS.fixes | {"warp-size"})
    assert not any("mends" in line for line in told(found, options=asked))
    none = DEFAULT_OPTIONS._replace(fixes=frozenset())
    assert "  --no-fix wavefront leaves 1 warp finding to you; without it, most are fixed" in told(
        result("HIP305"), options=none
    )


def test_what_can_be_fixed() -> None:
    found = result("HIP114", "HIP303", "HIP101")
    fixes = [Fix("title", sure, (Replacement(0, 1, b"x"),)) for sure in (EXACT, REVIEW)]
    last, loop, other = found.findings
    mendable = found._replace(findings=(last._replace(fix=fixes[0]), loop._replace(fix=fixes[1]), other))
    line = "  1 finding can be fixed: hipify-py check --fix ALL src (--diff shows how)"
    assert line in told(mendable)
    assert not any("can be fixed" in line for line in told(found))


@pytest.mark.parametrize(
    ("libraries", "options", "line"),
    [
        (["cublas"], DEFAULT_OPTIONS, "  link -lhipblas instead of -lcublas"),
        (
            ["cublas"],
            DEFAULT_OPTIONS._replace(targeting=Targeting(target=ROC)),
            "  link -lrocblas instead of -lcublas",
        ),
        (["cudnn", "nccl"], DEFAULT_OPTIONS, "  link -lMIOpen instead of -lcudnn, -lrccl instead of -lnccl"),
        (
            ["cublas", "cublaslt", "cufft", "curand", "cusparse", "nccl"],
            DEFAULT_OPTIONS,
            "  link -lhipblas instead of -lcublas, -lhipblaslt instead of -lcublasLt, -lhipfft instead of -lcufft, "
            "-lhiprand instead of -lcurand, 2 more",
        ),
    ],
)
def test_libraries_to_link(libraries: list[str], options: Options, line: str) -> None:
    assert line in told(result(libraries=libraries), options=options)


def test_build_files_that_were_translated_link_already() -> None:
    makefile = FileResult("src/Makefile", CHANGED, libraries={"make": Counts(converted=2)})
    sources = result(libraries=["cublas"])
    assert not any("link" in line for line in told(sources, makefile))
    assert any("link" in line for line in told(sources, makefile._replace(status=UNCHANGED)))


def test_what_is_hip_already_is_linked_already() -> None:
    ported = FileResult("src/a.cu", UNCHANGED, libraries={"cublas": Counts(native=2, inactive=3, unsupported=1)})
    assert told(ported) == []


def test_headers_alone_are_not_linked() -> None:
    assert not any("link" in line for line in told(result(libraries=["cub", "thrust", "runtime", "fp16", "nvml"])))


def test_build_files_by_what_reads_them() -> None:
    builds = [BuildFile(f"src/{n}/CMakeLists.txt", CMAKE, n) for n in range(1, 6)]
    builds += [BuildFile("src/Makefile", MAKE, 3), BuildFile("setup.py", PYTHON, 1), BuildFile("Dockerfile", DOCKER, 1)]
    lines = told(CLEAN._replace(status=UNCHANGED), builds=builds)
    assert lines[2] == "  8 build files name CUDA and must be ported by hand:"
    assert lines[3].startswith(
        "    src/1/CMakeLists.txt:1, src/2/CMakeLists.txt:2, src/3/CMakeLists.txt:3 and 2 more: "
    )
    assert lines[-1] == "    and 1 other; -v lists them"
    assert "1 build file names CUDA" in told(builds=builds[:1])[1]
    everything = told(builds=[*builds, BuildFile("meson.build", MESON, 1)], verbose=True)
    assert any("src/5/CMakeLists.txt:5: use enable_language(HIP)" in line for line in everything)
    assert any("meson.build:1: " in line for line in everything)


def test_it_is_short() -> None:
    builds = [BuildFile(f"{kind}{n}", kind, n) for kind in (CMAKE, MAKE, PYTHON, DOCKER, MESON) for n in range(9)]
    ids = ["HIP101", "HIP102", "HIP103", "HIP105", "HIP303", "HIP305", "HIP701"]
    libraries = ["cublas", "cublaslt", "cudnn", "cufft", "curand", "cusolver", "nccl"]
    assert len(told(result(*ids, libraries=libraries), builds=builds)) <= 17
