"""Options and configurations that the quick check takes: it prints and returns what the full command line does."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.cli.main import run
from hipify_py.cli.quick import quick_check

SOURCE = """\
#include <cublas_v2.h>
__global__ void k(int *p) { p[0] = __shfl(p[0], 1); }
void f(int *p) { k<<<1, 32>>>(p); cudaFooBar(0); cudaGraphConditionalHandleCreate(0, 0, 0, 0); cudaFree(p); }
"""

TAKEN = [
    [],
    ["-q"],
    ["--quiet", "--exit-zero"],
    ["--no-cache"],
    ["--fail-on", "never"],
    ["--fail-on=warning"],
    ["--fail-on=never", "--fail-on=note"],
    ["--format", "json"],
    ["--format=sarif"],
    ["--format", "text", "--color", "always"],
    ["--rocm", "6.4"],
    ["--rocm=newest"],
    ["--cuda", "12.2", "--target", "roc"],
    ["--launch", "chevron", "--no-support", "--experimental", "--ci-files"],
    ["--support-place=beside"],
    ["--select", "HIP101,HIP3"],
    ["--select", "HIP1", "--extend-select", "HIP2"],
    ["--extend-select", "HIP2"],
    ["--ignore", "HIP1", "--ignore", "hip2,HIP3"],
]
LEFT = [
    ["--select", "NOPE"],
    ["--rocm", "1.0"],
    ["--rocm", "new"],
    ["--cuda", "twelve"],
    ["--fail-on", "sometimes"],
    ["--format", "nothing"],
    ["--color", "red"],
    ["--format", "html"],
    ["--diff"],
    ["--fix", "HIP907"],
    ["--unknown"],
]
CONFIGURATIONS = {
    "an empty one": ("", True),
    "words": ('rocm = "6.4"\nfail-on = "warning"\nlaunch = "chevron"\ntarget = "roc"\ncuda = "12.0"\n', True),
    "switches": ("no-support = true\nexperimental = true\nci-files = true\n", True),
    "findings": ('select = ["HIP1", "HIP3"]\nextend-select = ["HIP2"]\nignore = ["HIP101"]\n', True),
    "severities": ('extend-ignore = ["HIP3"]\n[severity]\nHIP1 = "note"\n', True),
    "what a check does not use": ("annotate = true\ndual = true\nno-build-files = true\nfail-under = 5\n", True),
    "files by patterns": ('exclude = ["a.cu"]\n', False),
    "findings by files": ('[per-file-ignores]\n"*.cu" = ["HIP1"]\n', False),
    "a baseline": ('baseline = "known.jsonl"\n', False),
    "fixes": ('fix = ["HIP907"]\n', False),
    "an unknown finding": ('ignore = ["NOPE"]\n', False),
    "a wrong value": ("rocm = 6\n", False),
    "an unknown key": ("rcom = 6\n", False),
    "no TOML": ("rocm\n", False),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: the top of a checkout, with a source."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.cu").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _outcomes(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> list[tuple[int | None, str, str]]:
    """What the quick check returns and prints, and what the full command line does."""
    return [(check(arguments), *capsys.readouterr()) for check in (quick_check, run)]


@pytest.mark.parametrize("options", TAKEN, ids=" ".join)
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.usefixtures("project")
def test_plain_options_mean_what_they_mean(
    capsys: pytest.CaptureFixture[str], options: list[str], is_first: bool
) -> None:
    quick, full = _outcomes(capsys, ["check", *options, "a.cu"] if is_first else ["check", "a.cu", *options])
    assert quick == full


@pytest.mark.parametrize("options", LEFT, ids=" ".join)
@pytest.mark.usefixtures("project")
def test_other_options_are_left_to_the_full_command_line(
    capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    assert quick_check(["check", *options, "a.cu"]) is None
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("kind", CONFIGURATIONS)
@pytest.mark.parametrize("options", [[], ["--rocm", "7.0"], ["--select", "HIP2"], ["--ignore", "HIP2"]], ids=" ".join)
def test_a_plain_configuration_means_what_it_means(
    project: Path, capsys: pytest.CaptureFixture[str], kind: str, options: list[str]
) -> None:
    text, is_plain = CONFIGURATIONS[kind]
    (project / "hipify-py.toml").write_text(text)
    quick, full = _outcomes(capsys, ["check", *options, "a.cu"])
    assert quick == (full if is_plain else (None, "", ""))


def test_files_of_two_configurations_are_left_to_the_full_command_line(project: Path) -> None:
    for name in ("one", "two"):
        (project / name).mkdir()
        (project / name / "a.cu").write_text(SOURCE)
    (project / "one" / "hipify-py.toml").write_text('rocm = "6.4"\n')
    assert quick_check(["check", "one/a.cu", "two/a.cu"]) is None
    (project / "hipify-py.toml").write_text('rocm = "6.4"\n')
    assert quick_check(["check", "a.cu", "two/a.cu"]) == 1
