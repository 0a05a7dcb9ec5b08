"""`hipify-py convert`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hipify_py import translate

from .conftest import REPOSITORY, VECTOR_ADD, Run


def tree(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_a_folder_is_mirrored_and_the_inputs_stay(hipify: Run, project: Path) -> None:
    before = tree(project)
    done = hipify("convert", "src", "-o", "out")
    assert done.returncode == 0, done.stderr
    out = tree(project.parent / "out")
    assert sorted(out) == [".gitignore", "build/gen.cu", "data/table.csv", "lib/util.cuh", "main.cu", "plain.cpp"]
    assert b"hipMalloc(&a, 4)" in out["main.cu"]
    assert b"cuda" not in out["main.cu"] + out["lib/util.cuh"]
    assert out["data/table.csv"] == b"1,2\r\n"
    assert tree(project) == before
    assert b"6 files: 3 converted, 1 unchanged, 2 copied" in done.stderr
    assert done.stdout == b""


def test_converting_again_writes_nothing(hipify: Run, project: Path) -> None:
    hipify("convert", "src", "-o", "out")
    main = project.parent / "out/main.cu"
    os.utime(main, (1, 1))
    assert hipify("convert", "src", "-o", "out").returncode == 0
    assert main.stat().st_mtime == 1


def test_hip_is_left_alone_and_said_so(hipify: Run, project: Path) -> None:
    hipify("convert", "src", "-o", "out")
    before = tree(project.parent / "out")
    done = hipify("convert", "out", "--in-place")
    assert done.returncode == 0
    assert b"nothing to convert" in done.stderr
    assert b"4 files: 0 converted, 4 unchanged" in done.stderr
    assert tree(project.parent / "out") == before


def test_one_file_to_a_file_and_into_a_folder(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(VECTOR_ADD)
    (tmp_path / "folder").mkdir()
    assert hipify("convert", "a.cu", "-o", "b.cpp").returncode == 0
    assert hipify("convert", "a.cu", "-o", "folder").returncode == 0
    assert hipify("convert", "a.cu", "-o", "new/", "--rename").returncode == 0
    written = (tmp_path / "b.cpp").read_bytes()
    assert b"hipMalloc" in written
    assert (tmp_path / "folder/a.cu").read_bytes() == written
    assert (tmp_path / "new/a.hip").read_bytes() == written


def test_several_folders_keep_their_names(hipify: Run, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.cu").write_bytes(VECTOR_ADD)
    assert hipify("convert", "one", "two", "-o", "out").returncode == 0
    assert sorted(tree(tmp_path / "out")) == ["one/a.cu", "two/a.cu"]


def test_stdout_is_the_source_alone(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(VECTOR_ADD.replace(b"\n", b"\r\n"))
    done = hipify("convert", "a.cu", "--stdout")
    assert done.stdout.startswith(b"#include <hip/hip_runtime.h>\r\n")
    assert done.stdout.count(b"\r\n") == done.stdout.count(b"\n") == VECTOR_ADD.count(b"\n")
    assert (tmp_path / "a.cu").read_bytes() == VECTOR_ADD.replace(b"\n", b"\r\n")


def test_diff_applies_and_gives_the_conversion(hipify: Run, project: Path) -> None:
    hipify("convert", "src", "-o", "out")
    done = hipify("convert", "src", "--diff")
    assert done.returncode == 0
    applied = subprocess.run(
        ["git", "apply", "-"], input=done.stdout, cwd=project.parent, capture_output=True, check=False
    )
    assert applied.returncode == 0, applied.stderr
    assert (project / "main.cu").read_bytes() == (project.parent / "out/main.cu").read_bytes()
    assert (project / "lib/util.cuh").read_bytes() == (project.parent / "out/lib/util.cuh").read_bytes()


def test_rename_takes_includes_along(hipify: Run, project: Path) -> None:
    assert hipify("convert", "src", "-o", "out", "--rename").returncode == 0
    out = tree(project.parent / "out")
    assert sorted(out) == [".gitignore", "build/gen.hip", "data/table.csv", "lib/util.hip.h", "main.hip", "plain.cpp"]
    assert b'#include "lib/util.hip.h"\n' in out["main.hip"]
    assert b"util.cuh" not in out["main.hip"]


def test_rename_reaches_files_without_cuda(hipify: Run, project: Path) -> None:
    (project / "reference.cpp").write_text('// CPU only\n#include "lib/util.cuh"\nint reference();\n')
    assert hipify("convert", "src", "-o", "out", "--rename").returncode == 0
    converted = (project.parent / "out" / "reference.cpp").read_text()
    assert converted == '// CPU only\n#include "lib/util.hip.h"\nint reference();\n'


def test_rename_in_place_leaves_no_old_name(hipify: Run, project: Path) -> None:
    assert hipify("convert", "src", "--in-place", "--rename-map", ".cu=.hip.cpp", "--backup").returncode == 0
    assert not (project / "main.cu").exists()
    assert b"hipMalloc" in (project / "main.hip.cpp").read_bytes()
    assert b"cudaMalloc" in (project / "main.cu.prehip").read_bytes()
    assert (project / "lib/util.cuh").exists()


def test_colliding_names_stop_the_run_before_it_writes(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cu").write_bytes(VECTOR_ADD)
    (tmp_path / "src/a.hip").write_bytes(b"int x;\n")
    done = hipify("convert", "src", "-o", "out", "--rename")
    assert done.returncode == 2
    assert b"src/a.cu and src/a.hip would both become out/a.hip" in done.stderr
    assert not (tmp_path / "out").exists()
    done = hipify("convert", "src", "--in-place", "--rename")
    assert done.returncode == 2
    assert (tmp_path / "src/a.cu").read_bytes() == VECTOR_ADD


def test_in_place_keeps_mode_and_backup_and_never_overwrites_a_backup(hipify: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(VECTOR_ADD)
    path.chmod(0o754)
    assert hipify("convert", "a.cu", "--in-place", "--backup").returncode == 0
    assert path.stat().st_mode & 0o777 == 0o754
    assert (tmp_path / "a.cu.prehip").read_bytes() == VECTOR_ADD
    path.write_bytes(VECTOR_ADD + b"\n")
    assert hipify("convert", "a.cu", "--in-place", "--backup").returncode == 0
    assert (tmp_path / "a.cu.prehip").read_bytes() == VECTOR_ADD
    assert sorted(os.listdir(tmp_path)) == ["a.cu", "a.cu.prehip"]


def test_in_place_through_a_link_keeps_the_link(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "real.cu").write_bytes(VECTOR_ADD)
    (tmp_path / "link.cu").symlink_to("real.cu")
    assert hipify("convert", "link.cu", "--in-place", "--force").returncode == 0
    assert (tmp_path / "link.cu").is_symlink()
    assert b"hipMalloc" in (tmp_path / "real.cu").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], b"Choose where the result goes:"),
        (["-o", "x", "--in-place"], b"Choose only one of these:"),
        (["--stdout"], b"--stdout takes exactly one file."),
        (["-o", "x", "--backup"], b"require --in-place"),
        (["-o", "src"], b"src is both input and output"),
        (["-o", "src/main.cu"], b"src/main.cu is a file, but src is a folder"),
        (["-o", "x", "--rename-map", "cu=.hip"], b"'cu=.hip' has neither the form"),
        (["-o", "x", "--rename-map", "cuda=hip", "--rename-map", "cuda=rocm"], b"'cuda' cannot become both 'hip' and"),
        (["-o", "x", "--rename-map", ".cu=.hip", "--rename-map", ".cu=.cpp"], b"'.cu' cannot become both '.hip' and"),
        (["-o", "x", "--nonsense"], b"No such option"),
    ],
)
def test_wrong_usage_is_status_2_and_does_nothing(
    hipify: Run, project: Path, arguments: list[str], says: bytes
) -> None:
    before = tree(project)
    done = hipify("convert", "src", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert tree(project) == before


def test_an_output_inside_the_input_is_not_converted_again(hipify: Run, project: Path) -> None:
    for _ in range(2):
        assert hipify("convert", ".", "-o", "hip", cwd=project).returncode == 0
    assert (project / "hip/main.cu").exists()
    assert not (project / "hip/hip").exists()


def test_selection(hipify: Run, project: Path) -> None:
    hipify("convert", "src", "-o", "out", "--exclude", "data/", "--include", "*.cu", "--no-gitignore")
    out = tree(project.parent / "out")
    assert sorted(out) == [".gitignore", "build/gen.cu", "lib/util.cuh", "main.cu", "plain.cpp"]
    assert b"cudaDeviceSynchronize" in out["lib/util.cuh"]
    assert b"hipMalloc" in out["build/gen.cu"]


def test_links_of_a_tree_are_made_again(hipify: Run, project: Path) -> None:
    (project / "alias.cu").symlink_to("main.cu")
    (project / "lib/up").symlink_to("..")
    (project / "outside").symlink_to("/usr")
    done = hipify("convert", "src", "-o", "out", "--rename")
    assert done.returncode == 0
    out = project.parent / "out"
    assert os.readlink(out / "alias.hip") == "main.hip"
    assert os.readlink(out / "lib/up") == ".."
    assert not (out / "outside").is_symlink()
    assert b"src/outside: a symbolic link to outside its tree, not followed" in done.stderr


def test_uncommitted_work_is_not_replaced(hipify: Run, project: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=project, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "start")
    (project / "plain.cpp").write_bytes(b"int plain() { return 2; }\n")  # no CUDA: never replaced
    (project / "lib/util.cuh").write_bytes(b"#include <cuda.h>\n")
    done = hipify("convert", "src", "--in-place")
    assert done.returncode == 2
    assert b"uncommitted changes in src/lib/util.cuh; commit them first, or use --backup or --force" in done.stderr
    assert b"cudaMalloc" in (project / "main.cu").read_bytes()
    assert hipify("convert", "src", "--in-place", "--force").returncode == 0
    assert b"hipMalloc" in (project / "main.cu").read_bytes()


def test_an_uncommitted_conversion_can_be_run_again(hipify: Run, project: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=project, check=True, capture_output=True)

    def sources() -> dict[str, bytes]:
        return {name: data for name, data in tree(project).items() if not name.startswith(".git/")}

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "start")
    assert hipify("convert", "src", "--in-place").returncode == 0
    before = sources()
    again = hipify("convert", "src", "--in-place")
    assert (again.returncode, sources()) == (0, before), again.stderr
    git("checkout", "main.cu")  # as a run that was stopped leaves it
    assert hipify("convert", "src", "--in-place").returncode == 0
    assert sources() == before


def test_files_without_version_control_are_not_replaced(hipify: Run, project: Path) -> None:
    before = tree(project)
    done = hipify("convert", "src", "--in-place")
    assert (done.returncode, tree(project)) == (2, before)
    assert b"no version control for src/build/gen.cu, src/lib/util.cuh, src/main.cu; use --backup" in done.stderr
    assert hipify("convert", "src", "--in-place", "--backup").returncode == 0
    assert (project / "main.cu.prehip").read_bytes() == before["main.cu"]
    again = hipify("convert", "src", "--in-place")  # nothing would change any more
    assert again.returncode == 0, again.stderr


@pytest.mark.parametrize("mark", [".hg", ".svn", ".jj"])
def test_other_version_control_counts(hipify: Run, project: Path, mark: str) -> None:
    (project.parent / mark).mkdir()
    assert hipify("convert", "src", "--in-place").returncode == 0


def test_findings_set_the_status(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"void f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n")
    done = hipify("convert", "a.cu", "-o", "out.cu")
    assert done.returncode == 1
    assert b"a.cu:1:12: error HIP101 cudaGraphConditionalHandleCreate" in done.stderr
    assert hipify("convert", "a.cu", "-o", "out.cu", "--fail-on", "never").returncode == 0


def test_launch_style(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(VECTOR_ADD)
    assert b"hipLaunchKernelGGL(" in hipify("convert", "a.cu", "--stdout").stdout
    assert b"add<<<1, 1>>>(a);" in hipify("convert", "a.cu", "--stdout", "--launch", "chevron").stdout


def test_quiet_and_verbose(hipify: Run, project: Path) -> None:
    assert hipify("convert", "src", "-o", "out", "-q").stderr == b""
    said = hipify("convert", "src", "-o", "out2", "-v").stderr
    assert b"src/main.cu: converted -> out2/main.cu\n" in said


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_an_interrupted_run_leaves_nothing_half_written(tmp_path: Path) -> None:
    source = VECTOR_ADD * 400
    for number in range(120):
        (tmp_path / f"f{number}.cu").write_bytes(source)
    before = tree(tmp_path)
    status, said = _interrupt_once_something_is_written(tmp_path)
    assert status == 130, said
    assert b"Traceback" not in said
    after = tree(tmp_path)
    assert sorted(after) == sorted(before)
    whole = translate(source, path="f0.cu").output
    assert set(after.values()) <= {source, whole}  # as it was, or whole


def _interrupt_once_something_is_written(folder: Path) -> tuple[int, bytes]:
    """Convert a folder in place, interrupt it at the first file that comes; its exit status and standard error."""
    names = set(os.listdir(folder))
    process = subprocess.Popen(
        [sys.executable, "-m", "hipify_py", "convert", ".", "--in-place", "--force", "-j", "2"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stderr=subprocess.PIPE,
        start_new_session=True,
        # The background job of a shell ignores SIGINT, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    deadline = time.monotonic() + 1800
    while names.issuperset(os.listdir(folder)) and process.poll() is None:
        assert time.monotonic() < deadline
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=1800)
    return process.returncode, said
