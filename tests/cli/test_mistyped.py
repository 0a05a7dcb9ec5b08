"""A mistyped option, command or value: the message says what is wrong and what may have been meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run

WRONG = {
    "hceck a.cu": "No such command 'hceck' (did you mean check?)",
    "mappings lnit": "No such command 'lnit' (did you mean lint?)",
    "--formt json": "No such option '--formt'; options of a command follow its name",
    "check a.cu --outputfile x": "No such option '--outputfile'. Did you mean '--output-file'?",
    "report a.cu --no-config": "--no-config belongs before the command: hipify-py --no-config … report",
    "check a.cu --rocm newst": "'newst' is not a version of the form X.Y, such as 6.4, or newest (did you mean newest?)",
    "check a.cu --rocm 6": "'6' is not a version of the form X.Y, such as 6.4, or newest",
    "check a.cu --cuda twelve": "'twelve' is not a version of the form X.Y, such as 12.6",
    "report a.cu --fail-under 100.5": "100.5 is not a percentage from 0 to 100",
    "report a.cu --fail-under cufft=-2": "-2 is not a percentage from 0 to 100",
    "report a.cu --fail-under most": "'most' does not have the form 95 or cublas=95",
    "report a.cu --fail-under curnad=90": "'curnad' is not a library (did you mean curand",
    "check a.cu --semantics atuo": "is not one of 'auto', 'on', 'off' (did you mean auto?)",
    "check a.cu --format sraif": "(did you mean sarif?)",
    "check a.cu --output-file juint=x": "'juint' is not a format (did you mean junit?); the formats are ",
    "convert a.cu -o x --launch chevrn": "(did you mean chevron?)",
    "explain HIP3011": "HIP3011 is not a finding of hipify-py; did you mean HIP301",
    "check a.cu --ignore HIP3333": "HIP3333 matches no finding (did you mean HIP333",
    "check a.cu --no-fix wavfront": "(did you mean wavefront?)",
    "config semantcs": "'semantcs' is not a key (did you mean semantics?)",
    "header --support lattch": "(did you mean latch?)",
    "compile a.cu --arch sm_90": "'sm_90' is not the name of an AMD GPU, such as gfx90a, gfx942 or gfx1100",
    "build . --arch compute_75": "'compute_75' is not the name of an AMD GPU",
    "compile a.cu --arch gfx942 --arch 1100": "'1100' is not the name of an AMD GPU",
}


@pytest.mark.parametrize("typed", WRONG)
def test_what_is_wrong_is_said(tmp_path: Path, hipify: Run, typed: str) -> None:
    (tmp_path / "a.cu").write_text("void f(void *p) { cudaFree(p); }\n")
    done = hipify(*typed.split())
    assert done.returncode == 2
    assert WRONG[typed] in " ".join(done.stderr.decode().split())


@pytest.mark.parametrize(
    "name",
    ["gfx90a", "gfx942:sramecc+:xnack-", "gfx1100", "gfx9-4-generic", "gfx11-generic", "native", "gfx90a,gfx942"],
)
def test_names_that_hipcc_takes_are_taken(tmp_path: Path, hipify: Run, name: str) -> None:
    """Without a source there is nothing to compile, and the options are checked before."""
    (tmp_path / "a.txt").touch()
    assert b"is not the name of an AMD GPU" not in hipify("compile", ".", "--arch", name).stderr
