"""Libraries that get to `target_link_libraries` by a variable, a property, or a string of options."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.cmake.load import build_contexts
from hipify_py.build_systems.cmake.translate import translate
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.project_context import NO_PROJECT

HEAD = "# for CUDA\n"
APP = "target_link_libraries(app ${LIBS})\n"


def _out(text: str) -> str:
    """What becomes of a list file; a second pass changes nothing, and every replaced name was counted."""
    done = translate((HEAD + text).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert translate(done.output, "CMakeLists.txt", DEFAULT_OPTIONS).output == done.output
    return done.output.decode().removeprefix(HEAD)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("set(LIBS cuda nvrtc)\n", "set(LIBS hip::host hiprtc::hiprtc)\n"),
        ("list(APPEND LIBS cublas m)\n", "list(APPEND LIBS roc::hipblas m)\n"),
        ('set(LIBS "cudart;cufft" PARENT_SCOPE)\n', 'set(LIBS "hip::host;hip::hipfft" PARENT_SCOPE)\n'),
        ('set(LIBS cudart CACHE STRING "cudart, or cuda")\n', 'set(LIBS hip::host CACHE STRING "cudart, or cuda")\n'),
        ("set(GPU curand)\nset(LIBS x ${GPU})\n", "set(GPU hip::hiprand)\nset(LIBS x ${GPU})\n"),
        ("set(LIBS cudart cudadevrt z)\n", "set(LIBS hip::host z)\n"),
        ('set(LIBS "-L/x  -lcudart -lz ")\n', 'set(LIBS "-L/x;hip::host;-lz")\n'),
        ('set(LIBS "${ä} -lcudart\t-lz")\n', 'set(LIBS "${ä};hip::host;-lz")\n'),
    ],
)
def test_what_a_linked_variable_holds_follows(before: str, after: str) -> None:
    assert _out(before + APP) == after + APP


@pytest.mark.parametrize(
    "text",
    [
        "set(BACKEND cuda)\ntarget_link_libraries(app base_${BACKEND})\n",
        "set(BACKEND cuda)\nmessage(${BACKEND})\n",
        "set(cuda app)\ntarget_link_libraries(${cuda} m)\n",
        "set(NAMES cuda mine)\nfind_package(${NAMES})\ntarget_link_libraries(app ${NAMES})\n",
        "add_library(cuda a.cpp)\nset(LIBS cuda)\n" + APP,
        "set(LIBS x)\nset(OTHER ${LIBS} cuda)\n" + APP,
    ],
)
def test_other_variables_keep_their_words(text: str) -> None:
    assert _out(text) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("foreach(one IN LISTS ALL)\n", "foreach(one IN LISTS ALL)\n"),
        ("foreach(one ${ALL})\n", "foreach(one ${ALL})\n"),
        ("foreach(one IN ITEMS cusparse)\n", "foreach(one IN ITEMS roc::hipsparse)\n"),
    ],
)
def test_loops_hand_libraries_on(before: str, after: str) -> None:
    body = "  target_link_libraries(app ${one})\nendforeach()\n"
    held = "set(ALL cudart)\n" if "ALL" in before else ""
    assert _out(held + before + body) == held.replace("cudart", "hip::host") + after + body


def test_a_variable_is_linked_in_another_file() -> None:
    files = {
        "CMakeLists.txt": b"project(x CUDA)\nset(LIBS cublas)\nadd_subdirectory(lib)\n",
        "lib/CMakeLists.txt": b"add_library(x x.cu)\ntarget_link_libraries(x ${LIBS})\n",
    }
    told = build_contexts(files, DEFAULT_OPTIONS)["CMakeLists.txt"]
    done = translate(
        files["CMakeLists.txt"], "CMakeLists.txt", DEFAULT_OPTIONS, project=NO_PROJECT._replace(build=told)
    )
    assert b"set(LIBS roc::hipblas)" in done.output
    assert b"find_package(hipblas REQUIRED)" in done.output


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("link_libraries(cudart m)\n", "link_libraries(hip::host m)\n"),
        ('target_link_libraries(app "-lcuda -lm")\n', 'target_link_libraries(app "hip::host;-lm")\n'),
        (
            'set_target_properties(app PROPERTIES LINK_LIBRARIES "cudart;m" FOLDER cuda)\n',
            'set_target_properties(app PROPERTIES LINK_LIBRARIES "hip::host;m" FOLDER cuda)\n',
        ),
        (
            "set_property(TARGET cuda APPEND PROPERTY INTERFACE_LINK_LIBRARIES cufft)\n",
            "set_property(TARGET cuda APPEND PROPERTY INTERFACE_LINK_LIBRARIES hip::hipfft)\n",
        ),
    ],
)
def test_whatever_links_is_read(before: str, after: str) -> None:
    assert _out(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "get_target_property(where CUDA::cudart IMPORTED_LOCATION)\n",
            "get_target_property(where hip::amdhip64 IMPORTED_LOCATION)\n",
        ),
        (
            "install(FILES $<TARGET_FILE:CUDA::cudart> $<TARGET_FILE:CUDA::cublas> DESTINATION lib)\n",
            "install(FILES $<TARGET_FILE:hip::amdhip64> $<TARGET_FILE:roc::hipblas> DESTINATION lib)\n",
        ),
        ("set(where $<TARGET_FILE_DIR:CUDA::cuda_driver>)\n", "set(where $<TARGET_FILE_DIR:hip::amdhip64>)\n"),
        (
            'set(name "$<TARGET_SONAME_FILE_NAME:CUDA::cudart>")\n',
            'set(name "$<TARGET_SONAME_FILE_NAME:hip::amdhip64>")\n',
        ),
        ("if(TARGET CUDA::cudart)\nendif()\n", "if(TARGET hip::host)\nendif()\n"),
        (
            "get_target_property(folders CUDA::cudart INTERFACE_INCLUDE_DIRECTORIES)\n",
            "get_target_property(folders hip::host INTERFACE_INCLUDE_DIRECTORIES)\n",
        ),
    ],
)
def test_a_librarys_file_is_that_of_another_target(before: str, after: str) -> None:
    assert _out(before) == after


def test_a_path_to_nvcc_leads_to_hipcc() -> None:
    text = 'set(NVCC "${ROOT}/bin/nvcc")\nif(EXISTS ${ROOT}/bin/nvcc)\nendif()\nset(COMPILER nvcc)\n'
    done = translate((HEAD + text).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert done.output.decode() == HEAD + text.replace("bin/nvcc", "bin/hipcc")
    assert [(found.id, found.line) for found in done.findings] == [("HIP606", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "set(SRC_DIR ${CMAKE_CURRENT_SOURCE_DIR}/a/nvcc)\n",
        'set(SRC_DIR "a/nvcc;b/nvcc")\nadd_executable(x ${SRC_DIR}/k.cpp)\n',
        "if(EXISTS ${CMAKE_SOURCE_DIR}/nvcc)\nendif()\n",
        "if(A STREQUAL src/nvcc)\nelseif(IS_DIRECTORY a/nvcc)\nendif()\n",
        "set(D a/nvcc)\nexecute_process(COMMAND ls ${D} WORKING_DIRECTORY ${D})\n",
        "execute_process(COMMAND ls WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/nvcc)\n",
        "add_custom_command(OUTPUT a COMMAND cp -r src/nvcc a DEPENDS src/nvcc)\n",
        "add_custom_target(t ALL COMMAND ${CMAKE_COMMAND} -E touch build/nvcc)\n",
    ],
)
def test_a_folder_called_nvcc_keeps_its_name(text: str) -> None:
    done = translate((HEAD + text).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert done.output.decode() == HEAD + text
    assert [found.id for found in done.findings] == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("set(CC /opt/nvcc)\nexecute_process(COMMAND ${CC} a.cu)\n", 2),
        ('set(CC "${ROOT}/nvcc")\nadd_custom_command(OUTPUT a.o COMMAND "${CC}" -c a.cu)\n', 2),
        ("set(CC ${ROOT}/nvcc)\nadd_custom_target(t ALL ${CC} a.cu)\n", 2),
        ("set(CC ${ROOT}/nvcc)\nexec_program(${CC} ARGS a.cu)\n", 2),
        ("set(CC ${ROOT}/nvcc)\nadd_custom_target(t COMMAND ${CMAKE_COMMAND} -E env A=b ${CC} a.cu)\n", 2),
        ("if(NOT EXISTS ${R}/nvcc)\nendif()\nset(CC ${R}/nvcc)\nexecute_process(COMMAND ${CC} a.cu)\n", 4),
        ("execute_process(COMMAND ls COMMAND ${ROOT}/nvcc a.cu)\n", 2),
        ("execute_process(COMMAND env PATH=/x ${ROOT}/nvcc a.cu)\n", 2),
        ("add_custom_command(OUTPUT a.o COMMAND ccache ${ROOT}/bin/nvcc -c a.cu)\n", 2),
    ],
)
def test_a_path_that_is_run_leads_to_hipcc(text: str, line: int) -> None:
    done = translate((HEAD + text).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert done.output.decode() == HEAD + text.replace("/nvcc", "/hipcc")
    assert [(found.id, found.line) for found in done.findings] == [("HIP606", line)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "foreach(l cudart cublas)\n  if(NOT TARGET CUDA::${l})\n    message(FATAL_ERROR CUDA::${l})\n  endif()\nendforeach()\n",
            "foreach(l hip::host roc::hipblas)\n  if(NOT TARGET ${l})\n    message(FATAL_ERROR ${l})\n  endif()\nendforeach()\n",
        ),
        (
            'foreach(l cufft)\n  foreach(t a b)\n    target_link_libraries(${t} "CUDA::${l}")\n  endforeach()\nendforeach()\n',
            'foreach(l hip::hipfft)\n  foreach(t a b)\n    target_link_libraries(${t} "${l}")\n  endforeach()\nendforeach()\n',
        ),
        (
            "foreach(l cublas)\n  list(APPEND X $<TARGET_NAME_IF_EXISTS:CUDA::${l}>)\nendforeach()\n",
            "foreach(l roc::hipblas)\n  list(APPEND X $<TARGET_NAME_IF_EXISTS:${l}>)\nendforeach()\n",
        ),
        (
            "foreach(l IN ITEMS cudart cublas)\n  target_link_libraries(x PRIVATE CUDA::${l})\nendforeach(l)\n",
            "foreach(l IN ITEMS hip::host roc::hipblas)\n  target_link_libraries(x PRIVATE ${l})\nendforeach(l)\n",
        ),
        (
            "foreach(l cufft)\n  foreach(m cublas)\n    link_libraries(CUDA::${l} CUDA::${m})\n  endforeach()\nendforeach()\n",
            "foreach(l hip::hipfft)\n  foreach(m roc::hipblas)\n    link_libraries(${l} ${m})\n  endforeach()\nendforeach()\n",
        ),
    ],
)
def test_the_names_of_a_loop_are_those_of_targets(before: str, after: str) -> None:
    assert _out(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "foreach(l cufft)\n  target_link_libraries(x CUDA::${l} own_${l})\nendforeach()\n",
        "foreach(l cufft nppc)\n  target_link_libraries(x CUDA::${l})\nendforeach()\n",
        "foreach(l cufft ${MORE})\n  target_link_libraries(x CUDA::${l})\nendforeach()\n",
        "foreach(l IN LISTS MINE)\n  target_link_libraries(x CUDA::${l})\nendforeach()\n",
        "set(MINE cufft)\nforeach(l IN LISTS MINE)\n  target_link_libraries(x CUDA::${l})\nendforeach()\n",
        "foreach(l cublas)\n  target_link_libraries(x CUDA::${l}_static)\nendforeach()\n",
        "foreach(l cublas)\n  if(TARGET CUDA::${l}_static)\n  endif()\nendforeach()\n",
        "foreach(l cublas cufft)\n  if(l STREQUAL cublas)\n    link_libraries(CUDA::${l})\n  endif()\nendforeach()\n",
        'foreach(l cublas)\n  if(l MATCHES "cu.*")\n    link_libraries(CUDA::${l})\n  endif()\nendforeach()\n',
        'foreach(l cublas)\n  string(APPEND l "x")\n  link_libraries(CUDA::${l})\nendforeach()\n',
        "foreach(l cublas)\n  set(l cufft)\n  link_libraries(CUDA::${l})\nendforeach()\n",
        "foreach(l cublas)\n  foreach(l a b)\n  endforeach()\n  link_libraries(CUDA::${l})\nendforeach()\n",
        "foreach(l nvToolsExt)\n  if(TARGET CUDA::${l})\n  endif()\nendforeach()\n",
    ],
)
def test_a_loop_that_cannot_be_followed_is_reported(text: str) -> None:
    done = translate((HEAD + text).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert done.output.decode() == HEAD + text
    assert [found.id for found in done.findings] == ["HIP601"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("CUDA::cudart${STATIC} CUDA::nvrtc${STATIC}", "hip::host hiprtc::hiprtc"),
        ("CUDA::cublas${STATIC}", "CUDA::cublas${STATIC}"),  # CUDA::cublasLt has another counterpart
        ("CUDA::${NAME} CUDA::own${NAME}", "CUDA::${NAME} CUDA::own${NAME}"),
    ],
)
def test_a_variable_may_hold_the_end_of_a_librarys_name(before: str, after: str) -> None:
    assert _out(f"target_link_libraries(app {before})\n") == f"target_link_libraries(app {after})\n"


def test_libraries_that_the_project_adds_to_cmakes_module_are_left_out() -> None:
    assert _out("_CUDAToolkit_find_and_add_import_lib(cufilt)\nproject(x)\n") == "project(x)\n"
