"""What the README shows works: its commands, its links, and the picture."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py.catalog import load_catalog
from hipify_py.cli import main
from hipify_py.compile.driver import find_hipcc

from .pages import REPOSITORY

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
LINES = re.findall(r"^\$ (.*?)(?: {2,}#.*)?$", README, re.MULTILINE)
COMMANDS = [shlex.split(line)[1:] for line in LINES if line.startswith("hipify-py ")]

UNSUPPORTED = "void f(float *p) { cudaFree(p); cublasSetSmCountTarget(0, 1); }\n"
PORTABLE = "__global__ void k() {}\nvoid f() { k<<<1, 2>>>(); }\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git checkout with the files that the commands name."""
    (tmp_path / "kernels.cu").write_text(UNSUPPORTED)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "k.cu").write_text(PORTABLE)
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["commit", "-qm", "x"],
        ["update-ref", "refs/remotes/origin/main", "HEAD"],
    ):
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_there_are_ten_lines_of_use() -> None:
    assert len([line for line in LINES if not line.startswith("make ")]) == 10


@pytest.mark.parametrize("words", [words for words in COMMANDS if words[0] != "compile"], ids=" ".join)
def test_a_command_runs(project: Path, words: list[str]) -> None:
    assert main.run(words) == (1 if "kernels.cu" in words else 0)


@pytest.mark.compiler
@pytest.mark.skipif(find_hipcc() is None, reason="hipcc is not installed")
def test_the_compiled_command_runs(project: Path) -> None:
    (words,) = [words for words in COMMANDS if words[0] == "compile"]
    assert main.run(words) == 0


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_figures_of_the_tables_are_right(page: str) -> None:
    rows = [*load_catalog().rows()]
    mapped = sum(not row.is_unsupported for row in rows)
    text = " ".join((REPOSITORY / page).read_text(encoding="utf-8").replace("**", "").split())
    named, libraries, have = re.search(r"([\d,]+) names of (\d+) CUDA libraries.*?([\d,]+) have a HIP", text).groups()
    rounded = [f"{number // 100 * 100:,}" for number in (len(rows), mapped)]
    assert [named, have] == rounded
    assert int(libraries) == len({row.library for row in rows})


def test_the_line_of_python_runs() -> None:
    (line,) = [line for line in LINES if line.startswith("python ")]
    command = [sys.executable, *shlex.split(line)[1:]]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert "hipFree(p);" in done.stdout


def test_the_targets_of_make_exist() -> None:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"make ([a-z-]+)", README)
    assert {"demo", "test", "test-all"} <= set(targets)
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)", README))))
def test_a_link_leads_somewhere(link: str) -> None:
    assert (REPOSITORY / link).is_file()
