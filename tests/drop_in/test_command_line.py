"""Command lines are read as Getopt::Long and LLVM's library read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.drop_in.command_line import Misuse, read_by_getopt, read_by_llvm
from hipify_py.drop_in.options import CLANG_OPTIONS, PERL_OPTIONS


@pytest.mark.parametrize(
    ("words", "values", "operands"),
    [
        (["-inplace", "a.cu"], {"inplace": [""]}, ["a.cu"]),
        (["--inplace", "a.cu"], {"inplace": [""]}, ["a.cu"]),
        (["a.cu", "-inplace", "b.cu"], {"inplace": [""]}, ["a.cu", "b.cu"]),
        (["-o", "x.hip", "a.cu"], {"o": ["x.hip"]}, ["a.cu"]),
        (["-o=x.hip", "a.cu"], {"o": ["x.hip"]}, ["a.cu"]),
        (["--o=x=y", "a.cu"], {"o": ["x=y"]}, ["a.cu"]),
        (["-o", "-x", "a.cu"], {"o": ["-x"]}, ["a.cu"]),
        (["-INPLACE", "a.cu"], {"inplace": [""]}, ["a.cu"]),
        (["-print", "a.cu"], {"print-stats": [""]}, ["a.cu"]),
        (["+roc", "a.cu"], {"roc": [""]}, ["a.cu"]),
        (["-roc", "--", "-inplace"], {"roc": [""]}, ["-inplace"]),
        (["-"], {}, ["-"]),
    ],
)
def test_getopt_long(words: list[str], values: dict[str, list[str]], operands: list[str]) -> None:
    given = read_by_getopt(words, PERL_OPTIONS)
    assert (given.values, given.operands, given.complaints) == (values, operands, [])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-no-such"], "Unknown option: no-such"),
        (["-inplac=1"], "Option inplace does not take an argument"),
        (["-o"], "Option o requires an argument"),
        (["-o="], "Option o requires an argument"),
        (["-e"], "Option e is ambiguous (examine, exclude-dirs, exclude-files, experimental)"),
        (["-print-stat-csv"], "Unknown option: print-stat-csv (did you mean print-stats?)"),
    ],
)
def test_getopt_long_goes_on_after_mistakes(words: list[str], says: str) -> None:
    given = read_by_getopt([*words[:1], *words[1:]], PERL_OPTIONS)
    assert given.complaints == [says]
    assert given.values == {}


@pytest.mark.parametrize(
    ("words", "values", "operands", "compiler"),
    [
        (["a.cu", "-o", "b.hip"], {"o": ["b.hip"]}, ["a.cu"], []),
        (["a.cu", "--o=b.hip"], {"o": ["b.hip"]}, ["a.cu"], []),
        (["a.cu", "-Iinclude", "-I", "more", "-DX=1"], {"I": ["include", "more"], "D": ["X=1"]}, ["a.cu"], []),
        (["--cuda-path=/opt/cuda", "a.cu"], {"cuda-path": ["/opt/cuda"]}, ["a.cu"], []),
        (["a.cu", "--", "-x", "cuda", "-std=c++17"], {}, ["a.cu"], ["-x", "cuda", "-std=c++17"]),
        (["a.cu", "-print-stats=true"], {"print-stats": ["true"]}, ["a.cu"], []),
        (["a.cu", "-print-stats=false"], {}, ["a.cu"], []),
        (["--extra-arg=-Ix", "-extra-arg", "-DY", "a.cu"], {"extra-arg": ["-Ix", "-DY"]}, ["a.cu"], []),
    ],
)
def test_llvm(words: list[str], values: dict[str, list[str]], operands: list[str], compiler: list[str]) -> None:
    given = read_by_llvm(words, CLANG_OPTIONS)
    assert (given.values, given.operands, [*given.compiler]) == (values, operands, compiler)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-print-stat"], r"unknown option -print-stat \(did you mean print-stats"),
        (["a.cu", "-o"], "requires a value"),
        (["-inplace=maybe"], "takes no value"),
        (["-o", "a", "-o", "b"], "-o is given more than once"),
    ],
)
def test_llvm_refuses(words: list[str], says: str) -> None:
    with pytest.raises(Misuse, match=says):
        read_by_llvm(words, CLANG_OPTIONS)


def test_response_files(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("-roc 'a file.cu'\n")
    given = read_by_llvm([f"@{tmp_path / 'words'}", "@absent", "b.cu"], CLANG_OPTIONS)
    assert given.operands == ["a file.cu", "@absent", "b.cu"]
    assert given.has("roc")


def test_a_response_file_that_names_itself_ends(tmp_path: Path) -> None:
    place = tmp_path / "loop"
    place.write_text(f"@{place}\n")
    assert read_by_llvm([f"@{place}"], CLANG_OPTIONS).operands == [f"@{place}"]
