"""The support header beside the output."""

from __future__ import annotations

from pathlib import Path

from hipify_py.support_header.header import render
from tests.cli.conftest import Run

DP2A = b"__global__ void k(int *p) { p[0] = __dp2a_lo(p[1], p[2], p[3]); }\n"


def _tree(folder: Path) -> Path:
    (folder / "src" / "deep" / "er").mkdir(parents=True)
    (folder / "src" / "a.cu").write_bytes(DP2A)
    (folder / "src" / "deep" / "er" / "b.cu").write_bytes(DP2A)
    (folder / "src" / "deep" / "plain.cu").write_bytes(b"__global__ void k() {}\n")
    return folder / "src"


def test_it_stands_at_the_root_of_the_output(hipify: Run, tmp_path: Path) -> None:
    _tree(tmp_path)
    run = hipify("convert", "src", "-o", "out")
    assert run.returncode == 0, run.stderr.decode()
    assert (tmp_path / "out" / "hipify_support.hpp").read_bytes() == render(["dp2a"])
    assert b'#include "hipify_support.hpp"\n' in (tmp_path / "out" / "a.cu").read_bytes()
    assert b'#include "../../hipify_support.hpp"\n' in (tmp_path / "out" / "deep" / "er" / "b.cu").read_bytes()
    assert b"hipify_support" not in (tmp_path / "out" / "deep" / "plain.cu").read_bytes()
    assert not (tmp_path / "src" / "hipify_support.hpp").exists()
    assert b"hipify_support.hpp: written" in run.stderr


def test_a_second_run_over_the_output_changes_nothing(hipify: Run, tmp_path: Path) -> None:
    _tree(tmp_path)
    assert hipify("convert", "src", "--in-place", "--force").returncode == 0
    before = {path: path.read_bytes() for path in (tmp_path / "src").rglob("*") if path.is_file()}
    assert tmp_path / "src" / "hipify_support.hpp" in before
    assert hipify("convert", "src", "--in-place", "--force").returncode == 0
    assert {path: path.read_bytes() for path in (tmp_path / "src").rglob("*") if path.is_file()} == before
    check = hipify("check", "src")
    assert check.returncode == 0
    assert check.stdout == b""


def test_each_folder_may_have_its_own(hipify: Run, tmp_path: Path) -> None:
    """Programs that stand alone, each in its folder, are taken out of the tree with all that they include."""
    other = _tree(tmp_path) / "deep" / "bits.cu"
    other.write_bytes(b"__global__ void k(unsigned *p) { p[0] = __vadd2(p[1], p[2]); }\n")
    run = hipify("convert", "src", "-o", "out", "--support-place", "beside")
    assert run.returncode == 0, run.stderr.decode()
    for folder, section in ((".", "dp2a"), ("deep/er", "dp2a"), ("deep", "simd")):
        assert (tmp_path / "out" / folder / "hipify_support.hpp").read_bytes() == render([section])
    for name in ("a.cu", "deep/er/b.cu", "deep/bits.cu"):
        assert b'#include "hipify_support.hpp"\n' in (tmp_path / "out" / name).read_bytes()
    assert run.stderr.count(b"hipify_support.hpp: written") == 3
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert hipify("convert", "out", "--in-place", "--force").returncode == 0  # as they are, whatever the place is now
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == before


def test_the_place_is_a_choice_of_the_project(hipify: Run, tmp_path: Path) -> None:
    _tree(tmp_path)
    (tmp_path / "hipify-py.toml").write_text('support-place = "beside"\n')
    assert hipify("convert", "src", "-o", "out").returncode == 0
    assert (tmp_path / "out" / "deep" / "er" / "hipify_support.hpp").is_file()
    assert hipify("convert", "src", "-o", "one", "--support-place", "root").returncode == 0
    assert not (tmp_path / "one" / "deep" / "er" / "hipify_support.hpp").exists()
    (tmp_path / "hipify-py.toml").write_text('support-place = "elsewhere"\n')
    wrong = hipify("convert", "src", "-o", "two")
    assert wrong.returncode == 2
    assert b"elsewhere" in wrong.stderr


def test_a_diff_has_the_header_of_each_folder(hipify: Run, tmp_path: Path) -> None:
    _tree(tmp_path)
    run = hipify("convert", "src", "--diff", "--support-place", "beside")
    for place in ("src/hipify_support.hpp", "src/deep/er/hipify_support.hpp"):
        assert f"+++ b/{place}".encode() in run.stdout or f"+++ {place}".encode() in run.stdout


def test_given_files_have_it_beside_them(hipify: Run, tmp_path: Path) -> None:
    _tree(tmp_path)
    assert hipify("convert", "src/deep/er/b.cu", "--in-place", "--force").returncode == 0
    assert (tmp_path / "src" / "deep" / "er" / "hipify_support.hpp").read_bytes() == render(["dp2a"])
    assert hipify("convert", "src/a.cu", "-o", "one/a.hip").returncode == 0
    assert (tmp_path / "one" / "hipify_support.hpp").is_file()


def test_one_of_ours_is_completed(hipify: Run, tmp_path: Path) -> None:
    _tree(tmp_path)
    header = tmp_path / "src" / "hipify_support.hpp"
    header.write_bytes(render(["lanes"]))
    assert hipify("convert", "src", "--in-place", "--force").returncode == 0
    assert header.read_bytes() == render(["lanes", "dp2a"])


def test_a_file_of_the_users_stays(hipify: Run, tmp_path: Path) -> None:
    _tree(tmp_path)
    for mine in (b"#pragma once\nint mine();\n", render(["dp2a"]) + b"int mine();\n"):
        header = tmp_path / "src" / "hipify_support.hpp"
        header.write_bytes(mine)
        run = hipify("convert", "src", "--in-place", "--force")
        assert run.returncode == 3
        assert b"HIP901 cannot write the support header" in run.stderr
        assert header.read_bytes() == mine
        (tmp_path / "src" / "a.cu").write_bytes(DP2A)


def test_no_support_writes_none(hipify: Run, tmp_path: Path) -> None:
    _tree(tmp_path)
    run = hipify("convert", "src", "-o", "out", "--no-support")
    assert run.returncode == 1
    assert b"HIP101" in run.stderr
    assert not (tmp_path / "out" / "hipify_support.hpp").exists()
    (tmp_path / "hipify-py.toml").write_text("no-support = true\n")
    assert hipify("check", "src").returncode == 1


def test_stdout_says_where_to_get_it(hipify: Run, tmp_path: Path) -> None:
    _tree(tmp_path)
    run = hipify("convert", "src/a.cu", "--stdout")
    assert b"hipify-py header --support dp2a" in run.stderr
    assert hipify("header", "--support", "dp2a").stdout == render(["dp2a"])
    assert b"section lanes" in hipify("header", "--support").stdout
    assert hipify("header", "--support", "nothing").returncode == 2
    assert hipify("header").returncode == 2


def test_a_diff_makes_it(hipify: Run, tmp_path: Path) -> None:
    import subprocess

    _tree(tmp_path)
    diff = hipify("convert", "src", "--diff").stdout
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    subprocess.run(["git", "apply", "-"], input=diff, cwd=tmp_path, check=True)
    assert (tmp_path / "src" / "hipify_support.hpp").read_bytes() == render(["dp2a"])
    (tmp_path / "src" / "a.cu").write_bytes(DP2A)
    (tmp_path / "src" / "hipify_support.hpp").write_bytes(render(["lanes"]))
    diff = hipify("convert", "src", "--diff").stdout
    subprocess.run(["git", "apply", "-"], input=diff, cwd=tmp_path, check=True)
    assert (tmp_path / "src" / "hipify_support.hpp").read_bytes() == render(["dp2a", "lanes"])
