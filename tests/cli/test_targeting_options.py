"""--cuda, --rocm, --target, --mappings and --preset, and the project's configuration."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from .in_process import run_here

SOURCE = "#include <cublas_v2.h>\nvoid f(cublasHandle_t h, cuComplex *x) { cublasCaxpy(h, 1, x, x, 1, x, 1); }\n"


def hipify(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = run_here(folder, *arguments)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.cu").write_text(SOURCE)
    return tmp_path


@pytest.mark.parametrize(
    ("options", "name"),
    [((), "hipblasCaxpy("), (("--rocm", "6.4"), "hipblasCaxpy_v2("), (("--target", "roc"), "rocblas_caxpy(")],
)
def test_the_options_choose_the_target(project: Path, options: tuple[str, ...], name: str) -> None:
    run = hipify(project, "convert", "--stdout", *options, "a.cu")
    assert name in run.stdout, run.stderr


@pytest.mark.parametrize("command", ["convert", "check", "report", "query"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--rocm", "new"), "'new' is not a version"),
        (("--rocm", "4.5"), "older than 5.2"),
        (("--cuda", "12"), "'12' is not a version"),
        (("--target", "cuda"), "'cuda' is not one of"),
        (("--preset", "tensorflow"), "'tensorflow' is not"),
        (("--mappings", "missing.yaml"), "missing.yaml"),
    ],
)
def test_wrong_choices_are_wrong_usage(project: Path, command: str, options: tuple[str, ...], message: str) -> None:
    more = ("--stdout",) if command == "convert" else ()
    run = hipify(project, command, *more, *options, "a.cu")
    assert run.returncode == 2
    assert message in run.stderr
    assert run.stdout == ""


def test_what_the_chosen_rocm_lacks_is_unsupported_there(project: Path) -> None:
    (project / "b.cu").write_text("void f(cudaLibrary_t *l) { cudaLibraryUnload(*l); }\n")
    assert hipify(project, "check", "b.cu").returncode == 0
    run = hipify(project, "check", "--rocm", "6.2", "b.cu")
    assert run.returncode == 1
    assert "HIP108 cudaLibraryUnload (runtime) needs ROCm 7.1 or later, which has hipLibraryUnload\n" in run.stdout


def test_a_wrong_table_names_file_and_line(project: Path) -> None:
    (project / "extra.yaml").write_text("library: x\ntitle: X\nfunctions:\n  a: {hipp: b}\n")
    run = hipify(project, "check", "--mappings", "extra.yaml", "a.cu")
    assert run.returncode == 2
    assert "extra.yaml:4: " in run.stderr
    assert "hipp" in run.stderr


# -- configuration


def test_the_configuration_is_taken_from_above(project: Path) -> None:
    (project / "hipify-py.toml").write_text('target = "roc"\n')
    (project / "below").mkdir()
    (project / "below" / "a.cu").write_text(SOURCE)
    assert "rocblas_caxpy" in hipify(project / "below", "convert", "--stdout", "a.cu").stdout
    assert "hipblasCaxpy" in hipify(project / "below", "convert", "--stdout", "--target", "hip", "a.cu").stdout
    assert "hipblasCaxpy" in hipify(project / "below", "--no-config", "convert", "--stdout", "a.cu").stdout


def test_pyproject_can_hold_the_configuration(project: Path) -> None:
    (project / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.hipify-py]\nrocm = "6.4"\n')
    assert "hipblasCaxpy_v2" in hipify(project, "convert", "--stdout", "a.cu").stdout


def test_check_of_a_few_files_heeds_the_configuration(project: Path) -> None:
    (project / "b.cu").write_text("void f(cudaLibrary_t *l) { cudaLibraryUnload(*l); }\n")
    (project / "hipify-py.toml").write_text('rocm = "6.2"\n')
    assert hipify(project, "check", "b.cu").returncode == 1


def test_tables_of_the_configuration_and_the_command_line_add_up(project: Path) -> None:
    (project / "tables").mkdir()
    for name, row in (("one", "oneOld: oneNew"), ("two", "twoOld: twoNew")):
        (project / "tables" / f"{name}.yaml").write_text(f"library: {name}\ntitle: T\nfunctions:\n  {row}\n")
    (project / "hipify-py.toml").write_text('mappings = ["tables/one.yaml"]\n')
    (project / "sub").mkdir()
    (project / "sub" / "a.cpp").write_text("void f() { oneOld(); twoOld(); }\n")
    run = hipify(project / "sub", "convert", "--stdout", "--mappings", "../tables/two.yaml", "a.cpp")
    assert run.stdout == "void f() { oneNew(); twoNew(); }\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rocm = 6.4\n", "rocm must be a version such as 6.4, from 5.2 to 10.0, or newest, not 6.4"),
        ('rokm = "6.4"\n', "rokm is not a key"),
        ('mappings = "x.yaml"\n', "mappings must be a list of file names, not 'x.yaml'"),
        ('mappings = ["missing.yaml"]\n', "missing.yaml"),
        ("rocm = \n", "hipify-py.toml"),
        ('rocm = "new"\n', "rocm must be a version such as 6.4, from 5.2 to 10.0, or newest, not 'new'"),
        ('target = "cuda"\n', "hipify-py.toml: target must be hip or roc, not 'cuda'"),
        ('fail-on = "later"\n', "hipify-py.toml: fail-on must be note, warning, error or never, not 'later'"),
        (
            'preset = ["none"]\n',
            "hipify-py.toml: preset must be a list of pytorch, pytorch-v1 or pytorch-v2, not ['none']",
        ),
        ('fix = ["wavefront"]\nno-fix = ["wavefront"]\n', "hipify-py.toml: wavefront is in both fix and no-fix"),
        ('mappings = ["/dev/zero"]\n', "hipify-py.toml: mappings: /dev/zero: not a regular file"),
        ('mappings = ["."]\n', "hipify-py.toml: mappings: .: not a regular file"),
        ('mappings = ["a\\u0000b"]\n', "hipify-py.toml: mappings must be a list of file names"),
        ("a = " + "[" * 20_000, "hipify-py.toml: nested too deeply"),
        ("a = " + "{b=" * 20_000, "hipify-py.toml: nested too deeply"),
        ("rocm." + "a." * 20_000 + "b = 1", "hipify-py.toml: rocm must be a version"),
        ("# " + "x" * (1 << 20) + "\n", "hipify-py.toml: larger than"),
        ("\xff", "hipify-py.toml"),
        (
            'rocm = "4.5"\n',
            "hipify-py.toml: rocm must be a version such as 6.4, from 5.2 to 10.0, or newest, not '4.5'",
        ),
        ('exclude = ["!"]\n', "hipify-py.toml: exclude: Invalid git pattern"),
    ],
)
def test_a_wrong_configuration_is_refused(project: Path, text: str, message: str) -> None:
    (project / "hipify-py.toml").write_bytes(text.encode("latin-1"))
    run = hipify(project, "check", "a.cu")
    assert run.returncode == 2
    assert message in run.stderr


def test_a_named_configuration_that_is_missing_is_refused(project: Path) -> None:
    run = hipify(project, "--config", "other.toml", "check", "a.cu")
    assert (run.returncode, "other.toml" in run.stderr) == (2, True)


def test_the_report_says_what_it_holds_for(project: Path) -> None:
    run = hipify(project, "check", "--format", "json", "--rocm", "6.4", "--target", "hip", "a.cu")
    assert json.loads(run.stdout)["targeting"] == {"cuda": "13.5", "rocm": "6.4", "target": "hip"}
