"""`--select` and its kin, `[severity]`, `--exit-zero`, `--statistics`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

SOURCE = b"""\
__global__ void k(int *p) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%1};" : "=r"(p[0]) : "r"(p[1]));
  __nanosleep(100);
}
void f() {
  cudaGraphConditionalHandleCreate(0, 0, 0, 0);
  cudaFooBar(1);
  cudaFooBaz(1);  // hipify: ignore[HIP102]
}
int unused;  // hipify: ignore[HIP305]
"""


@pytest.fixture(autouse=True)
def _source(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(SOURCE)


def document(run: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def ids(run: Any, what: str = "findings") -> list[str]:
    return [finding["id"] for file in document(run)["files"] for finding in file[what]]


ALL = ["HIP210", "HIP101", "HIP102", "HIP907"]


def test_everything_is_selected_unasked(quickly: Run) -> None:
    run = quickly("check", "a.cu", "--format", "json")
    assert ids(run) == ALL
    assert ids(run, "suppressed") == ["HIP102"]


@pytest.mark.parametrize(
    ("arguments", "reported", "suppressed"),
    [
        (("--select", "HIP101"), ["HIP101"], []),
        (("--select", "hip10"), ["HIP101", "HIP102"], ["HIP102"]),
        (("--select", "HIP2,HIP9"), ["HIP210", "HIP907"], []),
        (("--select", "HIP2", "--select", "HIP101"), ["HIP210", "HIP101"], []),
        (("--select", "HIP2", "--extend-select", "HIP101"), ["HIP210", "HIP101"], []),
        (("--extend-select", "HIP101"), ALL, ["HIP102"]),
        (("--select", "ALL"), ALL, ["HIP102"]),
        (("--select", "HIP"), ALL, ["HIP102"]),
        (("--ignore", "HIP1"), ["HIP210", "HIP907"], ["HIP101", "HIP102", "HIP102"]),
        (("--extend-ignore", "HIP1", "--ignore", "HIP2"), ["HIP907"], ["HIP210", "HIP101", "HIP102", "HIP102"]),
        (("--select", "HIP10", "--ignore", "HIP101"), ["HIP102"], ["HIP101", "HIP102"]),
        (("--ignore", "all"), [], ["HIP210", "HIP101", "HIP102", "HIP102", "HIP907"]),
    ],
)
def test_ids_prefixes_and_all(
    quickly: Run, arguments: tuple[str, ...], reported: list[str], suppressed: list[str]
) -> None:
    """What is not selected is no finding at all; what is ignored is a suppressed one."""
    run = quickly("check", "a.cu", "--format", "json", *arguments)
    assert (ids(run), sorted(ids(run, "suppressed"))) == (reported, sorted(suppressed))
    assert document(run)["totals"]["suppressed"] == len(suppressed)
    assert run.returncode == (1 if {"HIP101", "HIP210"} & {*reported} else 0)


def test_the_command_line_selects_in_place_of_the_configuration(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "hipify-py.toml").write_text('select = ["HIP2"]\nextend-select = ["HIP907"]\n')
    assert ids(quickly("check", "a.cu", "--format", "json")) == ["HIP210", "HIP907"]
    assert ids(quickly("check", "a.cu", "--format", "json", "--select", "HIP101")) == ["HIP101", "HIP907"]
    assert ids(quickly("check", "a.cu", "--format", "json", "--extend-select", "HIP101")) == [
        *("HIP210", "HIP101", "HIP907")
    ]


def test_an_empty_selection_leaves_nothing(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "hipify-py.toml").write_text("select = []\n")
    run = quickly("check", "a.cu", "--format", "json")
    assert (run.returncode, ids(run)) == (0, [])


def test_ignores_of_the_configuration_add_up(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "hipify-py.toml").write_text('ignore = ["HIP2"]\nextend-ignore = ["HIP9"]\n')
    assert ids(quickly("check", "a.cu", "--format", "json")) == ["HIP101", "HIP102"]
    assert ids(quickly("check", "a.cu", "--format", "json", "--ignore", "HIP101")) == ["HIP102"]


def test_a_failure_is_told_whatever_is_selected(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "b.cu").write_bytes("int a;\n".encode("utf-16"))
    run = quickly("check", "a.cu", "b.cu", "--format", "json", "--select", "HIP3", "--exit-zero")
    assert (run.returncode, ids(run)) == (3, ["HIP902"])


def test_what_is_not_selected_is_not_written_into_the_result(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    quickly("convert", "a.cu", "-o", "out", "--annotate", "--select", "HIP102")
    text = (tmp_path / "out" / "a.cu").read_bytes()
    assert b"// HIP102:" in text
    assert b"HIP101" not in text
    assert b"HIP210" not in text


def test_a_support_header_that_is_missing_can_be_left_unselected(quickly: Run, tmp_path: Path) -> None:
    """Findings about what lies around a file are selected like those about its code."""
    (tmp_path / "h.hip").write_bytes(b'#include "hipify_support.hpp"\nvoid f() { cudaFooBar(1); }\n')
    assert "HIP910" in ids(quickly("check", "h.hip", "--format", "json"))
    assert ids(quickly("check", "h.hip", "--format", "json", "--select", "HIP1")) == ["HIP102"]


def severities(run: Any) -> dict[str, str]:
    return {finding["id"]: finding["severity"] for file in document(run)["files"] for finding in file["findings"]}


@pytest.mark.parametrize(
    ("table", "changed", "status"),
    [
        ('"HIP101" = "note"\n"HIP210" = "warning"', {"HIP101": "note", "HIP210": "warning"}, 0),
        ('HIP907 = "error"', {"HIP907": "error"}, 1),
        ('HIP1 = "note"\nHIP102 = "error"', {"HIP101": "note", "HIP102": "error"}, 1),
        (
            'HIP102 = "error"\nALL = "note"',
            {"HIP101": "note", "HIP102": "error", "HIP210": "note", "HIP907": "note"},
            1,
        ),
        ('hip = "note"', {"HIP101": "note", "HIP102": "note", "HIP210": "note", "HIP907": "note"}, 0),
    ],
)
def test_the_configuration_gives_severities(
    quickly: Run, tmp_path: Path, table: str, changed: dict[str, str], status: int
) -> None:
    before = severities(quickly("check", "a.cu", "--format", "json"))
    (tmp_path / "hipify-py.toml").write_text(f"[severity]\n{table}\n")
    run = quickly("check", "a.cu", "--format", "json")
    assert (severities(run), run.returncode) == ({**before, **changed}, status)


@pytest.mark.parametrize("severity", ["error", "warning", "note"])
def test_what_a_place_has_made_a_note_stays_one(quickly: Run, tmp_path: Path, severity: str) -> None:
    """The project defines the function itself; that its kind is grave does not change that."""
    call = b"void g() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n"
    own = b"#if defined(__HIP__)\nint cudaGraphConditionalHandleCreate(int, int, int, int) { return 0; }\n#endif\n"
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "call.cuh").write_bytes(call)
    (tmp_path / "one" / "own.cu").write_bytes(own + b'#include "call.cuh"\n')
    (tmp_path / "a.cu").write_bytes(call)
    (tmp_path / "hipify-py.toml").write_text(f'[severity]\nHIP101 = "{severity}"\n')
    files = document(quickly("check", ".", "--format", "json"))["files"]
    found = {file["path"]: [finding["severity"] for finding in file["findings"]] for file in files}
    assert found == {"a.cu": [severity], "one/call.cuh": ["note"], "one/own.cu": []}


def test_severities_hold_by_configuration(quickly: Run, tmp_path: Path) -> None:
    for name, severity in (("one", "note"), ("two", "error")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "b.cu").write_bytes(b"void f() { cudaFooBar(1); }\n")
        (tmp_path / name / "hipify-py.toml").write_text(f'[severity]\nHIP102 = "{severity}"\n')
    run = quickly("check", "one", "two")
    assert [line.split()[1] for line in run.stdout.splitlines()] == [b"note", b"error"]


@pytest.mark.parametrize(
    "text",
    [
        'select = ["HIP99"]',
        'select = [""]',
        "select = 3",
        'extend-select = ["XYZ"]\nselect = ["ALL"]',
        'extend-ignore = ["HIP0"]',
        '[severity]\nHIP101 = "fatal"',
        '[severity]\nHIP777 = "error"',
        "[severity]\nHIP101 = 1",
        'severity = "error"',
    ],
)
def test_a_wrong_configuration_is_told(quickly: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "hipify-py.toml").write_text(text + "\n")
    run = quickly("check", "a.cu")
    assert run.returncode == 2
    assert b"hipify-py.toml" in run.stderr
    assert b"Traceback" not in run.stderr


@pytest.mark.parametrize("option", ["--select", "--ignore"])
@pytest.mark.parametrize("word", ["HIP77", "", ",", "3", "ALLE"])
def test_a_wrong_id_on_the_command_line_is_told(quickly: Run, option: str, word: str) -> None:
    run = quickly("check", "a.cu", option, word)
    assert run.returncode == 2
    assert option.encode() in run.stderr
    assert b"Traceback" not in run.stderr


def test_exit_zero_is_for_findings_only(quickly: Run) -> None:
    assert quickly("check", "a.cu").returncode == 1
    run = quickly("check", "a.cu", "--exit-zero")
    assert run.returncode == 0
    assert run.stdout.count(b"\n") == len(ALL)
    assert quickly("check", "missing.cu", "--exit-zero").returncode == 3
    assert quickly("convert", "a.cu", "--diff", "--exit-zero").returncode == 0
    assert quickly("report", "a.cu", "--fail-on", "error", "--exit-zero").returncode == 0


def test_statistics_count_by_id(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "b.cu").write_bytes(b"void f() { cudaFooBar(1); cudaFooQux(1); }\n")
    run = hipify("check", "a.cu", "b.cu", "--statistics")
    assert run.returncode == 1
    lines = run.stdout.decode().splitlines()
    assert [line.split()[::2][:2] for line in lines] == [
        ["3", "HIP102"],
        ["1", "HIP101"],
        ["1", "HIP210"],
        ["1", "HIP907"],
    ]
    assert all(len(line.split()) > 3 for line in lines)


def test_statistics_leave_standard_output_to_a_format(quickly: Run) -> None:
    run = quickly("check", "a.cu", "--statistics", "--format", "json")
    assert ids(run) == ALL
    assert b"1  error    HIP101" in run.stderr
