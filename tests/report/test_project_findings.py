"""Findings that say the same in every build file of a project are reported once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify_py.core.findings import occurrences
from hipify_py.project.api import check
from hipify_py.report.document import report_of
from hipify_py.report.formats import Look
from hipify_py.report.formats.json import FORMAT
from hipify_py.report.run_report import CHECK, RunReport

_LIST_FILE = """cmake_minimum_required(VERSION 3.10)
project(field LANGUAGES CXX CUDA)
set(CMAKE_CUDA_STANDARD 03)
set(CMAKE_CUDA_ARCHITECTURES 70)
"""
_MAKEFILE = "field: field.cu\n\tnvcc -arch=sm_70 field.cu -o $@\n\tnvcc -arch=sm_80 field.cu -o $@\n"


@pytest.fixture
def report(tmp_path: Path) -> RunReport:
    for folder in ("east", "west", "west/inner"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "CMakeLists.txt").write_text(_LIST_FILE)
        (tmp_path / folder / "Makefile").write_text(_MAKEFILE)
    (tmp_path / "west/Makefile").write_text(f"# hipify: ignore-file[HIP620]\n{_MAKEFILE}")
    return RunReport(CHECK, check([tmp_path], jobs=1).results)


def test_what_is_the_same_for_all_files_is_reported_once(report: RunReport, tmp_path: Path) -> None:
    found = {finding.id: finding for finding in report.findings}
    assert len(found) == len([*report.findings])
    assert {id: len(finding.others) for id, finding in found.items()} == {
        "HIP602": 2,
        "HIP604": 2,
        "HIP611": 2,
        "HIP620": 3,
    }
    assert {Path(finding.path).relative_to(tmp_path).parts[0] for finding in found.values()} == {"east"}
    assert found["HIP604"].message.endswith(" (and 2 more in this project)")
    assert [Path(other.path).relative_to(tmp_path).as_posix() for other in found["HIP620"].others] == [
        "east/Makefile",
        "west/inner/Makefile",
        "west/inner/Makefile",
    ]
    assert {cause.id: (cause.places, cause.files) for cause in report.causes}["HIP620"] == (4, 2)


def test_a_document_has_the_files_of_all_places(report: RunReport) -> None:
    again = report_of(json.loads("".join(FORMAT.render(report, Look()))))
    places = [[(each.path, each.line, each.name) for each in occurrences(found)] for found in report.findings]
    assert [[(each.path, each.line, each.name) for each in occurrences(found)] for found in again.findings] == places
