"""Every spelling of nvcc's options: translated, taken out, reported, or one that clang understands in the same way."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hipify_py.build_systems.facts import facts
from hipify_py.build_systems.nvcc_options import option_of

SPELLINGS = [
    line
    for line in (Path(__file__).parent / "nvcc_spellings.txt").read_text(encoding="utf-8").splitlines()
    if line[0] != "#"
]
_SAME = (
    "-E -M -MM -MD -MMD -MF -MP -MT -c -o -include -l -D -U -I -L -g -pg -r -shared -v -w -Wreorder -Wconversion -m64"
    " -Wno-deprecated-declarations -save-temps --compile --debug --preprocess --save-temps --shared --std --stdlib"
    " --verbose --help --version -V"
)
SAME = frozenset(_SAME.split())
"""Spellings that clang takes as they are; `-V` is translated where commands are, because its output is often read."""

FORMS = [
    pytest.param(form, id=" ".join(form))
    for words in map(str.split, SPELLINGS)
    for form in ([words] if len(words) == 1 else [words, ["=".join(words)]])
]


@pytest.mark.parametrize("words", FORMS)
def test_every_option_is_known(words: list[str]) -> None:
    option = option_of(words, facts().flags, for_cuda=True)
    if option is None:
        name = words[0].partition("=")[0]
        assert name in SAME or facts().flags[name].only == "apart"
    else:
        assert option.words == len(words)
        assert option.has_counterpart or option.flag.left


@pytest.mark.compiler
@pytest.mark.parametrize("words", FORMS)
def test_clang_understands_what_takes_its_place(words: list[str], tmp_path: Path) -> None:
    clang = next(filter(None, map(shutil.which, ("clang++-22", "clang++"))), None)
    if clang is None:
        pytest.skip("NOT COMPARED: clang is not installed")
    option = option_of(words, facts().flags, for_cuda=True)
    if words[0] == "-V" or (option is not None and (option.flag.left or "--genco" in option.text)):
        return
    (tmp_path / "a.hip").write_text("int main() {}\n")
    (tmp_path / "value").write_text("")
    command = [clang, "-x", "hip", "--offload-arch=gfx942", "-nogpulib", "-nogpuinc", "-###", "a.hip"]
    text = words if option is None else option.text.split()
    run = subprocess.run([*command, *text], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert [line for line in run.stderr.splitlines() if "error: " in line] == []
