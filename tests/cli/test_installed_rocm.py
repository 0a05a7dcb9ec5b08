"""Without --rocm the commands go by the ROCm that is installed, and say so."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run

SOURCE = b"void f(cudaLibrary_t *l) { cudaLibraryUnload(*l); }\n"
LACKS = b"error HIP108 cudaLibraryUnload (runtime) needs ROCm 7.1 or later, which has hipLibraryUnload\n"


@pytest.fixture
def rocm(tmp_path: Path) -> Path:
    place = tmp_path / "rocm"
    (place / ".info").mkdir(parents=True)
    (place / ".info/version").write_text("6.2.4-1\n")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cu").write_bytes(SOURCE)
    time.sleep(0.1)  # what changed just before a run is no ground for a record of it
    return place


def env(rocm: Path, said: str = "") -> dict[str, str]:
    return {"ROCM_PATH": str(rocm), "HIPIFY_PY_ROCM": said}


@pytest.mark.parametrize("path", ["src/a.cu", "src"])  # the short way of hooks, and the long one
def test_what_is_installed_decides_and_the_summary_says_so(hipify: Run, rocm: Path, path: str) -> None:
    run = hipify("check", path, env=env(rocm))
    assert LACKS in run.stdout
    assert f"ROCm 6.2, installed in {rocm} (choose with --rocm)\n".encode() in run.stderr
    assert run.returncode == 1
    assert hipify("check", path, "-q", env=env(rocm)).stderr == b""


def test_the_command_line_the_configuration_and_the_environment_win(hipify: Run, rocm: Path) -> None:
    for arguments in (("--rocm", "7.1"), ("--rocm", "newest")):
        run = hipify("check", "src", *arguments, env=env(rocm))
        assert (run.returncode, b"installed in" in run.stderr) == (0, False), run.stdout
    run = hipify("check", "src", env=env(rocm, "newest"))
    assert (run.returncode, b"installed" in run.stderr) == (0, False)
    (rocm.parent / "hipify-py.toml").write_text('rocm = "newest"\n')
    assert hipify("check", "src", env=env(rocm)).returncode == 0
    (rocm.parent / "hipify-py.toml").write_text('rocm = "6.3"\n')
    run = hipify("check", "src", env=env(rocm, "newest"))
    assert LACKS in run.stdout
    assert b"installed" not in run.stderr
    assert hipify("check", "src", "--rocm", "newest", env=env(rocm)).returncode == 0


@pytest.mark.parametrize("path", ["src/a.cu", "src"])
def test_a_wrong_word_in_the_environment_is_wrong_usage(hipify: Run, rocm: Path, path: str) -> None:
    run = hipify("check", path, env=env(rocm, "latest"))
    assert run.returncode == 2
    assert b"HIPIFY_PY_ROCM: 'latest' is not a version" in run.stderr


def test_a_run_after_an_upgrade_is_done_anew(hipify: Run, rocm: Path) -> None:
    for _ in range(2):
        assert LACKS in hipify("check", "src", env=env(rocm)).stdout
    (rocm / ".info/version").write_text("7.1.0\n")
    run = hipify("check", "src", env=env(rocm))
    assert run.returncode == 0
    assert b"ROCm 7.1, installed in" in run.stderr
    other = rocm.parent / "other"
    (other / ".info").mkdir(parents=True)
    (other / ".info/version").write_text("6.2.0\n")
    assert LACKS in hipify("check", "src", env=env(other)).stdout


@pytest.mark.parametrize(
    "arguments",
    [("report", "src"), ("convert", "src", "-o", "out"), ("convert", "src", "--diff"), ("query", "cudaFree")],
)
def test_the_other_commands_say_it_too(hipify: Run, rocm: Path, arguments: tuple[str, ...]) -> None:
    run = hipify(*arguments, env=env(rocm))
    assert b"ROCm 6.2, installed in" in run.stderr


def test_programs_are_told_the_version(hipify: Run, rocm: Path) -> None:
    for path in ("src", "src/a.cu"):
        document = json.loads(hipify("check", path, "--format", "json", env=env(rocm)).stdout)
        assert document["targeting"]["rocm"] == "6.2"


def test_the_settings_show_it(hipify: Run, rocm: Path) -> None:
    assert b'\nrocm = "6.2"  # installed\n' in hipify("check", "src", "--show-settings", env=env(rocm)).stdout
    assert b'\nrocm = "7.0"  # environment\n' in hipify("check", "src", "--show-settings", env=env(rocm, "7.0")).stdout
    run = hipify("check", "src", "--show-settings", "--format", "json", env=env(rocm))
    (source,) = json.loads(run.stdout)["configurations"][0]["sources"]["rocm"]
    assert (source["source"], source["file"], source["value"]) == ("installed", None, "6.2")
