"""What a tree lacks: makefiles that its makefiles include, and submodules that have not been fetched."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import ConversionReport, check, convert

_CUDA = "NVCC = nvcc\n"


def lacking(report: ConversionReport) -> list[tuple[str, int, str]]:
    return [
        (Path(result.path).name, finding.line, finding.name)
        for result in report.results
        for finding in result.findings
        if finding.id == "HIP912"
    ]


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("include ../kit/rules.opts", "kit/rules.opts"),
        ("include ../../sdk/rules.opts", "../sdk/rules.opts"),
        ("K = ../kit\ninclude set.opts\n", "app/set.opts"),
        ("include rules.opts\n%: %.cc\n\tc++ $<\nclean:\n\trm -f rules.opts", "app/rules.opts"),
    ],
)
def test_a_makefile_that_is_not_there(tmp_path: Path, written: str, place: str) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app/Makefile").write_text(f"{_CUDA}{written}\n")
    line = 1 + f"{_CUDA}{written}"[: f"{_CUDA}{written}".index("include")].count("\n")
    assert lacking(check([tmp_path], jobs=1)) == [("Makefile", line, place)]


@pytest.mark.parametrize(
    "written",
    [
        "-include rules.opts",
        "sinclude rules.opts",
        "include $(KIT)/rules.opts",
        "include /opt/kit/rules.opts",
        "ifdef KIT\ninclude rules.opts\nendif",
        "include there.opts template.opts",
        "include rules.opts\nrules.opts: settings\n\t./make-rules",
        "include rules.opts\n%.opts: %.txt\n\t./make-rules",
        "include rules.opts\nsettings:\n\t./make-rules > rules.opts",
        "include rules.opts  # hipify: ignore[HIP912]",
    ],
)
def test_what_may_be_there(tmp_path: Path, written: str) -> None:
    (tmp_path / "there.opts").write_text("A = 1\n")
    (tmp_path / "template.opts.in").write_text("A = @A@\n")
    (tmp_path / "Makefile").write_text(f"{_CUDA}{written}\n")
    assert lacking(check([tmp_path], jobs=1)) == []


def test_files_that_makefiles_include_are_read_from_other_folders(tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit/Makefile").write_text(f"{_CUDA}include ../there.opts\n")
    (tmp_path / "there.opts").write_text(f"{_CUDA}include more.opts\n")
    assert lacking(check([tmp_path], jobs=1)) == []


def test_submodules_that_have_not_been_fetched(tmp_path: Path) -> None:
    for folder in ("third/empty", "third/full"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "third/full/x.h").write_text("")
    names = ("third/empty", "third/full", "gone", "unused")
    entries = [f'[submodule "{name}"]\n\tpath = {name}\n\turl = ../{name}\n' for name in names]
    (tmp_path / ".gitmodules").write_text("".join(entries[:3]) + f"# hipify: ignore[HIP912]\n{entries[3]}")
    expected = [(".gitmodules", 2, "third/empty"), (".gitmodules", 8, "gone")]
    assert lacking(check([tmp_path], jobs=1)) == expected
    done = convert([tmp_path], output=tmp_path.parent / "out", jobs=1)
    assert lacking(done) == expected
    assert (tmp_path.parent / "out/.gitmodules").read_text() == (tmp_path / ".gitmodules").read_text()
