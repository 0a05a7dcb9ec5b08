"""Whatever a build file holds: nothing raises, bytes outside of edits stay, and a second pass changes nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hipify_py.build_systems.facts import facts
from hipify_py.build_systems.json_members import members_of
from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.edits import apply
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.translation import Translation
from hipify_py.translator.translate import translate_program

PIECES = (
    *("project(", "enable_language(", "find_package(", "set(", "list(APPEND ", "string(APPEND ", "if(", "endif()"),
    *("target_compile_options(", "target_link_libraries(", "set_target_properties(t PROPERTIES ", "add_executable("),
    *("cuda_add_executable(", "cuda_add_library(", "cuda_select_nvcc_arch_flags(", "add_custom_command(", "message("),
    *("function(f)", "endfunction()", "set_property(TARGET t PROPERTY ", "find_library(", "include(", ")", ")\n", "\n"),
    *(" ", ";", '"', "\\", "#", "# hipify: ignore[HIP602]\n", "[[", "]]", "$<", ">", ":", ",", "${", "}", "(", "$ENV{"),
    *("CUDA", "CUDAToolkit", "FindCUDA", "REQUIRED", "CUDA_NVCC_FLAGS", "CMAKE_CUDA_FLAGS", "CMAKE_CUDA_ARCHITECTURES"),
    *("CUDA_LIBRARIES", "CUDA_VERSION", "CUDA_HOME", "CUDA::cublas", "CUDA::nppc", "CUDA::x", "cudart", "-lcublas"),
    *("COMPILE_LANGUAGE", "COMPILE_LANG_AND_ID", "NVIDIA", "CUDA_ARCHITECTURES", "CUDA_SEPARABLE_COMPILATION", "ON"),
    *("-gencode", "arch=compute_70,code=sm_70", "-Xcompiler", "-Xcompiler=-Wall,-O2", '-Xcompiler=\\"-Wall', '-O2\\"'),
    *(
        "--use_fast_math",
        "-rdc=true",
        "-rdc",
        "-arch=sm_70",
        "-G",
        "-maxrregcount=32",
        "SHELL:-Xptxas",
        "-v",
        "OPTIONS",
    ),
    *(
        "STATIC",
        "EXCLUDE_FROM_ALL",
        "a.cu",
        "b.cpp",
        "nvcc",
        "/usr/local/cuda/lib64",
        "VERSION",
        "3.10",
        "t",
        "PRIVATE",
        "é",
        "\r\n",
        "\t",
    ),
)


def checked(data: bytes, path: str = "CMakeLists.txt") -> Translation:
    done = translate_build_file(data, path, DEFAULT_OPTIONS, translate_source=translate_program)
    assert apply(data, done.edits) == done.output
    counts = done.counts
    assert counts.total == len(done.references)
    for finding in done.findings:
        assert 0 <= finding.offset <= len(data)
    return done


@pytest.mark.parametrize("name", sorted(facts().commands))
@pytest.mark.parametrize("arguments", ["", "t", "OPTIONS", '""'])
def test_commands_with_few_arguments(name: str, arguments: str) -> None:
    checked(f"project(p CUDA)\n{name}({arguments})\n".encode())


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@example("project(p LANGUAGES CUDA)\ntarget_compile_options(t PRIVATE -Xcompiler)")
@example('find_package(CUDA)\nlist(APPEND CUDA_NVCC_FLAGS "-gencode;-G" -O3)\n')
def test_pieces_of_build_files(text: str) -> None:
    data = text.encode()
    done = checked(data)
    assert checked(done.output).output == done.output


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200).filter(lambda data: b"\0" not in data and data[:2] not in {b"\xff\xfe", b"\xfe\xff"}))
def test_bytes(data: bytes) -> None:
    checked(b"project(p CUDA)\n" + data)


COMMANDS = (
    *(
        "nvcc ",
        "$NVCC ",
        "g++ ",
        "cmake ",
        "docker run ",
        "apt-get install ",
        "pip install ",
        "echo ",
        "export ",
        "sudo ",
    ),
    *("a.cu ", "-o a ", "-arch=sm_70 ", "-gencode ", "arch=compute_70 ", "-Xcompiler ", "-Xcompiler=", "-Wall,-O2 "),
    *(
        "-x cu ",
        "-lcublas ",
        "-lcudadevrt ",
        "-l ",
        "-rdc=true ",
        "-ptx ",
        "-G ",
        "--version ",
        "-D",
        "-L/usr/local/cuda/lib64 ",
    ),
    *(
        "CUDA_HOME=",
        "$CUDA_HOME",
        "${CUDA_HOME:-",
        "/usr/local/cuda-11",
        "/bin/nvcc",
        "NVCC=nvcc ",
        "F=",
        "$F ",
        "(",
        ")",
    ),
    *("nvidia/cuda:12.4.1-devel-ubuntu22.04 ", "libcudnn8-dev ", "cupy-cuda12x ", "nvidia-smi ", "--gpus all "),
    *(
        "'",
        '"',
        "`",
        "$(",
        "${",
        "}",
        "\\",
        "\\\n",
        "\n",
        "\r\n",
        "#",
        "<<EOF\n",
        "EOF\n",
        "case x in ",
        ";;",
        "|",
        "&&",
    ),
    *(
        ";",
        " ",
        "\t",
        "é",
        "$'",
        "[[ ",
        "# hipify: ignore[HIP602]\n",
        "CMAKE_CUDA_FLAGS=",
        "CMAKE_CUDA_ARCHITECTURES=80 ",
    ),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(COMMANDS), max_size=40).map("".join))
@example("nvcc -Xcompiler '")
@example('F="-G \\"\nnvcc $F')
def test_pieces_of_scripts(text: str) -> None:
    done = checked(text.encode(), "build.sh")
    assert checked(done.output, "build.sh").output == done.output


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(COMMANDS), max_size=20), st.booleans(), st.sampled_from([None, 1]))
@example(['"', "-Xcompiler ", "'"], False, None)
def test_databases_stay_json(pieces: list[str], is_list: bool, indent: int | None) -> None:
    said: dict[str, object] = {"arguments": ["nvcc", *pieces]} if is_list else {"command": "nvcc " + "".join(pieces)}
    data = json.dumps([{"directory": "/p", "file": "a.cu", **said}, said], indent=indent).encode()
    done = checked(data, "compile_commands.json")
    json.loads(done.output)
    assert checked(done.output, "compile_commands.json").output == done.output


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200).filter(lambda data: data[:2] not in {b"\xff\xfe", b"\xfe\xff"}))
def test_bytes_of_scripts(data: bytes) -> None:
    checked(b"nvcc -G " + data, "build.sh")


@pytest.mark.parametrize(
    "piece",
    [
        *(
            b"'",
            b'"',
            b"`",
            b"$(",
            b"${",
            b"(",
            b"<<E\n",
            b"\\",
            b" -gencode",
            b"nvcc;",
            b"$CUDA_HOME",
            b"/usr/local/cuda",
        ),
        *(
            b"case x in nvcc) ",
            b"F=",
            b'F="-G" ',
            b" -lcublas",
            b"\\\n",
            b"a|",
            b'"$(nvcc ',
            b"# hipify: ignore[HIP602]\n",
        ),
    ],
)
def test_the_time_for_scripts_grows_with_the_length(piece: bytes) -> None:
    for start in (b"nvcc a.cu ", b'NVCC="nvcc'):
        checked(start + piece * 5_000, "build.sh")


LINES = (
    *(
        "jobs:\n",
        "  build:\n",
        "    container: nvidia/cuda:12.4.1-devel-ubuntu22.04\n",
        "    steps:\n",
        "      - run: nvcc -G a.cu\n",
    ),
    *(
        "      - run: |\n",
        "          nvcc -arch=sm_70 \\\n",
        "            a.cu ${{ x }}\n",
        "      - run: >-\n",
        "      - uses: Jimver/cuda-toolkit@v1\n",
    ),
    *(
        "env:\n",
        "  CUDA_HOME: /usr/local/cuda\n",
        "dependencies:\n",
        "  - cudatoolkit=11\n",
        "  - pip:\n",
        "    - cupy-cuda12x\n",
    ),
    *(
        "script: [nvcc a.cu, 'nvcc -G b.cu']\n",
        'image: "nvidia/cuda:1"\n',
        "{% set x = 1 %}\n",
        "  - {{ compiler('cuda') }}\n",
        "&a ",
        "*a ",
    ),
    *(
        "- ",
        ": ",
        "? ",
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
        "#",
        "|",
        ">",
        "\t",
        "---\n",
        "!x ",
        "\n",
        "é",
        "# hipify: ignore[HIP602]\n",
        "%TAG x\n",
    ),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=25).map("".join), st.sampled_from([".gitlab-ci.yml", "meta.yaml"]))
@example("run: >\n  nvcc\n\n  nvcc -G\n", ".gitlab-ci.yml")
def test_pieces_of_yaml(text: str, path: str) -> None:
    done = checked(text.encode(), path)
    assert checked(done.output, path).output == done.output


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200).filter(lambda data: b"\0" not in data and data[:2] not in {b"\xff\xfe", b"\xfe\xff"}))
def test_bytes_of_yaml(data: bytes) -> None:
    checked(b"run: nvcc -G\n" + data, ".gitlab-ci.yml")


@pytest.mark.parametrize(
    "piece",
    [
        *(
            b"[",
            b"{",
            b"- ",
            b"a: ",
            b"? ",
            b"&a [*a, ",
            b"run: nvcc\n",
            b"{% x %}",
            b"{{ x }}",
            b"#",
            b"'",
            b"${{",
            b"|\n",
        ),
        b"x: &x [*x, *x]\n",
    ],
)
def test_the_time_for_yaml_grows_with_the_length(piece: bytes) -> None:
    for start in (b"run: nvcc a.cu\n", b"run: |\n  nvcc a.cu ", b"image: nvidia/cuda\nrun: ["):
        checked(start + piece * 4_000, ".gitlab-ci.yml")


INSTRUCTIONS = (
    *(
        "FROM ",
        "FROM --platform=x ",
        "RUN ",
        "ENV ",
        "ARG ",
        "COPY --from=",
        "CMD ",
        "HEALTHCHECK CMD ",
        "from ",
        "# x\n",
    ),
    *(
        "nvidia/cuda:12.4.1-devel-ubuntu22.04",
        "nvidia/cuda:${V}-devel-ubuntu22.04",
        "${B}",
        "B=",
        "V=12.4.1",
        " AS b",
        "b ",
    ),
    *(
        "\n",
        "\n",
        "\n",
        " \\\n",
        "\\\n  # c\n",
        "\\\n\n",
        "[",
        "]",
        '"nvcc"',
        ", ",
        '"-arch=sm_70"',
        "<<EOF\n",
        "EOF\n",
        "<<-'X'\n",
    ),
    *(
        "# escape=`\n",
        "NVIDIA_VISIBLE_DEVICES all",
        "--mount=type=cache ",
        "apt-get install git libnccl-dev ",
        "libcudnn8 ",
    ),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from((*INSTRUCTIONS, *COMMANDS)), max_size=40).map("".join))
@example('ARG B="nvidia/cuda:${V}-devel-ubuntu22.04\nFROM ${B}\n')
@example("ARG B=${B}\nFROM ${B}\n# cuda")
def test_pieces_of_dockerfiles(text: str) -> None:
    done = checked(text.encode(), "Dockerfile")
    assert checked(done.output, "Dockerfile").output == done.output


@pytest.mark.parametrize(
    "piece", [b"\\\n#\n", b"RUN <<E\n", b"<<E", b"ARG B=${B}${B}\nFROM ${B}\n", b"FROM a AS b\n", b'"nvcc", ']
)
def test_the_time_for_dockerfiles_grows_with_the_length(piece: bytes) -> None:
    for start in (b"FROM nvidia/cuda:1\n", b"RUN nvcc a.cu ", b'RUN ["nvcc", '):
        checked(start + piece * 5_000, "Dockerfile")


@pytest.mark.parametrize(
    ("opening", "closing"), [(b"$(nvcc ", b")"), (b'"$(a ', b')"'), (b"(", b")"), (b"${a:-", b"}")]
)
def test_the_time_for_nested_commands_grows_with_the_length(opening: bytes, closing: bytes) -> None:
    checked(b"nvcc " + opening * 4_000 + closing * 4_000, "build.sh")


JSON = st.recursive(
    st.sampled_from(["80", "-gencode", "--use_fast_math -Xcompiler -Wall", "é\n", 1, True, None]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "cacheVariables",
                    "environment",
                    "CMAKE_CUDA_FLAGS",
                    "CMAKE_CUDA_ARCHITECTURES",
                    "CUDA_HOME",
                    "value",
                    "x",
                    "CMAKE_CUDA_COMPILER",
                    "CMAKE_CUDA_HOST_COMPILER",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@example({"CMAKE_CUDA_FLAGS": {"value": ["--use_fast_math -Xcompiler -Wall", "80"]}}, None)
@given(JSON, st.sampled_from([None, 2]))
def test_presets_stay_json(value: object, indent: int | None) -> None:
    data = json.dumps({"cacheVariables": value, "more": [{"environment": value}]}, indent=indent).encode()
    done = checked(data, "CMakePresets.json")
    json.loads(done.output)
    assert not checked(done.output, "CMakePresets.json").changed


@pytest.mark.parametrize("data", [b"{", b'{"a": }', b"[" * 5000, b'{"cuda": 1', b"\xff{}", b'{"a": "cuda" "b"}'])
def test_what_is_no_json_stays(data: bytes) -> None:
    assert members_of(data) == []
    assert checked(data, "CMakePresets.json").output == data


@pytest.mark.parametrize(
    "piece",
    [
        *(b'"', b"(", b"a(", b"[[ ", b"$<", b"a($<A:", b"${", b"\\", b"#[[ ", b"set(CMAKE_CUDA_ARCHITECTURES 70)"),
        *(b" -gencode", b"# hipify: ignore[HIP602]\n", b"a.cu ", b"x(${CUDA_VERSION})", b'a("${CUDA_VERSION}'),
    ],
)
def test_the_time_grows_with_the_length(piece: bytes) -> None:
    for start in (
        b"project(p CUDA)\n",
        b"project(p CUDA)\nset(CMAKE_CUDA_FLAGS ",
        b'project(p CUDA)\nset(CMAKE_CUDA_FLAGS "',
    ):
        checked(start + piece * 5_000)


MAKE_PIECES = (
    *(
        "NVCC",
        "NVCCFLAGS",
        "CC",
        "ARCH",
        "CUDA_HOME",
        "CUDA_PATH",
        "A",
        "B",
        " ",
        "\t",
        "\n",
        "\n\t",
        "\r\n",
        "\\\n",
        "#",
    ),
    *(
        "=",
        ":=",
        "?=",
        "+=",
        "!=",
        ":",
        "::",
        ";",
        "$(",
        "${",
        ")",
        "}",
        "(",
        "$$",
        "$$(",
        "$<",
        "$@",
        "$",
        ",",
        "'",
        '"',
    ),
    *(
        "all: ",
        "%.o: %.cu\n\t",
        "$(NVCC) ",
        "$(CC) ",
        "nvcc ",
        "g++ ",
        "/usr/local/cuda",
        "/lib64",
        "/include",
        "/bin/nvcc",
    ),
    *(
        "ifeq ",
        "ifdef ",
        "else\n",
        "endif\n",
        "define A\n",
        "endef\n",
        "include x.mk\n",
        "export ",
        "$(eval ",
        "$(call ",
    ),
    *(
        "$(shell ",
        "$(if ",
        "$(foreach ",
        "$(wildcard ",
        "-gencode ",
        "arch=compute_70,code=sm_70",
        "-arch=sm_70",
        "-arch ",
    ),
    *(
        "sm_70",
        "$(ARCH)",
        "-Xcompiler ",
        "-Xcompiler=-Wall,-O2",
        '"-Wall -O2"',
        "-G",
        "-t 4",
        "-rdc=true",
        "-dc",
        "-c",
        "-x cu",
    ),
    *(
        "-lcudart",
        "-lcublas",
        "-lnppc",
        "-I$(CUDA_HOME)/include",
        "-L$(CUDA_HOME)/lib64",
        "libcudart.so",
        "-ptx",
        "é",
        "`",
    ),
    *(
        "# hipify: ignore[HIP620]\n",
        "echo ",
        "@",
        "-",
        "--version",
        "|",
        "&&",
        "-o ",
        "x.cu",
        "if X\n",
        "@CUDA_TRUE@",
        "bin2c",
    ),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(MAKE_PIECES), max_size=40).map("".join), st.sampled_from(["Makefile", "Makefile.am"]))
@example("CUDA_HOME = $(CUDA_PATH)\nCUDA_PATH = $(CUDA_HOME)\n", "Makefile")
@example("all:\n\tnvcc -Xcompiler", "Makefile")
@example("NVCC=nvcc\nall:\n\t$(NVCC) -gencode $(ARCH", "Makefile")
def test_pieces_of_makefiles(text: str, path: str) -> None:
    done = checked(text.encode(), path)
    assert checked(done.output, path).output == done.output


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200).filter(lambda data: b"\0" not in data and data[:2] not in {b"\xff\xfe", b"\xfe\xff"}))
def test_bytes_in_makefiles(data: bytes) -> None:
    checked(b"NVCC = nvcc\nall:\n\t$(NVCC) " + data, "Makefile")


@pytest.mark.parametrize(
    "piece",
    [
        *(
            b"$(",
            b"${",
            b"$(if a,",
            b"(",
            b"'",
            b'"',
            b"`",
            b"$$(",
            b"\\\n",
            b" -gencode a,b",
            b" -Xcompiler",
            b" -lcudart",
        ),
        *(
            b"\nall:\n\tnvcc -G",
            b"\ndefine A",
            b"\nCUDA_HOME = $(CUDA_HOME)",
            b"\nA += $(NVCC)",
            b" $(CUDA_HOME)/lib64",
        ),
        *(b" /usr/local/cuda", b"\nifdef A", b"# hipify: ignore[HIP620]\n", b" -arch=$(A)", b"$(shell nvcc ", b"\\"),
    ],
)
def test_the_time_grows_with_the_length_of_makefiles(piece: bytes) -> None:
    for start in (b"NVCC = nvcc\n", b"NVCCFLAGS = ", b"all:\n\tnvcc "):
        checked(start + piece * 4_000, "Makefile")


CONFIGURE_PIECES = (
    *("AC_CHECK_LIB(", "AC_SEARCH_LIBS([", "AC_CHECK_HEADERS([", "AC_PATH_PROG([NVCC], [", "AC_MSG_ERROR([", "AS_IF(["),
    *(
        "[",
        "]",
        "(",
        ")",
        ",",
        " ",
        "\n",
        '"',
        "'",
        "dnl ",
        "# hipify: ignore[HIP623]",
        "$CUDA_HOME",
        "${CUDA_PATH}",
        "=",
        ":",
    ),
    *(
        "cudart",
        "cudaMalloc",
        "cublas",
        "nppc",
        "cuda_runtime.h",
        "cuda.h",
        "nvcc",
        "/usr/local/cuda",
        "/lib64",
        "/include",
    ),
    *(
        "-I",
        "-L",
        "$with_cuda",
        "-lcudart",
        "-lnppc",
        "-Xcompiler",
        "-gencode",
        "arch=compute_70",
        "-G",
        "NVCCFLAGS",
        "\t",
        "é",
    ),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(CONFIGURE_PIECES), max_size=40).map("".join))
@example("AC_CHECK_LIB([cudart], [cudaMalloc])")
@example("-Xcompiler\t$CUDA_HOME")
@example("-Xcompiler=" * 5_000)
def test_pieces_of_configure(text: str) -> None:
    done = checked(text.encode(), "configure.ac")
    assert checked(done.output, "configure.ac").output == done.output


@pytest.mark.parametrize(
    "piece", [b"AC_CHECK_LIB(", b"[", b"(", b"dnl ", b"#", b" -gencode", b"$CUDA_HOME", b"AC_MSG_ERROR([nvcc])"]
)
def test_the_time_grows_with_the_length_of_configure(piece: bytes) -> None:
    checked(b"AC_PATH_PROG([NVCC], [nvcc])\n" + piece * 5_000, "configure.ac")
