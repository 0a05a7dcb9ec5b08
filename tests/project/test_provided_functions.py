"""A function that HIP lacks and that the project defines for it is no error where it is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import check

OWN = "inline int cublasXtCreate(void **handle) { return 0; }\n"


@pytest.mark.parametrize("condition", ["#ifdef __HIP__", "#if defined(__HIP__)", "#if 0\n#elif defined(__HIP__)"])
@pytest.mark.parametrize("guard", ["#pragma once\n", "#ifndef OWN_H\n#define OWN_H\n"])
def test_however_its_branch_is_chosen(tmp_path: Path, condition: str, guard: str) -> None:
    closing = "#endif\n" if "OWN_H" in guard else ""
    (tmp_path / "own.h").write_text(f"{guard}{condition}\n{OWN}#endif\n{closing}")
    use = "void f(void **handle) { cublasXtCreate(handle); }\n"
    (tmp_path / "use.cu").write_text(f'#include <cublasXt.h>\n#include "own.h"\n{use}')
    (tmp_path / "alone.cu").write_text(f'#include "own.h"\n{use}')
    found = {Path(result.path).name: result.findings for result in check([tmp_path], jobs=1).results}
    assert found["alone.cu"] == (), "no other function can be meant"
    *_, finding = found["use.cu"]
    assert (finding.id, finding.severity) == ("HIP101", "note")
    assert "the project defines its own" in finding.message


def test_a_branch_for_nvidia_alone_provides_nothing(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text(f"#pragma once\n#ifdef __HIP__\nint other();\n#else\n{OWN}#endif\n")
    (tmp_path / "use.cu").write_text('#include "own.h"\nvoid f(void **handle) { cublasXtCreate(handle); }\n')
    report = check([tmp_path], jobs=1)
    assert [finding.severity for result in report.results for finding in result.findings] == ["error"]
