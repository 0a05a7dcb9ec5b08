"""Device functions as programs have them: converted whole, once, and compiled where there is a compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.translator.translate import translate
from tests.ptx.compiling import TARGETS, assert_compiles

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.cu"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_is_converted_whole(path: Path) -> None:
    result = translate(path.read_text(encoding="utf-8"), path=path.name)
    assert [found for found in result.findings if found.severity == "error"] == []
    assert b"asm" not in result.output
    again = translate(result.output.decode(), path="a.hip")
    assert again.output == result.output


@pytest.mark.compiler
@pytest.mark.parametrize("arch", TARGETS)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_compiles(path: Path, arch: str, tmp_path: Path) -> None:
    assert_compiles(translate(path.read_text(encoding="utf-8"), path=path.name).output, arch, tmp_path)
