"""The table of hipfort's interfaces, and what it says of calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.catalog import load_catalog
from hipify_py.fortran.hipfort import interfaces, offered_for
from tools.tables.hipfort import NoHipfort, table_of


def test_the_table_has_the_interfaces_of_all_libraries() -> None:
    found = interfaces()
    assert len(found) > 3_000
    assert found["hipmalloc"] == "hipfort_hipmalloc"
    assert found["hipblasdgemm"] == "hipfort_hipblas"
    assert found["hipfftexecz2z"] == "hipfort_hipfft"
    assert found["rocsparse_create_handle"] == "hipfort_rocsparse"
    assert found["roctxrangepush"] == "hipfort_roctx"
    assert "cudamalloc" not in found


def test_calls_by_what_hipfort_offers() -> None:
    calls = {"cudaMalloc": 5, "cublasDgemm": 2, "cudaGetErrorString": 1, "cublasXtDgemm": 3, "noSuchThing": 1}
    offered = offered_for(calls, load_catalog())
    assert offered.interfaced == 7
    assert offered.other == ("cudaGetErrorString",)
    assert offered.missing == ("cublasXtDgemm", "noSuchThing")


SOURCE = """\
module hipfort_x
  interface hipOne
    function hipOne_(a) bind(c, name="hipOne")
    end function
  end interface
  ! interface hipNot
  interface hipTwo
    module procedure hipTwo_a,&
      hipTwo_b
  end interface
  interface
    subroutine helper_()
    end subroutine
    function hipThree(a) bind(c, name="hipThreeA")
    end function
  end interface
end module
"""


def test_a_checkout_gives_the_table(tmp_path: Path) -> None:
    (tmp_path / "lib/hipfort").mkdir(parents=True)
    (tmp_path / "lib/hipfort/hipfort_x.f").write_text(SOURCE)
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## hipfort 1.2 for ROCm 9.9\n")
    assert table_of(tmp_path).endswith(
        "release: 1.2 for ROCm 9.9\nmodules:\n  hipfort_x:\n  - hipOne\n  - hipThree\n  - hipTwo\n"
    )


def test_another_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoHipfort):
        table_of(tmp_path)
