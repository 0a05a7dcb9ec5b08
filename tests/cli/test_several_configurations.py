"""Paths with different configurations in one run: each is done by its own, and the run has one report and one status."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from .test_targeting_options import hipify

SOURCE = "#include <cublas_v2.h>\nvoid f(cublasHandle_t h, cuComplex *x) { cublasCaxpy(h, 1, x, x, 1, x, 1); }\n"
OLD, NEW, ROC = "hipblasCaxpy_v2(", "hipblasCaxpy(", "rocblas_caxpy("


@pytest.fixture
def monorepo(tmp_path: Path) -> Path:
    """Three packages: one for an older ROCm, one for ROCm's own libraries, one without a configuration."""
    root = tmp_path / "repository"
    for name, config in (("old", 'rocm = "6.4"\n'), ("roc", 'target = "roc"\n'), ("plain", "")):
        (root / name).mkdir(parents=True)
        (root / name / f"{name}.cu").write_text(SOURCE)
        if config:
            (root / name / "hipify-py.toml").write_text(config)
    (root / ".git").mkdir()
    return root


def names_in(folder: Path) -> dict[str, str]:
    """The name that each converted file calls, by the file."""
    found = {}
    for path in sorted(folder.rglob("*.cu")):
        text = path.read_text()
        found[path.relative_to(folder).as_posix()] = next((name for name in (OLD, NEW, ROC) if name in text), "")
    return found


EACH_BY_ITS_OWN = {"old/old.cu": OLD, "plain/plain.cu": NEW, "roc/roc.cu": ROC}


@pytest.mark.parametrize(
    "paths",
    [("old", "roc", "plain"), ("plain/plain.cu", "old/old.cu", "roc/roc.cu"), ("roc", "plain/plain.cu", "old")],
)
def test_each_path_is_converted_by_its_own(monorepo: Path, paths: tuple[str, ...]) -> None:
    run = hipify(monorepo, "convert", "--in-place", "--force", *paths)
    assert run.returncode == 0, run.stderr
    assert names_in(monorepo) == EACH_BY_ITS_OWN
    assert "3 files: 3 converted, 0 unchanged" in run.stderr
    assert run.stderr.count("CUDA references:") == 1


def test_an_output_folder_takes_all_of_them(monorepo: Path) -> None:
    run = hipify(monorepo, "convert", "-o", "../out", "old", "roc", "plain")
    assert run.returncode == 0, run.stderr
    assert names_in(monorepo.parent / "out") == EACH_BY_ITS_OWN
    assert names_in(monorepo) == dict.fromkeys(EACH_BY_ITS_OWN, "")


def test_one_folder_and_one_file_are_laid_out_as_without_configurations(monorepo: Path) -> None:
    hipify(monorepo, "convert", "-o", "../out", "old", "roc/roc.cu")
    hipify(monorepo, "--no-config", "convert", "-o", "../plain", "old", "roc/roc.cu")
    places = [sorted(names_in(monorepo.parent / name)) for name in ("out", "plain")]
    assert places == [["old/old.cu", "roc.cu"]] * 2


def test_results_that_would_be_one_file_are_refused_before_anything_is_written(monorepo: Path) -> None:
    for name in ("old", "roc"):
        (monorepo / name / "same.cu").write_text(SOURCE)
    run = hipify(monorepo, "convert", "-o", "../out", "old/same.cu", "roc/same.cu")
    assert run.returncode == 2
    assert "old/same.cu and roc/same.cu would both become ../out/same.cu" in run.stderr
    assert not (monorepo.parent / "out").exists()


def test_an_output_that_is_a_file_is_refused(monorepo: Path) -> None:
    (monorepo / "one.hip").write_text("")
    run = hipify(monorepo, "convert", "-o", "one.hip", "old/old.cu", "roc/roc.cu")
    assert (run.returncode, "there are several paths" in run.stderr) == (2, True), run.stderr


def test_uncommitted_changes_of_one_keep_all_as_they_are(monorepo: Path) -> None:
    shutil.rmtree(monorepo / ".git")
    (monorepo / "roc" / ".git").mkdir()
    (monorepo / "roc" / ".git" / "HEAD").write_text("broken\n")
    run = hipify(monorepo, "convert", "--in-place", "old", "roc")
    assert run.returncode == 2, run.stderr
    assert set(names_in(monorepo).values()) == {""}


def test_check_prints_one_report(monorepo: Path) -> None:
    run = hipify(monorepo, "check", "old", "roc", "plain")
    assert "3 files: 3 to convert, 0 unchanged" in run.stderr
    assert run.stderr.count("CUDA references:") == 1


def test_the_worst_exit_status_is_that_of_the_run(monorepo: Path) -> None:
    """Each group has its own `fail-on`."""
    (monorepo / "roc" / "left.cu").write_text("void g() { cudaNotYetKnown(); }\n")
    (monorepo / "roc" / "hipify-py.toml").write_text('fail-on = "never"\n')
    assert hipify(monorepo, "check", "old", "roc").returncode == 0
    (monorepo / "roc" / "hipify-py.toml").write_text('fail-on = "warning"\n')
    assert [hipify(monorepo, "check", *order).returncode for order in (("old", "roc"), ("roc", "old"))] == [1, 1]
    assert hipify(monorepo, "check", "--fail-on", "never", "old", "roc").returncode == 0
    (monorepo / "old" / "binary.cu").write_bytes(b"\0\1\2")
    assert hipify(monorepo, "check", "roc", "old").returncode == 3


def test_json_is_one_document_that_tells_the_configurations(monorepo: Path) -> None:
    document = json.loads(hipify(monorepo, "check", "--format", "json", "old", "plain", "roc").stdout)
    assert [file["path"] for file in document["files"]] == ["old/old.cu", "plain/plain.cu", "roc/roc.cu"]
    assert document["totals"]["files"]["converted"] == 3
    assert document["targeting"] == {"cuda": "13.5", "rocm": None, "target": None}
    assert [
        (entry["path"] and Path(entry["path"]).parent.name, entry["paths"]) for entry in document["configurations"]
    ] == [
        ("old", ["old"]),
        (None, ["plain"]),
        ("roc", ["roc"]),
    ]
    assert [entry["targeting"]["rocm"] for entry in document["configurations"]] == ["6.4", "10.0", "10.0"]
    assert [entry["targeting"]["target"] for entry in document["configurations"]] == ["hip", "hip", "roc"]


def test_one_configuration_is_told_as_such(monorepo: Path) -> None:
    document = json.loads(hipify(monorepo, "check", "--format", "json", "old/old.cu").stdout)
    assert document["targeting"] == {"cuda": "13.5", "rocm": "6.4", "target": "hip"}
    assert [entry["paths"] for entry in document["configurations"]] == [["old/old.cu"]]


def test_the_report_adds_all_up(monorepo: Path) -> None:
    run = hipify(monorepo, "report", "old", "roc")
    assert "of 8 CUDA references (CUDA 13.5, ROCm 6.4, target hip; CUDA 13.5, ROCm 10.0, target roc)" in run.stdout
    document = json.loads(hipify(monorepo, "report", "--format", "json", "old", "roc").stdout)
    assert document["totals"]["references"]["total"] == 8
    assert document["targeting"] == {"cuda": "13.5", "rocm": None, "target": None}
    assert len(document["configurations"]) == 2


def test_a_named_configuration_holds_for_all(monorepo: Path) -> None:
    run = hipify(monorepo, "--config", "old/hipify-py.toml", "convert", "-o", "../out", "old", "roc", "plain")
    assert run.returncode == 0, run.stderr
    assert set(names_in(monorepo.parent / "out").values()) == {OLD}
    hipify(monorepo, "--no-config", "convert", "-o", "../none", "old", "roc", "plain")
    assert set(names_in(monorepo.parent / "none").values()) == {NEW}


def test_options_of_the_command_line_win_in_all(monorepo: Path) -> None:
    hipify(monorepo, "convert", "--target", "hip", "-o", "../out", "old", "roc", "plain")
    assert names_in(monorepo.parent / "out") == {"old/old.cu": OLD, "plain/plain.cu": NEW, "roc/roc.cu": NEW}


@pytest.mark.parametrize("wrong", ['launch = "other"\n', "rocm = 6\n", 'ignore = ["HIP9999"]\n', 'colour = "red"\n'])
@pytest.mark.parametrize("order", [("old", "roc"), ("roc", "old")])
def test_a_wrong_one_is_named_and_stops_the_run(monorepo: Path, wrong: str, order: tuple[str, str]) -> None:
    (monorepo / "roc" / "hipify-py.toml").write_text(wrong)
    run = hipify(monorepo, "convert", "--in-place", "--force", *order)
    assert run.returncode == 2
    assert f"{os.path.join('roc', 'hipify-py.toml')}: " in run.stderr
    assert "Traceback" not in run.stderr
    assert set(names_in(monorepo).values()) == {""}


def test_what_is_left_out_and_suppressed_goes_by_each(monorepo: Path) -> None:
    for name, config in (("old", 'exclude = ["skip/"]\n'), ("roc", 'ignore = ["HIP102"]\n')):
        (monorepo / name / "hipify-py.toml").write_text(config)
        (monorepo / name / "skip").mkdir()
        (monorepo / name / "skip" / "left.cu").write_text("void g() { cudaNotYetKnown(); }\n")
    document = json.loads(hipify(monorepo, "check", "--format", "json", "old", "roc", "plain").stdout)
    files = {file["path"]: file for file in document["files"]}
    assert sorted(files) == ["old/old.cu", "plain/plain.cu", "roc/roc.cu", "roc/skip/left.cu"]
    assert [finding["id"] for finding in files["roc/skip/left.cu"]["suppressed"]] == ["HIP102"]
    assert document["totals"]["suppressed"] == 1


@pytest.mark.parametrize("paths", [(".", "roc"), ("roc", "."), (".", "roc/roc.cu"), ("roc/roc.cu", "./")])
def test_a_path_within_another_is_done_once_by_its_own(monorepo: Path, paths: tuple[str, str]) -> None:
    shutil.rmtree(monorepo / "old")
    run = hipify(monorepo, "convert", "--in-place", "--force", *paths)
    assert run.returncode == 0, run.stderr
    assert names_in(monorepo) == {"plain/plain.cu": NEW, "roc/roc.cu": ROC}
    assert "2 files: 2 converted" in run.stderr


@pytest.mark.parametrize("paths", [(".",), (".", "roc"), ("roc", "."), (".", "roc/roc.cu"), ("old/old.cu", ".", "roc")])
def test_a_path_within_another_has_its_place_in_the_output(monorepo: Path, paths: tuple[str, ...]) -> None:
    run = hipify(monorepo, "convert", "-o", "../out", *paths)
    assert run.returncode == 0, run.stderr
    assert names_in(monorepo.parent / "out") == EACH_BY_ITS_OWN
    assert sorted(path.name for path in (monorepo.parent / "out" / "roc").iterdir()) == ["hipify-py.toml", "roc.cu"]


def test_with_several_folders_it_lies_in_that_of_the_outer_one(monorepo: Path) -> None:
    (monorepo / "plain" / "deep").mkdir()
    (monorepo / "plain" / "deep" / "hipify-py.toml").write_text('rocm = "6.4"\n')
    (monorepo / "plain" / "deep" / "a.cu").write_text(SOURCE)
    run = hipify(monorepo, "convert", "-o", "../out", "plain", "roc")
    assert run.returncode == 0, run.stderr
    expected = {"plain/deep/a.cu": OLD, "plain/plain.cu": NEW, "roc/roc.cu": ROC}
    assert names_in(monorepo.parent / "out") == expected


# -- configurations below a given folder


@pytest.fixture
def nested(monorepo: Path) -> Path:
    """One below another, one that git ignores, and one in a folder that the outermost leaves out."""
    files = {
        "hipify-py.toml": 'rocm = "6.4"\nexclude = ["third_party/"]\n',
        "old/hipify-py.toml": 'target = "roc"\n',
        "old/deep/hipify-py.toml": 'rocm = "7.1"\n',
        "old/deep/er/a.cu": SOURCE,
        "third_party/lib/hipify-py.toml": "rokm = 3\n",
        "third_party/lib/a.cu": SOURCE,
        "build/gen/pyproject.toml": "[tool.hipify-py]\nrokm = 3\n",
        "build/gen/a.cu": SOURCE,
        ".gitignore": "build/\n",
    }
    for name, text in files.items():
        (monorepo / name).parent.mkdir(parents=True, exist_ok=True)
        (monorepo / name).write_text(text)
    return monorepo


BY_THE_NEAREST = {"old/deep/er/a.cu": NEW, "old/old.cu": ROC, "plain/plain.cu": OLD, "roc/roc.cu": ROC}


def test_each_file_is_done_by_the_nearest_one(nested: Path) -> None:
    run = hipify(nested, "convert", "-o", "../out", ".")
    assert run.returncode == 0, run.stderr
    assert names_in(nested.parent / "out") == BY_THE_NEAREST
    run = hipify(nested, "convert", "--in-place", "--force", "old", ".")
    assert run.returncode == 0, run.stderr
    assert {name: said for name, said in names_in(nested).items() if said} == BY_THE_NEAREST


def test_the_files_are_those_of_a_run_without_them(nested: Path) -> None:
    document = json.loads(hipify(nested, "check", "--format", "json", ".").stdout)
    assert sorted(file["path"] for file in document["files"]) == sorted(BY_THE_NEAREST)
    assert [entry["paths"] for entry in document["configurations"]] == [["."], ["old"], ["roc"], ["old/deep"]]


def test_one_is_read_for_all_or_none_is(nested: Path) -> None:
    hipify(nested, "--config", "old/deep/hipify-py.toml", "convert", "-o", "../one", "old")
    assert set(names_in(nested.parent / "one").values()) == {NEW}
    hipify(nested, "--no-config", "convert", "-o", "../none", "old")
    assert set(names_in(nested.parent / "none").values()) == {NEW}


def test_what_the_command_line_leaves_out_is_not_asked(nested: Path) -> None:
    (nested / "roc" / "hipify-py.toml").write_text("rokm = 3\n")
    assert hipify(nested, "check", ".").returncode == 2
    assert hipify(nested, "check", ".", "--exclude", "roc/", "--exclude", "third_party/").returncode == 0
    run = hipify(nested, "check", ".", "--no-gitignore", "--exclude", "roc/", "--exclude", "third_party/")
    assert (run.returncode, "build/gen/pyproject.toml: rokm is not a key" in run.stderr) == (2, True)


def test_a_new_one_below_is_noticed(nested: Path) -> None:
    """A run that is said again says what it would say anew."""
    first = hipify(nested, "check", "--format", "json", "plain")
    assert hipify(nested, "check", "--format", "json", "plain").stdout == first.stdout
    (nested / "plain" / "below").mkdir()
    (nested / "plain" / "below" / "hipify-py.toml").write_text("rokm = 3\n")
    assert hipify(nested, "check", "--format", "json", "plain").returncode == 2


def test_links_to_folders_are_not_followed(nested: Path, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "hipify-py.toml").write_text("rokm = 3\n")
    (nested / "plain" / "away").symlink_to(tmp_path / "away")
    (nested / "plain" / "loop").symlink_to(".")
    assert hipify(nested, "check", "plain").returncode == 0


def test_one_path_by_two_names_is_done_once(monorepo: Path) -> None:
    (monorepo / "plain" / "alias").symlink_to("../old")
    run = hipify(monorepo, "check", "old", "plain/alias")
    assert "1 file: 1 to convert" in run.stderr, run.stderr


def test_what_the_groups_say_of_each_other_is_known(monorepo: Path) -> None:
    """Headers renamed in one are included by another, and names that one declares are nobody's unknown ones."""
    (monorepo / "old" / "old.cu").write_text(
        '#include "../roc/shared.cuh"\n__global__ void k() {}\nvoid f() { cudaOfOurs(); }\n'
    )
    (monorepo / "roc" / "shared.cuh").write_text("#pragma once\n#include <cuda_runtime.h>\nvoid cudaOfOurs();\n")
    run = hipify(monorepo, "convert", "--in-place", "--force", "--rename", "old", "roc")
    assert run.returncode == 0, run.stderr
    assert '#include "../roc/shared.hip.h"' in (monorepo / "old" / "old.hip").read_text()
    assert "cudaOfOurs" not in run.stderr
    assert (monorepo / "roc" / "shared.hip.h").exists()


def test_one_support_header_serves_all_that_share_it(monorepo: Path) -> None:
    kernels = {"old": "__reduce_add_sync(~0u, v)", "roc": "__reduce_max_sync(~0u, v)"}
    for name, call in kernels.items():
        (monorepo / name / f"{name}.cu").write_text(f"__global__ void k(unsigned *o, unsigned v) {{ *o = {call}; }}\n")
    both, looked = (
        hipify(monorepo, "convert", *where, "old/old.cu", "roc/roc.cu") for where in (("-o", "../out/"), ("--diff",))
    )
    header = (monorepo.parent / "out" / "hipify_support.hpp").read_text()
    assert ("reduce_add_sync" in header, "reduce_max_sync" in header) == (True, True), both.stderr
    assert looked.returncode == 0


def test_verbose_says_which_configuration_holds_where(monorepo: Path) -> None:
    said = hipify(monorepo, "check", "-v", "old", "plain").stderr
    assert f"{os.path.join('old', 'hipify-py.toml')}: for old\n" in said
    assert "no configuration: for plain\n" in said
    assert ": for old" not in hipify(monorepo, "check", "-v", "old").stderr


def test_sections_of_shared_files_count_too(monorepo: Path) -> None:
    (monorepo / "plain" / "pyproject.toml").write_text('[tool.hipify-py]\nlaunch = "chevron"\n')
    for name in ("old", "plain"):
        (monorepo / name / f"{name}.cu").write_text("__global__ void k() {}\nvoid f() { k<<<1, 2>>>(); }\n")
    run = hipify(monorepo, "convert", "--diff", "old", "plain")
    assert run.stdout.count("+void f() { hipLaunchKernelGGL(k") == 1, run.stdout
    assert run.stdout.count("\n void f() { k<<<1, 2>>>(); }\n") == 1
