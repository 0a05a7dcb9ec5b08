"""Fixes that findings carry: each mends its finding, in the source and in what it is converted to."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify_py import Finding, Options, translate
from hipify_py.catalog import load_catalog
from hipify_py.core.edits import Edit, apply, composed
from hipify_py.core.findings import EXACT
from hipify_py.core.options import DEFAULT_FIXES
from hipify_py.core.source import Source
from hipify_py.findings.fingerprints import apart, edits_of
from hipify_py.support_header import HEADER
from hipify_py.support_header.header import render
from tests.fixed_sources import BRANCH, CASES, ENUMERATORS, LINKAGE, OPERATIONS, Case

TREE = os.environ.get("HIPIFY_PY_ROCM_TREES", "")
EVERY_ID = frozenset(entry.id for entry in load_catalog().diagnostics() if entry.fix)
OFFERED = Options(offered=EVERY_ID)

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.id} {case.name}")


def mending(*ids: str) -> Options:
    return Options(fixes=DEFAULT_FIXES.union(ids))


def fixable(source: str | bytes, id: str, path: str = "a.cu") -> list[Finding]:
    """The findings of an id that have a fix."""
    found = translate(source, path=path, options=Options(offered=frozenset({id}))).findings
    return [finding for finding in found if finding.id == id and finding.fix is not None]


def mended(source: str | bytes, findings: list[Finding]) -> bytes:
    """A source with the fixes of findings applied at once."""
    data = source.encode() if isinstance(source, str) else source
    return apply(data, edits_of(findings))


def test_every_id_with_a_fix_is_tried() -> None:
    assert {case.id for case in CASES} == EVERY_ID


@each_case
def test_a_fix_mends_its_finding(case: Case) -> None:
    findings = fixable(case.source, case.id, case.path)
    assert mended(case.source, findings).decode() == case.mended
    assert not fixable(case.mended, case.id, case.path)
    left = translate(case.mended, path=case.path, options=OFFERED).findings
    assert case.id not in [finding.id for finding in left]


@each_case
def test_a_conversion_converts_the_mended_source(case: Case) -> None:
    done = translate(case.source, path=case.path, options=mending(case.id))
    assert done.output.decode() == case.converted
    assert apply(case.source.encode(), done.edits) == done.output
    assert case.id not in [finding.id for finding in done.findings]
    assert case.id in [fix.name for fix in done.fixes]
    again = translate(done.output, path=case.path, options=mending(case.id))
    assert again.output == done.output
    assert not again.edits


@each_case
def test_line_ends_stay(case: Case) -> None:
    source = case.source.replace("\n", "\r\n")
    assert mended(source, fixable(source, case.id, case.path)).decode() == case.mended.replace("\n", "\r\n")


@each_case
def test_the_places_of_edits_are_those_of_the_source(case: Case) -> None:
    source = Source(case.source.encode(), case.path)
    lines = case.source.splitlines()
    for finding in fixable(case.source, case.id, case.path):
        assert finding.fix is not None
        assert finding.fix.title == load_catalog().diagnostic(case.id).fix
        for edit in finding.fix.edits:
            assert (edit.line, edit.column) == source.position(edit.start)
            assert (edit.end_line, edit.end_column) == source.position(edit.end)
        for touched in finding.fix.lines:
            assert list(touched.old) == lines[touched.line - 1 : touched.line - 1 + len(touched.old)]
            assert touched.old != touched.new


@each_case
def test_the_order_of_fixes_does_not_matter(case: Case) -> None:
    """One at a time, each found anew, they come to the same as all at once."""
    findings = fixable(case.source, case.id, case.path)
    assert apart(findings) == (findings, [])
    for seed in range(6):
        chosen, source = random.Random(seed), case.source.encode()
        for _ in findings:
            source = mended(source, [chosen.choice(fixable(source, case.id, case.path))])
        assert source.decode() == case.mended


def test_fixes_of_several_ids_come_to_the_same_in_any_order() -> None:
    ids = sorted(EVERY_ID - {"HIP907"})
    source = OPERATIONS + BRANCH + ENUMERATORS + "auto e = (curandRngType_t)100;\n"
    source += "cudaFoo_t a;  // hipify: ignore HIP102\n"

    def found(text: bytes) -> list[Finding]:
        return [one for one in translate(text, options=Options(offered=frozenset(ids))).findings if one.fix is not None]

    first = found(source.encode())
    assert {finding.id for finding in first} == {"HIP114", "HIP305", "HIP906"}
    at_once = mended(source, first)
    for seed in range(8):
        chosen, text = random.Random(seed), source.encode()
        for _ in first:
            text = mended(text, [chosen.choice(found(text))])
        assert text == at_once
    assert translate(source, options=mending(*ids)).output == translate(at_once).output


COMPILED = [pytest.param(case, id=f"{case.id} {case.name}") for case in CASES if case.compiles]


@pytest.mark.compiler
@pytest.mark.parametrize("arch", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("case", COMPILED)
def test_a_mended_source_compiles_as_hip(case: Case, arch: str, tmp_path: Path) -> None:
    clang = shutil.which("clang++-22")
    if not TREE or clang is None:
        pytest.skip("NOT COMPILED: HIPIFY_PY_ROCM_TREES or clang++-22 is missing")
    done = translate(case.source, path=case.path, options=mending(case.id))
    (tmp_path / "a.hip").write_bytes(done.output)
    (tmp_path / HEADER).write_bytes(render(done.support))
    tree = os.path.join(TREE, "rocm-7.1")
    width = "32" if arch.startswith("gfx1") else "64"  # upstream clang dropped what ROCm's defines
    command = [clang, "-x", "hip", f"--offload-arch={arch}", f"--rocm-path={tree}", "-isystem", f"{tree}/include"]
    command += [f"-D__AMDGCN_WAVEFRONT_SIZE={width}", "--cuda-device-only", "-O1", "-c", "a.hip", "-o", os.devnull]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1800, check=False)
    assert run.returncode == 0, run.stderr[:4000]


@pytest.mark.compiler
@pytest.mark.parametrize("case", COMPILED)
def test_a_mended_source_compiles_as_what_it_was(case: Case, tmp_path: Path) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None or "hip/" in case.source:
        pytest.skip("NOT COMPILED: nvcc is missing, or the source is HIP")
    if "cublas_v2.h" in case.source and not Path(nvcc).resolve().parents[1].joinpath("include/cublas_v2.h").is_file():
        pytest.skip("NOT COMPILED: there is no cuBLAS beside nvcc")
    (tmp_path / "a.cu").write_text(case.mended)
    command = [nvcc, "-c", "a.cu", "-o", "a.o"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1800, check=False)
    assert run.returncode == 0, run.stderr[:4000]


def test_what_is_suppressed_is_not_mended() -> None:
    source = OPERATIONS.replace(")1;", ")1;  // hipify: ignore[HIP114]")
    done = translate(source, options=mending("HIP114"))
    assert b")1;" in done.output
    assert b")HIPBLAS_OP_N" in done.output
    assert [finding.id for finding in done.suppressed] == ["HIP114"]


def test_what_was_declined_is_reported_with_its_fix() -> None:
    first, second = fixable(OPERATIONS, "HIP114")
    options = mending("HIP114")._replace(declined=frozenset({(first.path, first.id, first.offset)}))
    done = translate(OPERATIONS, path="a.cu", options=options)
    assert done.output == translate(mended(OPERATIONS, [second])).output.replace(b")HIPBLAS_OP_T", b")1")
    (left,) = done.findings
    assert left == first
    assert len(done.fixes) == 1


def test_what_is_left_stands_at_its_place_in_the_source() -> None:
    source = (
        OPERATIONS.replace("cublasOperation_t pick", "int n;  // hipify: ignore[HIP101]\n\ncublasOperation_t pick", 1)
        + "cudaFoo_t after;\n"
    )
    source = source.replace("int n;", "int n; cudaBar_t beside;")
    plain, done = translate(source), translate(source, options=mending("HIP907", "HIP114"))
    assert [one for one in plain.findings if one.id == "HIP102"] == done.findings
    assert [one.id for one in done.findings] == ["HIP102", "HIP102"]
    assert [ref for ref in plain.references if ref.library not in ("device", "cublas")] == [
        ref for ref in done.references if ref.library not in ("device", "cublas")
    ]


def test_kernels_in_texts_are_mended_too() -> None:
    source = 'const char *text = R"(' + BRANCH.replace("#include <cuda_runtime.h>\n", "") + ')";\n'
    done = translate(source, options=mending("HIP305"))
    assert done.output.count(b"__shfl(v, leader, 32)") == 2
    offered = [one for one in translate(source, options=OFFERED).findings if one.id == "HIP305"]
    expected = source.replace("__shfl(v, leader)", "__shfl(v, leader, 32)")
    expected = expected.replace("__shfl_down_sync(~0ull, /* which */ v, 1)", "__shfl_down(v, 1, 32)")
    assert mended(source, offered).decode() == expected


@pytest.mark.parametrize(
    ("id", "source"),
    [
        ("HIP114", "auto one = (cublasOperation_t)2;\n"),  # two of CUDA's names have that number
        ("HIP114", "auto none = (cublasOperation_t)3;\n"),
        ("HIP111", LINKAGE.replace("#include <stddef.h>", "#define CUDA_API_PER_THREAD_DEFAULT_STREAM")),
        ("HIP111", LINKAGE.replace("#include <cuda", "#ifdef GPU\n#include <cuda").replace("API\n", "API\n#endif\n")),
        (
            "HIP305",
            BRANCH.replace("__shfl_down_sync(~0ull, /* which */ v, 1)", "__any(v)").replace("__shfl(v, l", "f(v, l"),
        ),
        ("HIP906", "int a;  // hipify: ignore[HIP998]\n"),
        ("HIP906", "int a;  // hipify: ignores HIP101\n"),
        ("HIP906", "int a;  // hipify: ignore HIP998\n"),
        ("HIP907", "/* ours\n * hipify: ignore[HIP101]\n * or not */\nint a;\n"),
    ],
)
def test_what_is_not_sure_has_no_fix(id: str, source: str) -> None:
    found = translate(source, path="a.cu", options=OFFERED).findings
    assert id in [finding.id for finding in found]
    assert not [finding for finding in found if finding.id == id and finding.fix is not None]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int a;  /// hipify: ignore[HIP101]\n", "int a;\n"),
        ("int a;  // ours // hipify: ignore[HIP101]\n", "int a;  // ours\n"),
        ("int a;  // hipify: ignore[HIP101]", "int a;"),
        ("int a;  // hipify: ignore[HIP101] // hipify: ignore[HIP102]\n", "int a;  // hipify: ignore[HIP101]\n"),
        ("  // hipify: ignore[HIP101]\r\nint a;\r\n", "int a;\r\n"),
        ("f(/* hipify: ignore[HIP101] */ 1);\n", "f(1);\n"),
        ("/* hipify: ignore[HIP101] */ f(1);\n", "f(1);\n"),
        ("cudaFoo_t a;  // hipify: ignore[HIP101, HIP102] ours\n", "cudaFoo_t a;  // hipify: ignore[HIP102] ours\n"),
        (
            "// hipify: ignore-begin[HIP101]\n// hipify: ignore-begin[HIP101]\nint a;\n// hipify: ignore-end[HIP101]\n",
            "// hipify: ignore-begin[HIP101]\nint a;\n",
        ),
        ("// hipify: ignore-begin\nint a;\n", "int a;\n"),
    ],
)
def test_unused_suppressions_go(before: str, after: str) -> None:
    assert mended(before, fixable(before, "HIP907")).decode() == after


def test_insertions_at_one_place_and_shared_bytes_overlap() -> None:
    first, second = fixable(OPERATIONS, "HIP114")
    assert apart([first, first._replace(id="HIP000"), second]) == ([first, second], [first._replace(id="HIP000")])


def test_edits_after_edits() -> None:
    data = bytes(range(97, 117))
    chosen = random.Random(7)
    for _ in range(300):
        first = _edits(chosen, data)
        second = _edits(chosen, apply(data, first))
        assert apply(data, composed(data, first, second)) == apply(apply(data, first), second)


def _edits(chosen: random.Random, data: bytes) -> list[Edit]:
    places = sorted(chosen.sample(range(len(data) + 1), min(2 * chosen.randrange(5), len(data) // 2 * 2)))
    ranges = zip(places[::2], places[1::2], strict=True)
    return [
        Edit(start, end if chosen.random() < 0.6 else start, b"XYZ"[: chosen.randrange(4)]) for start, end in ranges
    ]


def test_the_register_says_how_sure_fixes_are() -> None:
    register = {entry.id: entry.applicability for entry in load_catalog().diagnostics() if entry.fix}
    assert [id for id, applicability in sorted(register.items()) if applicability != EXACT] == ["HIP305"]
