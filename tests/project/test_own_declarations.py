"""What a project declares itself, and HIP lacks, is no reference to the library that has it, too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from hipify_py.project.api import check

HAND_WRITTEN = """#pragma once
typedef struct nvmlDevice_st *nvmlDevice_t;
typedef enum nvmlReturn_enum { NVML_SUCCESS = 0, NVML_ERROR_TIMEOUT } nvmlReturn_t;
enum nvmlClockType_t { NVML_CLOCK_SM };
const int NVML_GRID_LICENSE_BUFFER_SIZE = 128;
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
extern nvmlReturn_t (*nvmlInit)(void);
extern nvmlReturn_t (*nvmlDeviceGetName)(nvmlDevice_t, char *, unsigned);
"""
USES = """nvmlReturn_t (*nvmlInit)(void) = nullptr;
nvmlReturn_t name_of(nvmlDevice_t device) {
  char name[NVML_DEVICE_NAME_BUFFER_SIZE + NVML_GRID_LICENSE_BUFFER_SIZE];
  nvmlClockType_t clock = NVML_CLOCK_SM;
  if (nvmlInit() != NVML_SUCCESS) return NVML_ERROR_TIMEOUT;
  return nvmlDeviceGetName(device, name, sizeof(name));
}
"""


def said(folder: Path, files: Mapping[str, str], *given: str) -> dict[str, set[str]]:
    """The ids and names of the findings by file; files without any left out."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    report = check([folder / name for name in given] or [folder], jobs=1)
    return {
        Path(result.path).relative_to(folder).as_posix(): {f"{found.id} {found.name}" for found in result.findings}
        for result in report.results
        if result.findings
    }


@pytest.mark.parametrize("include", ['#include "gpu/monitor.h"\n', '#include "all.h"\n'])
@pytest.mark.parametrize("given", [(), ("use.cpp",)])
def test_nothing_is_said_of_a_librarys_names_that_the_project_declares(
    tmp_path: Path, include: str, given: tuple[str, ...]
) -> None:
    files = {
        "gpu/monitor.h": HAND_WRITTEN,
        "all.h": '#include "gpu/monitor.h"\n',
        "use.cpp": f"{include}#include <cuda_runtime.h>\n{USES}",
    }
    assert said(tmp_path, files, *given) == {}


def test_a_project_header_may_have_the_name_of_the_librarys(tmp_path: Path) -> None:
    assert said(tmp_path, {"nvml.h": HAND_WRITTEN, "use.cpp": '#include "nvml.h"\n' + USES}) == {}


def test_in_one_source(tmp_path: Path) -> None:
    assert said(tmp_path, {"one.cpp": HAND_WRITTEN + USES}) == {}


@pytest.mark.parametrize("between", ["", "#ifdef HAVE_IT\n"])
def test_beside_the_librarys_own_header_the_names_are_the_librarys(tmp_path: Path, between: str) -> None:
    end = "#endif\n" if between else ""
    files = {"own.h": HAND_WRITTEN, "use.cpp": f'{between}#include <nvml.h>\n{end}#include "own.h"\n{USES}'}
    assert {"HIP101 nvmlDevice_t", "HIP101 NVML_SUCCESS", "HIP101 nvmlReturn_t"} <= said(tmp_path, files)["use.cpp"]


def test_a_file_that_sees_no_declaration_means_the_librarys(tmp_path: Path) -> None:
    found = said(tmp_path, {"a/own.h": HAND_WRITTEN, "b/use.cpp": "nvmlDevice_t first();\n"})
    assert found == {"b/use.cpp": {"HIP101 nvmlDevice_t"}}


def test_a_prototype_is_the_librarys_function(tmp_path: Path) -> None:
    files = {
        "own.h": "typedef int nvmlReturn_t;\nnvmlReturn_t nvmlShutdown(void);\n",
        "use.cpp": '#include "own.h"\nvoid stop() { nvmlShutdown(); }\n',
    }
    assert said(tmp_path, files)["use.cpp"] == {"HIP101 nvmlShutdown"}


def test_members_and_namespaces(tmp_path: Path) -> None:
    files = {
        "wrap.h": "namespace gpu {\ntypedef void *nvmlUnit_t;\nint nvmlUnitGetCount(unsigned *);\n}\n"
        "struct Nvml { enum nvmlFanState_t { NVML_FAN_NORMAL }; int nvmlSystemGetDriverVersion(char *); };\n",
        "use.cpp": '#include "wrap.h"\nnamespace gpu { nvmlUnit_t first() { unsigned n; nvmlUnitGetCount(&n); return 0; } }\n'
        "int Nvml::nvmlSystemGetDriverVersion(char *to) { nvmlFanState_t s = NVML_FAN_NORMAL; return s; }\n"
        "void f(Nvml &n) { n.nvmlSystemGetDriverVersion(0); Nvml::nvmlFanState_t s = Nvml::NVML_FAN_NORMAL; }\n",
    }
    assert said(tmp_path, files) == {}


def test_what_nvcc_declares_itself_stays_cudas(tmp_path: Path) -> None:
    stub = "enum cudaSharedMemoryMode { cudaSharedMemoryModeDefault };\n"
    use = "cudaSharedMemoryMode mode = cudaSharedMemoryModeDefault;\n"
    found = said(tmp_path, {"stub.h": stub, "use.cu": '#include "stub.h"\n' + use, "use.cpp": '#include "stub.h"\n'})
    assert found["use.cu"] == {"HIP101 cudaSharedMemoryMode", "HIP101 cudaSharedMemoryModeDefault"}
    found = said(tmp_path / "other", {"stub.h": stub, "use.cpp": '#include "stub.h"\n' + use})
    assert found == {}


def test_an_enumerator_of_a_type_that_becomes_hips_stays_an_error(tmp_path: Path) -> None:
    stub = "typedef enum CUctx_flags_e { CU_CTX_FLAGS_MASK = 31 } CUresult;\n"
    found = said(tmp_path, {"stub.h": stub, "use.cpp": '#include "stub.h"\nCUresult r = CU_CTX_FLAGS_MASK;\n'})
    assert "HIP101 CU_CTX_FLAGS_MASK" in found["use.cpp"]


def test_a_declaration_that_amd_gpus_leave_out_is_none(tmp_path: Path) -> None:
    header = "#ifndef __HIP_PLATFORM_AMD__\ntypedef void *nvmlDevice_t;\n#endif\n"
    found = said(tmp_path, {"own.h": header, "use.cpp": '#include "own.h"\nnvmlDevice_t first();\n'})
    assert found["use.cpp"] == {"HIP101 nvmlDevice_t"}


GUARDS = """const char *name(int code) {
#ifdef NVJPEGAPI
  if (code == 1) return "decoder";
#endif
#ifdef NV_NPPIDEFS_H
  if (code == 2) return "images";
#endif
  return "";
}
"""


def test_a_test_for_a_library_without_counterpart_that_nothing_includes(tmp_path: Path) -> None:
    files = {"names.h": GUARDS, "use.cu": '#include "names.h"\n'}
    assert said(tmp_path, files) == {}
    assert said(tmp_path, files, "use.cu") == {}


def test_a_test_for_a_library_that_some_file_includes_beside_it(tmp_path: Path) -> None:
    files = {"names.h": GUARDS, "use.cu": '#include <nvjpeg.h>\n#include "names.h"\n'}
    assert said(tmp_path, files)["names.h"] == {"HIP403 NVJPEGAPI"}
