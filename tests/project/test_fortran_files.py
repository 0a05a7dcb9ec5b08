"""Files of CUDA Fortran are counted and reported, and never taken for C++ or for nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hipify_py.fortran.counts import FortranCounts
from hipify_py.project.api import check, convert
from hipify_py.project.result import UNREAD, FileResult
from hipify_py.report.document import document_of, report_of
from hipify_py.report.explain import explain, suppression_lines
from hipify_py.report.formats import PLAIN, load
from hipify_py.report.run_report import REPORT, RunReport
from tests.cli.in_process import run_here

KERNELS = """\
module kernels
  use cudafor
contains
  attributes(global) subroutine scale(a)
    real :: a(:)
  end subroutine
  attributes(device) real function twice(x)
  end function
end module
"""
MAIN = """\
program main
  use cudafor
  use kernels
  real, device, allocatable :: x(:), y(:)
  real, managed :: z(10)
  istat = cudaMalloc(p, n)
  istat = cudaMemcpy(x, y, n)
  call scale<<<1, 32>>>(x)
  print *, cudaGetErrorString(istat)
  !$cuf kernel do <<<*, *>>>
  do i = 1, n
  end do
  istat = cublasXtDgemm(h)
end program
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/kernels.cuf").write_text(KERNELS)
    (tmp_path / "src/main.F90").write_text(MAIN)
    (tmp_path / "src/plain.f90").write_text("! cudaMalloc(a) is not called here\nprogram p\nend\n")
    return tmp_path


def results_of(root: Path) -> dict[str, FileResult]:
    return {Path(result.path).name: result for result in check([root]).results}


def message(result: FileResult) -> str:
    (finding,) = result.findings
    assert (finding.id, result.status) == ("HIP913", UNREAD)
    return finding.message.removeprefix("Fortran with CUDA is not translated: ")


def test_each_file_has_its_counts_and_what_to_do(tree: Path) -> None:
    results = results_of(tree)
    assert results.keys() == {"kernels.cuf", "main.F90"}
    assert message(results["kernels.cuf"]) == (
        "1 kernel (scale) becomes C++, with interfaces by iso_c_binding; "
        "1 device subprogram becomes a __device__ function of C++"
    )
    assert message(results["main.F90"]) == (
        "1 !$cuf loop can become an OpenMP target loop; 1 launch becomes a call of C++; "
        "2 of 4 API calls have an interface in hipfort, not cudaGetErrorString; HIP lacks cublasXtDgemm; "
        "2 device variables: hipMalloc; 1 managed variable: hipMallocManaged"
    )
    assert results["main.F90"].cuda_fortran == FortranCounts(
        1, launches=1, loops=1, calls=4, interfaced=2, variables={"device": 2, "managed": 1}
    )


@pytest.mark.parametrize(
    ("name", "text", "words", "effort"),
    [
        ("a.cuf", "program p\nend\n", "it names nothing of CUDA itself", "low"),
        ("a.CUF", "! nothing\n", "it names nothing of CUDA itself", "low"),
        ("a.f90", "  use cufft\n", "it uses cufft", "low"),
        ("a.f", "      istat = cudaDeviceSynchronize()\n", "1 of 1 API call has an interface in hipfort", "low"),
        (
            "a.f90",
            'interface\nfunction m() bind(c,name="cudaFree")\nend function\nend interface\n',
            "it binds 1 CUDA",
            "low",
        ),
        ("a.f90", "!@cuf integer :: istat\n", "it has 1 statement after !@cuf", "low"),
        ("a.cuf", "\0\0" * 10, "it is not text", "medium"),
    ],
)
def test_any_file_of_cuda_fortran_is_a_finding(tmp_path: Path, name: str, text: str, words: str, effort: str) -> None:
    (tmp_path / name).write_text(text)
    (result,) = check([tmp_path]).results
    assert words in message(result)
    assert result.findings[0].effort == effort


@pytest.mark.parametrize("name", ["m.cuf", "m.f90", "m.F"])
def test_a_file_that_is_given_by_itself_is_not_taken_for_cpp(tmp_path: Path, name: str) -> None:
    text = "       use cudafor\n       istat = cudaMalloc(p, n)\n       end\n"
    (tmp_path / name).write_text(text)
    done = run_here(tmp_path, "check", name)
    assert b"HIP913" in done.stdout
    assert b"no CUDA" not in done.stderr
    (result,) = convert([tmp_path / name], output=tmp_path / "out" / name).results
    assert result.status == UNREAD
    assert (tmp_path / "out" / name).read_text() == text


def test_a_tree_of_it_is_never_said_to_have_no_cuda(tree: Path) -> None:
    for command in ("check", "report"):
        done = run_here(tree, command, "src")
        said = (done.stdout + done.stderr).decode()
        assert "no CUDA found" not in said
        assert "There is no CUDA" not in said
        assert "CUDA Fortran in 2 files, not translated: 1 kernel, 1 device subprogram, 1 !$cuf loop, 1 launch" in said
        assert "4 API calls (2 with an interface in hipfort), 3 variables" in said
    assert "2 files are CUDA Fortran, which is not translated." in run_here(tree, "report", "src").stdout.decode()


def test_a_conversion_copies_it(tree: Path) -> None:
    results = {Path(each.path).name: each for each in convert([tree / "src"], output=tree / "out").results}
    assert results["main.F90"].target == str(tree / "out/main.F90")
    assert (tree / "out/main.F90").read_text() == MAIN


def document(tree: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run_here(tree, "report", "src", "--format", "json").stdout)
    return found


def test_the_figures_are_in_the_json(tree: Path) -> None:
    import jsonschema

    found = document(tree)
    schema = json.loads((Path(__file__).parents[2] / "hipify_py/report/report.schema.json").read_text())
    jsonschema.validate(found, schema)
    assert found["totals"]["cuda_fortran"] == {
        "files": 2,
        "kernels": 1,
        "device_subprograms": 1,
        "loops": 1,
        "launches": 1,
        "calls": 4,
        "interfaced": 2,
        "interfaces": 0,
        "variables": {"device": 2, "managed": 1},
    }
    assert [file["cuda_fortran"]["kernels"] for file in found["files"]] == [1, 0]
    again = document_of(report_of(found))
    assert again["totals"]["cuda_fortran"] == found["totals"]["cuda_fortran"]
    assert [cause["title"] for cause in found["causes"]] == ["CUDA Fortran is not translated"]


def test_without_fortran_there_are_none(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cu").write_text("void f(void *p) { cudaFree(p); }\n")
    found = document(tmp_path)
    assert found["totals"]["cuda_fortran"] is None
    assert found["files"][0]["cuda_fortran"] is None
    assert "Fortran" not in run_here(tmp_path, "report", "src").stdout.decode()


@pytest.mark.parametrize("name", ["html", "markdown", "text"])
def test_people_see_them(tree: Path, name: str) -> None:
    report = RunReport(REPORT, check([tree / "src"]).results)
    text = "".join(load(name).render(report, PLAIN))
    assert "CUDA Fortran in 2 files" in text
    assert "1 kernel (scale) becomes C++" in text


def test_a_result_is_kept_for_the_next_run(tree: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from hipify_py.project import fortran_files

    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    first = check([tree / "src"], cache=True).results

    def read_again(*_: object) -> None:
        raise AssertionError("it is known")

    monkeypatch.setattr(fortran_files, "cuda_fortran_in", read_again)
    assert check([tree / "src"], cache=True).results == first


def test_a_fault_costs_one_file(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hipify_py.project import fortran_files

    real = fortran_files.cuda_fortran_in

    def faulty(path: str, text: str) -> object:
        if path.endswith(".cuf"):
            raise RuntimeError("out of order")
        return real(path, text)

    monkeypatch.setattr(fortran_files, "cuda_fortran_in", faulty)
    results = results_of(tree)
    assert [finding.id for finding in results["kernels.cuf"].findings] == ["HIP905"]
    assert results["main.F90"].cuda_fortran is not None


def test_it_can_be_suppressed_by_the_configuration(tree: Path) -> None:
    (tree / "hipify-py.toml").write_text('[per-file-ignores]\n"src/kernels.cuf" = ["HIP913"]\n')
    found = document(tree)
    assert [len(file["findings"]) for file in found["files"]] == [0, 1]
    assert found["totals"]["cuda_fortran"]["kernels"] == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.cuf", "use cudafor  ! hipify: ignore[HIP913] kept for NVIDIA\n"),
        ("a.cuf", "! hipify: ignore[HIP913]\nuse, intrinsic &\n  :: cudafor\n"),
        ("a.cuf", "use cudafor\nprint *, '! no comment' ! hipify: ignore-file[HIP913]\n"),
        ("a.F90", "\ufeff! hipify: ignore-file\nuse cudafor\n"),
        ("a.f", "C hipify: ignore-file[HIP913]\n      use cudafor\n"),
        ("a.f", "c hipify: ignore[HIP913]\n      use cudafor\n"),
        ("a.f", "* hipify: ignore[HIP913]\n!$cuf kernel do\n"),
        ("a.f", "      use cudafor ! hipify: ignore[HIP913]\n"),
    ],
)
def test_it_can_be_suppressed_by_a_comment(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (result,) = check([tmp_path]).results
    assert result.findings == ()
    assert [finding.id for finding in result.suppressed] == ["HIP913"]
    assert result.cuda_fortran is not None


@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        ("a.cuf", "use cudafor\nprint *, '! hipify: ignore-file[HIP913]'\n", ["HIP913"]),
        ("a.cuf", "use cudafor\n! hipify: ignore[HIP913]\nprint *, 1\n", ["HIP913", "HIP907"]),
        ("a.cuf", "use cudafor ! hipify: ignore[HIP999]\n", ["HIP913", "HIP906"]),
    ],
)
def test_other_comments_do_not_suppress_it(tmp_path: Path, name: str, text: str, ids: list[str]) -> None:
    (tmp_path / name).write_text(text)
    (result,) = check([tmp_path]).results
    assert [finding.id for finding in result.findings] == ids


def test_its_page_shows_a_comment_of_fortran() -> None:
    assert suppression_lines(explain("HIP913"))[0].startswith("! hipify: ignore[HIP913]")
