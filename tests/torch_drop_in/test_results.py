"""What a call writes and tells: files, statuses, marker, includes."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from hipify_py.project.write import BACKUP_SUFFIX
from hipify_py.torch import hipify_python
from hipify_py.torch.result import CurrentState, HipifyResult
from tests.torch_drop_in.builds import MARKER, below, build, places
from tests.torch_drop_in.conftest import Write

KERNEL = "__global__ void k(float *p) { p[0] = 1; }\n"
RUNTIME = "#include <cuda_runtime.h>\n"


def test_a_source_gets_a_translation_beside_it(write: Write) -> None:
    folder = write({"a.cu": KERNEL + "void f(float *p) { k<<<1, 32>>>(p); }\n"})
    results = build(folder, "a.cu")
    assert places(folder, results) == {"a.cu": ("a.hip", "[ok]")}
    assert results["a.cu"].current_state is CurrentState.DONE
    assert (folder / "a.hip").read_text() == (
        f"{MARKER}#include <hip/hip_runtime.h>\n{KERNEL}"
        "void f(float *p) { hipLaunchKernelGGL(k, dim3(1), dim3(32), 0, 0, p); }\n"
    )
    assert (folder / "a.cu").read_text().startswith(KERNEL)


def test_a_result_shows_itself_as_the_original_does() -> None:
    result = HipifyResult(CurrentState.DONE, "/a.hip")
    result.status = "[ok]"
    assert str(result) == ("HipifyResult:: current_state: CurrentState.DONE, hipified_path : /a.hip, status: [ok]")
    assert result.asdict() == {"hipified_path": "/a.hip", "status": "[ok]"}


def test_a_source_without_cuda_stays(write: Write) -> None:
    folder = write({"a.cpp": "int a;\n"})
    assert places(folder, build(folder, "a.cpp")) == {"a.cpp": ("a.cpp", "[skipped, no changes]")}
    assert os.listdir(folder) == ["a.cpp"]


def test_in_another_folder_a_source_without_cuda_is_copied(write: Write) -> None:
    folder = write({"cuda/a.cpp": "int a;\n"})
    assert places(folder, build(folder, "cuda/a.cpp")) == {"cuda/a.cpp": ("hip/a.cpp", "[ok]")}
    assert (folder / "hip/a.cpp").read_text() == MARKER + "int a;\n"


def test_what_is_there_already_is_not_written_again(write: Write) -> None:
    folder = write({"a.cu": KERNEL, "b.h": RUNTIME})
    build(folder, "a.cu", "b.h")
    before = {path: os.stat(path).st_mtime_ns for path in map(str, folder.iterdir())}
    results = build(folder, "a.cu", "b.h")
    assert {each.status for each in results.values()} == {"[skipped, already hipified]"}
    assert {path: os.stat(path).st_mtime_ns for path in map(str, folder.iterdir())} == before


def test_output_is_no_input(write: Write) -> None:
    folder = write({"a_hip.cpp": f"{MARKER}int a;\n", "b.cpp": f"{MARKER[:-1]}\r\nint b;\n"})
    assert places(folder, build(folder, "a_hip.cpp", "b.cpp")) == {
        "a_hip.cpp": (None, "[ignored, input is hipified output]"),
        "b.cpp": (None, "[ignored, input is hipified output]"),
    }


def test_headers_are_translated_when_they_are_reached(write: Write) -> None:
    folder = write(
        {
            "csrc/a.cu": f'#include "cuda/b.cuh"\n{KERNEL}',
            "csrc/cuda/b.cuh": '#include "../c.h"\n',
            "csrc/c.h": RUNTIME,
            "csrc/plain.h": "int p;\n",
            "csrc/unreached.cu": KERNEL,
        }
    )
    assert places(folder, build(folder, "csrc/a.cu")) == {
        "csrc/a.cu": ("csrc/a.hip", "[ok]"),
        "csrc/cuda/b.cuh": ("csrc/hip/b.cuh", "[ok]"),
        "csrc/c.h": ("csrc/c_hip.h", "[ok]"),
    }
    assert '#include "hip/b.cuh"\n' in (folder / "csrc/a.hip").read_text()
    assert '#include "../c_hip.h"\n' in (folder / "csrc/hip/b.cuh").read_text()


def test_includes_of_files_that_stay_are_left(write: Write) -> None:
    folder = write({"a.cu": f'#include "plain.h"\n#include "./same.h"\n{KERNEL}', "plain.h": "int p;\n", "same.h": ""})
    build(folder, "a.cu")
    assert '#include "plain.h"\n#include "./same.h"\n' in (folder / "a.hip").read_text()


def test_a_file_follows_what_it_includes(write: Write) -> None:
    """A source without CUDA gets another name too if a header that it includes does."""
    folder = write({"a.cpp": '#include "b.h"\n', "b.h": '#include "c.h"\n', "c.h": RUNTIME})
    assert places(folder, build(folder, "a.cpp")) == {
        "a.cpp": ("a_hip.cpp", "[ok]"),
        "b.h": ("b_hip.h", "[ok]"),
        "c.h": ("c_hip.h", "[ok]"),
    }


def test_headers_that_include_each_other(write: Write) -> None:
    one, other = '#pragma once\n#include "y.h"\n', '#pragma once\n#include "x.h"\n'
    folder = write({"a.cu": f'#include "x.h"\n{KERNEL}', "x.h": one, "y.h": other})
    build(folder, "a.cu")
    assert not (folder / "x_hip.h").exists()  # neither of them changes
    (folder / "y.h").write_text(other + RUNTIME)
    assert places(folder, build(folder, "a.cu"))["x.h"] == ("x_hip.h", "[ok]")
    assert '#include "x_hip.h"' in (folder / "y_hip.h").read_text()


def test_a_moved_file_still_reaches_what_stays(write: Write) -> None:
    folder = write({"cuda/a.cu": f'#include "table.def"\n{KERNEL}', "cuda/table.def": "1, 2\n"})
    build(folder, "cuda/a.cu")
    assert '#include "table.def"' in (folder / "hip/a.hip").read_text()
    assert (folder / "hip/table.def").read_text() == f"{MARKER}1, 2\n"  # it moves along


def test_ignored_headers_stay_and_are_still_reached(write: Write) -> None:
    folder = write({"cuda/a.cu": f'#include "b.cuh"\n{KERNEL}', "cuda/b.cuh": RUNTIME})
    results = hipify_python.hipify(
        str(folder),
        output_directory=str(folder),
        ignores=["*/b.cuh"],
        extra_files=[str(folder / "cuda/a.cu")],
        is_pytorch_extension=True,
        hipify_extra_files_only=True,
    )
    assert places(folder, below(folder, results))["cuda/b.cuh"] == (None, "[ignored, not to be hipified]")
    assert '#include "../cuda/b.cuh"' in (folder / "hip/a.hip").read_text()


def test_included_files_with_other_endings_are_translated_too(write: Write) -> None:
    folder = write({"a.cu": f'#include "b.inl"\n{KERNEL}', "b.inl": "inline void f() { cudaDeviceSynchronize(); }\n"})
    assert places(folder, build(folder, "a.cu"))["b.inl"] == ("b_hip.inl", "[ok]")
    assert '#include "b_hip.inl"' in (folder / "a.hip").read_text()


def test_headers_beside_a_source_outside_of_the_folder_are_translated(tmp_path: Path, write: Write) -> None:
    """`torch.utils.cpp_extension.load` works in a folder of its own, and names sources elsewhere."""
    folder = write({"a.cu": f'#include "b.cuh"\n{KERNEL}', "b.cuh": RUNTIME})
    build_folder = tmp_path / "build"
    build_folder.mkdir()
    results = hipify_python.hipify(
        str(build_folder),
        output_directory=str(build_folder),
        extra_files=[str(folder / "a.cu")],
        ignores=["/opt/rocm/*"],
        is_pytorch_extension=True,
    )
    assert places(folder, below(folder, results)) == {"a.cu": ("a.hip", "[ok]"), "b.cuh": ("b_hip.cuh", "[ok]")}


def test_a_file_beside_comes_before_the_folders_and_the_first_folder_wins(write: Write) -> None:
    folder = write(
        {
            "src/a.cu": f'#include "b.h"\n#include <c.h>\n{KERNEL}',
            "src/b.h": RUNTIME,
            "one/b.h": RUNTIME,
            "one/c.h": RUNTIME,
            "two/c.h": RUNTIME,
        }
    )
    results = build(folder, "src/a.cu", include_dirs=("one", "two"))
    assert set(results) == {"src/a.cu", "src/b.h", "one/c.h"}
    assert '#include "b_hip.h"\n#include <c_hip.h>\n' in (folder / "src/a.hip").read_text()


def test_an_include_keeps_its_form(write: Write) -> None:
    folder = write({"a.cu": f'  #  include /* it */ "b.h"  // b\n// #include "b.h"\n{KERNEL}', "b.h": RUNTIME})
    build(folder, "a.cu")
    assert '  #  include /* it */ "b_hip.h"  // b\n// #include "b.h"\n' in (folder / "a.hip").read_text()


def test_pytorchs_headers_that_no_table_has_are_renamed_as_its_build_renames_them(write: Write) -> None:
    folder = write({"a.cu": f"#include <ATen/cuda/CUDANews.cuh>\n#include <ATen/cuda/CUDAContext.h>\n{KERNEL}"})
    build(folder, "a.cu")
    text = (folder / "a.hip").read_text()
    assert "#include <ATen/hip/HIPNews.cuh>\n#include <ATen/hip/HIPContext.h>\n" in text


def test_warps_keep_32_lanes_and_the_support_header_is_at_the_top(write: Write) -> None:
    source = "__device__ unsigned f(bool b) { return __ballot_sync(0xffffffffu, b); }\n"
    folder = write({"csrc/cuda/a.cu": source})
    results = build(folder, "csrc/cuda/a.cu")
    text = (folder / "csrc/hip/a.hip").read_text()
    assert '#include "../../hipify_support.hpp"' in text
    assert "hipify::warp32::ballot_sync" in text
    assert results["csrc/cuda/a.cu"].support_header == str(folder / "hipify_support.hpp")
    assert (folder / "hipify_support.hpp").is_file()


def test_a_header_is_the_same_for_all_extensions(write: Write) -> None:
    """One of them counts its warps in `warpSize`, which could stay; the other counts them in 32."""
    header = (
        "__device__ inline int sum(int v) {\n"
        "    for (int d = warpSize / 2; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);\n"
        "    return v;\n"
        "}\n"
    )
    native = (
        '#include "sum.cuh"\n'
        "__global__ void k(int *o, int v) {\n"
        "    const int lane = threadIdx.x % warpSize;\n"
        "    v = sum(v);\n"
        "    if (lane == 0) o[blockIdx.x] = v;\n"
        "}\n"
        "int run(int *o, int v, int n, cudaDeviceProp p) { k<<<n, 256>>>(o, v); return p.warpSize; }\n"
    )
    of_32 = native.replace("% warpSize", "% 32").replace("p.warpSize", "0")
    folder = write({"sum.cuh": header, "native.cu": native, "of_32.cu": of_32})
    build(folder, "native.cu")
    before = (folder / "sum_hip.cuh").read_text()
    build(folder, "of_32.cu")
    assert (folder / "sum_hip.cuh").read_text() == before


def test_the_support_header_is_no_input(write: Write) -> None:
    folder = write({"a.cu": "__device__ unsigned f(bool b) { return __ballot_sync(0xffffffffu, b); }\n"})
    for _ in range(2):
        results = hipify_python.hipify(str(folder), output_directory=str(folder), is_pytorch_extension=True)
    assert places(folder, below(folder, results)) == {
        "a.cu": ("a.hip", "[skipped, already hipified]"),
        "hipify_support.hpp": (None, "[ignored, input is hipified output]"),
    }


def test_bytes_that_are_no_utf8_stay(write: Write) -> None:
    folder = write({"a.cu": b"// \xe9\r\n" + KERNEL.encode()})
    build(folder, "a.cu")
    assert b"// \xe9\r\n" in (folder / "a.hip").read_bytes()


def test_the_marker_comes_first(write: Write) -> None:
    folder = write({"a.cu": b"\xef\xbb\xbf" + KERNEL.encode()})
    build(folder, "a.cu")
    data = (folder / "a.hip").read_bytes()
    assert data.startswith(MARKER.encode())
    assert b"\xef\xbb\xbf" not in data


def test_a_file_that_is_no_text_costs_no_other(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write({"a.cu": KERNEL.encode("utf-16"), "b.cu": KERNEL})
    results = build(folder, "a.cu", "missing.cu", "b.cu")
    assert places(folder, results)["b.cu"] == ("b.hip", "[ok]")
    for name in ("a.cu", "missing.cu"):
        assert results[name].hipified_path == str(folder / name)
        assert results[name].status.startswith("[failed, ")
    assert capsys.readouterr().err.splitlines()[-1] == "2 files could not be translated."


def test_a_target_that_cannot_be_written_costs_no_other(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write({"a.cu": KERNEL, "b.cu": KERNEL})
    (folder / "a.hip").mkdir()
    results = build(folder, "a.cu", "b.cu")
    assert places(folder, results) == {
        "a.cu": ("a.cu", "[skipped, no permissions]"),
        "b.cu": ("b.hip", "[ok]"),
    }
    assert "a.hip, which cannot be written" in capsys.readouterr().err


def test_what_includes_a_header_that_failed_leads_to_its_source(write: Write) -> None:
    folder = write(
        {
            "cuda/a.cu": f'#include "lost.h"\n#include "bad.h"\n{KERNEL}',
            "cuda/lost.h": RUNTIME,
            "cuda/bad.h": RUNTIME.encode("utf-16"),
        }
    )
    (folder / "hip/lost.h").mkdir(parents=True)
    assert places(folder, build(folder, "cuda/a.cu"))["cuda/a.cu"] == ("hip/a.hip", "[ok]")
    text = (folder / "hip/a.hip").read_text()
    assert '#include "../cuda/lost.h"\n#include "../cuda/bad.h"\n' in text


def test_two_sources_never_become_one_file(write: Write) -> None:
    folder = write({"ops.cpp": RUNTIME, "ops_cuda.cpp": RUNTIME, "b.cu": '#include "x.h"\n#include "x_hip.h"\n'})
    write({"x.h": RUNTIME, "x_hip.h": "int port;\n"})
    results = places(folder, build(folder, "ops.cpp", "ops_cuda.cpp", "b.cu"))
    assert results == {
        "ops.cpp": ("ops_hip_hip.cpp", "[ok]"),
        "ops_cuda.cpp": ("ops_hip.cpp", "[ok]"),
        "b.cu": ("b.hip", "[ok]"),
        "x.h": ("x_hip_hip.h", "[ok]"),
        "x_hip.h": ("x_hip.h", "[skipped, no changes]"),
    }
    assert '#include "x_hip_hip.h"\n#include "x_hip.h"\n' in (folder / "b.hip").read_text()


def test_nor_do_sources_of_two_calls(write: Write) -> None:
    folder = write({"ops.cpp": RUNTIME, "ops_cuda.cpp": RUNTIME})
    build(folder, "ops_cuda.cpp")
    assert places(folder, build(folder, "ops.cpp"))["ops.cpp"] == ("ops_hip_hip.cpp", "[ok]")
    assert places(folder, build(folder, "ops_cuda.cpp"))["ops_cuda.cpp"][0] == "ops_hip.cpp"


def test_a_file_of_the_author_is_kept_beside_what_replaces_it(write: Write) -> None:
    folder = write({"cuda/a.cu": KERNEL, "hip/a.hip": "// my port\n"})
    build(folder, "cuda/a.cu")
    assert (folder / "hip/a.hip").read_text().startswith(MARKER)
    assert (folder / f"hip/a.hip{BACKUP_SUFFIX}").read_text() == "// my port\n"


def test_a_link_is_read_and_an_output_link_is_replaced(tmp_path: Path, write: Write) -> None:
    folder = write({"real/a.cu": KERNEL})
    (folder / "a.cu").symlink_to("real/a.cu")
    other = tmp_path / "elsewhere.hip"
    other.write_text("mine\n")
    (folder / "a.hip").symlink_to(other)
    assert places(folder, build(folder, "a.cu")) == {"a.cu": ("a.hip", "[ok]")}
    assert other.read_text() == "mine\n"


def test_results_of_calls_add_up(write: Write) -> None:
    folder = write({"a.cu": KERNEL, "b.cu": KERNEL})
    build(folder, "a.cu")
    assert set(build(folder, "b.cu")) == {"a.cu", "b.cu"}
    assert set(below(folder, hipify_python.HIPIFY_FINAL_RESULT)) == {"a.cu", "b.cu"}


def test_a_header_that_has_changed_is_translated_again(write: Write) -> None:
    folder = write({"a.cu": f'#include "b.h"\n{KERNEL}', "b.h": RUNTIME})
    build(folder, "a.cu")
    (folder / "b.h").write_text(f"{RUNTIME}int more;\n")
    assert build(folder, "a.cu")["b.h"].status == "[ok]"
    assert "int more;" in (folder / "b_hip.h").read_text()


def test_what_is_left_to_do_is_told(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write({"a.cpp": "#include <optix.h>\nvoid f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n"})
    results = build(folder, "a.cpp")
    told = capsys.readouterr()
    assert any(finding.severity == "error" for finding in results["a.cpp"].findings)
    assert f"{folder}/a.cpp:" in told.err
    places = sum(finding.severity == "error" for finding in results["a.cpp"].findings)
    assert told.err.splitlines()[-1] == f"{places} places need work by hand."


def test_one_place_is_told_in_the_singular(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write({"a.cpp": "void f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n", "b.cu": b"\xff\xfea\x00"})
    build(folder, "a.cpp", "b.cu")
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == "1 place needs work by hand; 1 file could not be translated."


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("no_color", "is_coloured"), [("", True), ("1", False)])
def test_terminals_get_colours(
    write: Write, monkeypatch: pytest.MonkeyPatch, no_color: str, *, is_coloured: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr("sys.stderr", terminal := _Terminal())
    build(write({"a.cu": KERNEL}), "a.cu")
    assert ("\033[" in terminal.getvalue()) == is_coloured


def test_one_file_by_itself(write: Write) -> None:
    folder = write({"a.cu": f'#include "b.h"\n{KERNEL}', "b.h": RUNTIME, "c.h": RUNTIME})
    stats: dict[str, list[object]] = {}
    with hipify_python.GeneratedFileCleaner(keep_intermediates=True) as cleaner:
        given = (str(folder), str(folder / "a.cu"), [str(folder / "a.cu"), str(folder / "b.h")], (), stats)
        hipify_python.preprocess_file_and_save_result(*given, False, True, cleaner, False)
        result = hipify_python.preprocessor(*given, False, True, cleaner, False)
    assert result.hipified_path == str(folder / "a.hip")
    assert set(below(folder, hipify_python.HIPIFY_FINAL_RESULT)) == {"a.cu", "b.h"}
    assert sorted(stats) == ["kernel_launches", "unsupported_calls"]
