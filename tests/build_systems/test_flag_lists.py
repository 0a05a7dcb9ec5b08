"""FindCUDA's lists of options as strings, and variables with options for nvcc's host compiler."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS


def _out(text: str) -> tuple[str, list[str]]:
    """What becomes of a list file, and the ids of its findings; a second pass changes nothing."""
    done = translate_build_file(text.encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert translate_build_file(done.output, "CMakeLists.txt", DEFAULT_OPTIONS).output == done.output
    return done.output.decode(), [found.id for found in done.findings]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("list(APPEND CUDA_NVCC_FLAGS -O3)", 'string(APPEND CMAKE_HIP_FLAGS " -O3")'),
        ("list(APPEND CUDA_NVCC_FLAGS ${X})", 'string(JOIN " " CMAKE_HIP_FLAGS ${CMAKE_HIP_FLAGS} ${X})'),
        ('list(APPEND CUDA_NVCC_FLAGS "${X}")', 'string(JOIN " " CMAKE_HIP_FLAGS ${CMAKE_HIP_FLAGS} ${X})'),
        ("list(PREPEND CUDA_NVCC_FLAGS a ${X})", 'string(JOIN " " CMAKE_HIP_FLAGS a ${X} ${CMAKE_HIP_FLAGS})'),
        (
            "list(APPEND CUDA_NVCC_FLAGS_DEBUG -Xcompiler ${X})",
            'string(JOIN " " CMAKE_HIP_FLAGS_DEBUG ${CMAKE_HIP_FLAGS_DEBUG} ${X})',
        ),
        (
            "set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} ${X} -O3)",
            'string(JOIN " " CMAKE_HIP_FLAGS ${CMAKE_HIP_FLAGS} ${X} -O3)',
        ),
        ('set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} "-g" -O3)', 'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -g -O3")'),
        (
            "set(CUDA_NVCC_FLAGS -g # symbols\n -O3)",
            'string(CONCAT CMAKE_HIP_FLAGS " -g" # symbols\n " -O3")',
        ),
        ("set(CUDA_NVCC_FLAGS ${X})", 'string(JOIN " " CMAKE_HIP_FLAGS ${X})'),
        ("set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS};-O3)", 'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -O3")'),
        (
            'set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} -O3 "-g" PARENT_SCOPE)',
            'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -O3 -g" PARENT_SCOPE)',
        ),
        ('set(CUDA_NVCC_FLAGS -a;-b CACHE STRING "x")', 'set(CMAKE_HIP_FLAGS "-a -b" CACHE STRING "x")'),
        ('set(CUDA_NVCC_FLAGS "" CACHE STRING "x")', 'set(CMAKE_HIP_FLAGS "" CACHE STRING "x")'),
        ('set(CUDA_NVCC_FLAGS "${CUDA_NVCC_FLAGS} -O3 ${X}")', 'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -O3 ${X}")'),
    ],
)
def test_a_list_becomes_a_string(before: str, after: str) -> None:
    assert _out(before + "\n") == (after + "\n", [])


def test_comments_between_the_options_are_not_swallowed() -> None:
    out, findings = _out("set(CUDA_NVCC_FLAGS -O3 # fast\n  -g CACHE STRING x)\n")
    assert out == "set(CMAKE_HIP_FLAGS -O3 # fast\n  -g CACHE STRING x)\n"
    assert findings == ["HIP605"]


_USES = 'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -Xcompiler ${W}")\n'
_USES_LIST = "target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${W}>)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('set(W "-Wall,-Wextra")\n' + _USES, 'set(W "-Wall -Wextra")\n'),
        ("set(W -Wall,-Wextra)\n" + _USES_LIST, "set(W -Wall;-Wextra)\n"),
        ('set(W "${A},-Wall")\n' + _USES, 'set(W "${A} -Wall")\n'),
        ('string(REPLACE " " "," W "${A}")\n' + _USES, 'string(REPLACE " " " " W "${A}")\n'),
        ('list(JOIN A "," W)\n' + _USES_LIST, 'list(JOIN A ";" W)\n'),
        ('string(JOIN "," W -a -b)\n' + _USES, 'string(JOIN " " W -a -b)\n'),
        ('set(W "-Wl,-rpath,here")\n' + _USES, 'set(W "-Wl,-rpath,here")\n'),
        ("set(W -falign-functions=8,16)\n" + _USES, "set(W -falign-functions=8,16)\n"),
    ],
)
def test_options_in_a_variable_for_the_host_part_as_clang_takes_them(before: str, after: str) -> None:
    out, findings = _out(before)
    assert out.startswith(after)
    assert "Xcompiler" not in out
    assert findings == []


def test_a_variable_that_lists_and_strings_take_is_reported() -> None:
    out, findings = _out("set(W -Wall,-Wextra)\n" + _USES + _USES_LIST)
    assert out.startswith("set(W -Wall,-Wextra)\n")
    assert findings == ["HIP605"]
    assert _out(_USES + _USES_LIST)[1] == []


def test_a_condition_on_the_host_compiler_asks_for_hips() -> None:
    text = "if(NOT CUDA_HOST_COMPILER)\n  set(X 1)\nendif()\nmessage(${CMAKE_CUDA_HOST_COMPILER})\n"
    assert _out(text) == ("if(NOT CMAKE_HIP_COMPILER)\n  set(X 1)\nendif()\nmessage(${CMAKE_HIP_COMPILER})\n", [])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("cuda_compile(O a.cpp)", "add_library(O_objects OBJECT a.cpp)\nset(O $<TARGET_OBJECTS:O_objects>)"),
        (
            "CUDA_COMPILE(O MODULE a.cpp OPTIONS -lineinfo)",
            "add_library(O_objects OBJECT a.cpp)\ntarget_compile_options(O_objects PRIVATE $<$<COMPILE_LANGUAGE:HIP>: -gline-tables-only>)\n"
            "set_target_properties(O_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)\n"
            "set(O $<TARGET_OBJECTS:O_objects>)",
        ),
        (
            "add_library(O_objects b.cpp)\ncuda_compile(O a.cpp)",
            "add_library(O_objects b.cpp)\nadd_library(O_objects_ OBJECT a.cpp)\nset(O $<TARGET_OBJECTS:O_objects_>)",
        ),
        (
            "cuda_wrap_srcs(lib OBJ O STATIC a.cpp OPTIONS ${CMAKE_CUDA_FLAGS} ${CUDA_NVCC_FLAGS})",
            "add_library(O_objects OBJECT a.cpp)\nset(O $<TARGET_OBJECTS:O_objects>)",
        ),
        (
            "cuda_wrap_srcs(lib OBJ O a.cpp\n  OPTIONS -lineinfo ${CMAKE_CUDA_FLAGS})",
            "add_library(O_objects OBJECT a.cpp)\n"
            "target_compile_options(O_objects PRIVATE"
            " $<$<COMPILE_LANGUAGE:HIP>: -gline-tables-only ${CMAKE_HIP_FLAGS}>)\n"
            "set_target_properties(O_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)\n"
            "set(O $<TARGET_OBJECTS:O_objects>)",
        ),
    ],
)
def test_compiled_objects_become_a_target_of_objects(before: str, after: str) -> None:
    assert _out(before + "\n") == (after + "\n", [])


@pytest.mark.parametrize(
    "text",
    [
        "cuda_compile(${name} a.cpp)\n",
        "function(f o)\n  cuda_compile(o a.cpp)\nendfunction()\n",
        "cuda_wrap_srcs(lib PTX o a.cpp)\n",
        "cuda_wrap_srcs(lib OBJ ${o} a.cpp)\n",
    ],
)
def test_objects_of_a_name_that_is_not_known_are_reported(text: str) -> None:
    assert _out(text) == (text, ["HIP601"])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('list(TRANSFORM FLAGS PREPEND " --compiler-options ")', 'list(TRANSFORM FLAGS PREPEND " ")'),
        ('list(TRANSFORM FLAGS PREPEND "-Xcompiler=")', 'list(TRANSFORM FLAGS PREPEND "")'),
        ("list(TRANSFORM FLAGS PREPEND -Xcompiler=)", 'list(TRANSFORM FLAGS PREPEND "")'),
        ('list(JOIN FLAGS " -Xcompiler " OUT)', 'list(JOIN FLAGS " " OUT)'),
        ('string(JOIN " -Xcompiler=" OUT ${FLAGS})', 'string(JOIN " " OUT ${FLAGS})'),
        ('string(REPLACE ";" " -Xcompiler " OUT "${FLAGS}")', 'string(REPLACE ";" " " OUT "${FLAGS}")'),
        ('string(REPLACE "-Xcompiler " "" OUT "${FLAGS}")', 'string(REPLACE "-Xcompiler " "" OUT "${FLAGS}")'),
        ('list(TRANSFORM FLAGS PREPEND "-I")', 'list(TRANSFORM FLAGS PREPEND "-I")'),
        ('list(TRANSFORM FLAGS APPEND "-Xcompiler=")', 'list(TRANSFORM FLAGS APPEND "-Xcompiler=")'),
    ],
)
def test_an_option_for_each_element_goes(before: str, after: str) -> None:
    about = "# for nvcc\n"
    assert _out(about + before) == (about + after, [])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("add_definitions(-DTHRUST_DEVICE_SYSTEM=@CUDA)", "add_definitions(-DTHRUST_DEVICE_SYSTEM=@HIP)"),
        (
            "target_compile_definitions(a PUBLIC THRUST_DEVICE_SYSTEM=@CUDA X=1)",
            "target_compile_definitions(a PUBLIC THRUST_DEVICE_SYSTEM=@HIP X=1)",
        ),
        ('set(F "${F} -DTHRUST_DEVICE_SYSTEM=@CUDA -O2")', 'set(F "${F} -DTHRUST_DEVICE_SYSTEM=@HIP -O2")'),
        ("list(APPEND D THRUST_DEVICE_SYSTEM=@OMP)", "list(APPEND D THRUST_DEVICE_SYSTEM=@OMP)"),
        ('message("-DTHRUST_DEVICE_SYSTEM=@CUDA")', 'message("-DTHRUST_DEVICE_SYSTEM=@CUDA")'),
        ("add_definitions(-DMINE=CUDA)", "add_definitions(-DMINE=CUDA)"),
    ],
)
def test_macros_are_defined_as_those_of_hip(before: str, after: str) -> None:
    name = "THRUST_DEVICE_SYSTEM_"
    assert _out(before.replace("@", name)) == (after.replace("@", name), [])


_SETTING = "project(a LANGUAGES CXX CUDA)\n"
_C = "-Werror -Wno-error=unused-value -Wno-error=unused-result"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("list(APPEND W -Xcompiler=-Wall -Xcompiler=-Werror)", "list(APPEND W -Wall -Werror -Wno-error=unused-value)"),
        ("set(W --Werror=all-warnings -O2)", "set(W -Werror -Wno-error=unused-value -O2)"),
        (
            'set(CMAKE_CUDA_FLAGS "-Xcompiler=-Wall,-Werror,-g")',
            'set(CMAKE_HIP_FLAGS "-Wall -Werror -Wno-error=unused-value -g")',
        ),
        (
            "add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror>)",
            "add_compile_options($<$<COMPILE_LANGUAGE:HIP>:-Werror;-Wno-error=unused-value>)",
        ),
        (
            'add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler -Werror>")',
            'add_compile_options("$<$<COMPILE_LANGUAGE:HIP>:SHELL:-Werror -Wno-error=unused-value>")',
        ),
        ("add_compile_options(-Xcompiler=-Werror=vla)", "add_compile_options(-Werror=vla)"),
        ("add_compile_options(-Wall -Werror)", f"add_compile_options(-Wall {_C})"),
        ("target_compile_options(a PRIVATE -Werror=vla)", "target_compile_options(a PRIVATE -Werror=vla)"),
        (
            'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -Werror -O2")',
            f'set(CMAKE_CXX_FLAGS "${{CMAKE_CXX_FLAGS}} {_C} -O2")',
        ),
        (
            "target_compile_options(a PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Werror>)",
            f"target_compile_options(a PRIVATE $<$<CXX_COMPILER_ID:GNU>:{_C.replace(' ', ';')}>)",
        ),
    ],
)
def test_what_only_hip_warns_of_is_no_error(before: str, after: str) -> None:
    """HIP's functions are `[[nodiscard]]`, CUDA's are not."""
    assert _out(_SETTING + before + "\n")[0] == "project(a LANGUAGES CXX HIP)\n" + after + "\n"


_E = "-Wno-error=unused-value"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "set_property(TARGET a PROPERTY COMPILE_OPTIONS -Xcompiler=-Werror -G)",
            f"set_property(TARGET a PROPERTY COMPILE_OPTIONS -Werror {_E} -g)",
        ),
        (
            "set(W -Xcompiler=-Werror)\ntarget_compile_options(t PRIVATE ${W})",
            f'set(W "-Werror;{_E}")\ntarget_compile_options(t PRIVATE ${{W}})',
        ),
        (
            'set(W "-Xcompiler=-Werror")\nset(V ${W})\nadd_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:${V}>")',
            f'set(W "-Werror;{_E}")\nset(V ${{W}})\nadd_compile_options("$<$<COMPILE_LANGUAGE:HIP>:${{V}}>")',
        ),
        (
            'set(W "-Xcompiler=-Werror")\nset(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} ${W}")',
            f'set(W "-Werror {_E}")\nset(CMAKE_HIP_FLAGS "${{CMAKE_HIP_FLAGS}} ${{W}}")',
        ),
        ("set(W -Xcompiler=-Werror)\nmine(${W})", "set(W -Werror)\nmine(${W})"),
        ('set(W "-Xcompiler=-Werror")\nadd_definitions("${W}")', 'set(W "-Werror")\nadd_definitions("${W}")'),
        ("set(W --Werror=all-warnings CACHE STRING x)", "set(W -Werror CACHE STRING x)"),
        (
            'set(W -Xcompiler=-Werror)\nadd_compile_options(${W})\nset(CMAKE_CUDA_FLAGS "-g ${W}")',
            'set(W -Werror)\nadd_compile_options(${W})\nset(CMAKE_HIP_FLAGS "-g ${W}")',
        ),
        ('list(APPEND W "-Xcompiler=-Werror")', f'list(APPEND W "-Werror;{_E}")'),
        ('set(W "${W} -Xcompiler=-Werror")', f'set(W "${{W}} -Werror {_E}")'),
        ('set(W "${W};-Xcompiler=-Werror")', f'set(W "${{W}};-Werror;{_E}")'),
        ("set(W -Xcompiler=-Werror)\nlist(APPEND W -O2)", f'set(W "-Werror;{_E}")\nlist(APPEND W -O2)'),
        ("set(CMAKE_CUDA_FLAGS -Xcompiler=-Werror)", f'set(CMAKE_HIP_FLAGS "-Werror {_E}")'),
        ('target_compile_options(t PRIVATE "-Xcompiler=-Werror")', f'target_compile_options(t PRIVATE "-Werror;{_E}")'),
        (
            'set_source_files_properties(a.cu PROPERTIES COMPILE_OPTIONS "-Xcompiler=-Werror;-g")',
            f'set_source_files_properties(a.cu PROPERTIES COMPILE_OPTIONS "-Werror;{_E};-g")',
        ),
        (
            "set_target_properties(t PROPERTIES COMPILE_OPTIONS -Xcompiler=-Werror CXX_STANDARD 17)",
            f'set_target_properties(t PROPERTIES COMPILE_OPTIONS "-Werror;{_E}" CXX_STANDARD 17)',
        ),
        (
            "set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS -Xcompiler=-Werror)",
            f'set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS "-Werror {_E}")',
        ),
        (
            'set_property(TARGET a APPEND_STRING PROPERTY COMPILE_FLAGS " -Xcompiler=-Werror")',
            f'set_property(TARGET a APPEND_STRING PROPERTY COMPILE_FLAGS " -Werror {_E}")',
        ),
    ],
)
def test_what_is_added_parts_as_the_place_needs_it(before: str, after: str) -> None:
    out = _out(_SETTING + before.replace("a.cu", "a.cpp") + "\n")[0]
    assert out == "project(a LANGUAGES CXX HIP)\n" + after.replace("a.cu", "a.cpp") + "\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("args['nvcc'].insert(0, '-Xcompiler=-Werror')", "args['nvcc'].insert(0, '-Werror')"),
        ("args['nvcc'].append('-Xcompiler=-Werror')", f"args['nvcc'].extend(['-Werror', '{_E}'])"),
        ("args['nvcc'] = '-Xcompiler=-Werror -g'.split()", f"args['nvcc'] = '-Werror {_E} -g'.split()"),
    ],
)
def test_what_is_added_is_no_part_of_an_element_of_a_list(before: str, after: str) -> None:
    head = "from torch.utils.cpp_extension import CUDAExtension\nargs = {'nvcc': []}\n"
    tail = "\nCUDAExtension('a', ['a.cu'], extra_compile_args=args)\n"
    done = translate_build_file((head + before + tail).encode(), "setup.py", DEFAULT_OPTIONS)
    assert after in done.output.decode()


def test_two_options_for_one_are_two_elements_of_a_list() -> None:
    assert (
        "list(APPEND W -fgpu-rdc -foffload-lto -fgpu-rdc)"
        in _out(
            _SETTING
            + "list(APPEND W -dlto -rdc=true)\ntarget_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${W}>)\n"
        )[0]
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'set_source_files_properties(${S} PROPERTIES COMPILE_OPTIONS "-lineinfo;-G;--ptxas-options=-v")',
            'set_source_files_properties(${S} PROPERTIES COMPILE_OPTIONS "-gline-tables-only;-g")',
        ),
        ("set(X -G -Xcompiler=-Wall)", "set(X -g -Wall)"),
        (
            'add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:SHELL:--pre-include \\"${H}\\" -Xcompiler -Wall>")',
            'add_compile_options("$<$<COMPILE_LANGUAGE:HIP>:SHELL:-include \\"${H}\\" -Wall>")',
        ),
        ("set(X --pre-include a.h --pre-include=b.h)", "set(X -include a.h -include b.h)"),
        (
            "list(APPEND X --use_fast_math -dc)",
            "list(APPEND X -fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt -fgpu-approx-transcendentals -fgpu-rdc -c)",
        ),
        ("set(X -G -Wall)", "set(X -G -Wall)"),
        (
            "target_compile_options(t PRIVATE -G $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall>)",
            "target_compile_options(t PRIVATE -G $<$<COMPILE_LANGUAGE:HIP>:-Wall>)",
        ),
    ],
)
def test_what_stands_beside_an_option_of_nvccs_is_for_nvcc(before: str, after: str) -> None:
    assert _out(_SETTING + before + "\n")[0].endswith("\n" + after + "\n")


@pytest.mark.parametrize(
    "expression",
    [
        "$<$<COMPILE_LANGUAGE:Fortran>:-ftz;-prec-div>",
        "$<$<CXX_COMPILER_ID:Intel>:-ftz=true;-G;-dc>",
        "$<$<COMPILE_LANGUAGE:CXX>:-arch;x86_64;-lto>",
        "$<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-G;-ftz=true>",
        "$<$<AND:$<COMPILE_LANGUAGE:C>,$<CONFIG:Debug>>:-G;-lib>",
        "$<$<OR:$<COMPILE_LANGUAGE:C>,$<COMPILE_LANGUAGE:CXX>>:-G>",
        "$<$<C_COMPILER_ID:HP>:-G>",
    ],
)
def test_options_of_other_languages_beside_nvccs_stay(expression: str) -> None:
    before = f"target_compile_options(t PRIVATE --expt-extended-lambda -O2 {expression})\n"
    out, findings = _out(_SETTING + before)
    expected = expression.replace("CUDA", "HIP")
    assert out == f"project(a LANGUAGES CXX HIP)\ntarget_compile_options(t PRIVATE -O2 {expected})\n"
    assert findings == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("$<$<CONFIG:Debug>:-G>", "$<$<CONFIG:Debug>:-g>"),
        ("$<$<COMPILE_LANGUAGE:CXX,CUDA>:-ftz=true>", "$<$<COMPILE_LANGUAGE:CXX,HIP>:-fgpu-flush-denormals-to-zero>"),
        ("$<$<CXX_COMPILER_ID:GNU>:-Xcompiler=-Wall>", "$<$<CXX_COMPILER_ID:GNU>:-Wall>"),
        (
            "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Debug>>:-G>",
            "$<$<AND:$<COMPILE_LANGUAGE:HIP>,$<CONFIG:Debug>>:-g>",
        ),
    ],
)
def test_options_in_expressions_that_may_hold_for_cuda(before: str, after: str) -> None:
    text = f"target_compile_options(t PRIVATE --expt-extended-lambda -O2 {before})\n"
    assert _out(_SETTING + text)[0].endswith(f"(t PRIVATE -O2 {after})\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "target_compile_options(t PRIVATE --pre-include=a.h --pre-include=b.h)",
            'target_compile_options(t PRIVATE "SHELL:-include a.h" "SHELL:-include b.h")',
        ),
        (
            "add_compile_options(--pre-include a.h --pre-include b.h)",
            'add_compile_options("SHELL:-include a.h" "SHELL:-include b.h")',
        ),
        (
            'set_property(TARGET t PROPERTY COMPILE_OPTIONS "--pre-include=a.h;--pre-include=${H}")',
            "set_property(TARGET t PROPERTY COMPILE_OPTIONS \"SHELL:-include a.h;SHELL:-include '${H}'\")",
        ),
        (
            "add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:--pre-include=a.h;--system-include=b>)",
            "add_compile_options($<$<COMPILE_LANGUAGE:HIP>:SHELL:-include\\ a.h;SHELL:-isystem\\ b>)",
        ),
        (
            'add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:--pre-include=a.h>")',
            'add_compile_options("$<$<COMPILE_LANGUAGE:HIP>:SHELL:-include a.h>")',
        ),
        ('add_compile_options("SHELL:--pre-include a.h")', 'add_compile_options("SHELL:-include a.h")'),
        (
            "set_source_files_properties(x PROPERTIES COMPILE_OPTIONS --pre-include=a.h)",
            'set_source_files_properties(x PROPERTIES COMPILE_OPTIONS "SHELL:-include a.h")',
        ),
        ('set(CMAKE_CUDA_FLAGS "--pre-include=a.h")', 'set(CMAKE_HIP_FLAGS "-include a.h")'),
        ("add_compile_options(-isystem a -lineinfo)", "add_compile_options(-isystem a -gline-tables-only)"),
    ],
)
def test_an_option_and_its_value_stay_together_in_lists_without_doubles(before: str, after: str) -> None:
    assert _out(_SETTING + before + "\n") == (f"project(a LANGUAGES CXX HIP)\n{after}\n", [])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('list(APPEND CUDA_NVCC_FLAGS "-Xcompiler=-Werror")', f'string(APPEND CMAKE_HIP_FLAGS " -Werror {_E}")'),
        ("set(CUDA_NVCC_FLAGS -Xcompiler=-Werror)", f'set(CMAKE_HIP_FLAGS "-Werror {_E}")'),
    ],
)
def test_what_is_added_parts_in_a_list_that_becomes_a_string(before: str, after: str) -> None:
    assert _out(before + "\n")[0] == after + "\n"


def test_without_find_cuda_its_list_is_the_projects_own() -> None:
    own = "set(CUDA_NVCC_FLAGS -O3 -Xcompiler -Wall -lineinfo)\nlist(APPEND CUDA_NVCC_FLAGS -G)\n"
    use = "target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${CUDA_NVCC_FLAGS}>)\n"
    out = "set(CUDA_NVCC_FLAGS -O3 -Wall -gline-tables-only)\nlist(APPEND CUDA_NVCC_FLAGS -g)\n"
    assert _out(_SETTING + own + use)[0] == (_SETTING + out + use).replace("CUDA)", "HIP)").replace("E:CUDA", "E:HIP")
    found = "find_package(hip REQUIRED)\n"
    assert _out(_SETTING + found.replace("hip", "CUDA") + own)[0].startswith(
        f'{_SETTING.replace("CUDA", "HIP")}{found}set(CMAKE_HIP_FLAGS "-O3 -Wall -gline-tables-only")\n'
    )
