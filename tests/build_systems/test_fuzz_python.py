"""As `test_fuzz.py`, for setup.py and pyproject.toml."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.build_systems.test_fuzz import checked

SCRIPT = (
    *(
        "x = [",
        "]",
        "(",
        ")",
        "{'nvcc': ",
        "}",
        "x.append(",
        "x += ",
        "x['nvcc']",
        "if a:\n    ",
        "def f():\n    return ",
    ),
    *(
        "'",
        '"',
        "f'",
        '\'""',
        "\\",
        "#",
        "# hipify: ignore[HIP602]\n",
        "\n",
        "\r\n",
        "    ",
        " ",
        ", ",
        " + ",
        " % ",
        ":",
    ),
    *(
        "'-gencode'",
        "'arch=compute_70,code=sm_70'",
        "'-Xcompiler'",
        "'-fPIC,-g'",
        "'-G'",
        "'-maxrregcount=32'",
        "'-rdc'",
    ),
    *(
        "f'-arch=sm_{a}'",
        "'-lineinfo -arch=sm_70'",
        "'-lcudart'",
        "'cublas'",
        "'nppc'",
        "libraries=",
        "Extension(",
        "*y",
    ),
    *("CUDAExtension", "CUDA_HOME", "torch.version.cuda", "os.environ[", "'CUDA_HOME'", "join(", "'nvcc'", "'lib64'"),
    *(
        "'-DCMAKE_CUDA_ARCHITECTURES=70'",
        "'-DCMAKE_CUDA_FLAGS=-G'",
        "'/usr/local/cuda/lib64'",
        ".split()",
        ".format(",
        "é",
    ),
    *(
        'load("@local_config_cuda//cuda:build_defs.bzl", ',
        "if_cuda",
        "'if_cuda'",
        "'@rules_cuda//:x'",
        "LIBS=",
        "Append(",
    ),
    *(
        "'nvcc -G a.cu'",
        "'$NVCC -arch=sm_70 $SOURCE'",
        "NVCCFLAGS",
        "print ",
        "'cuda'",
        "'@local_config_cuda//cuda:cublas'",
    ),
    *("from torch.utils.cpp_extension import ", "; ", "lambda: ", "for x in y", "None", "x"),
)


@settings(max_examples=250, deadline=None)
@given(st.lists(st.sampled_from(SCRIPT), max_size=30).map("".join))
@example("Extension('a', libraries=['cudart'], libraries=['cudart'])")
def test_pieces_of_scripts(text: str) -> None:
    for path in ("setup.py", "BUILD"):
        done = checked(b"cuda\n" + text.encode(), path)
        assert checked(done.output, path).output == done.output


PROJECT = (
    *(
        "[tool.scikit-build]\n",
        "[tool.scikit-build.cmake.define]\n",
        "[[tool.setuptools.ext-modules]]\n",
        "[project]\n",
    ),
    *("[tool.cibuildwheel.linux.environment]\n", "cmake.args = ", "cmake.define = ", "libraries = ", "dependencies = "),
    *(
        "CMAKE_CUDA_ARCHITECTURES = ",
        "CMAKE_CUDA_FLAGS = ",
        "CUDA_HOME = ",
        "CUDACXX = ",
        "a.b = ",
        "[",
        "]",
        "{",
        "}",
        ",",
    ),
    *(
        "'-DCMAKE_CUDA_STANDARD=17'",
        "'-DCMAKE_CUDA_COMPILER=x'",
        '"-G -arch=sm_70"',
        "'cudart'",
        "'nvidia-cuda-nvcc'",
        "1",
    ),
    *(
        "'/usr/local/cuda/lib64'",
        "\n",
        "\r\n",
        "# x\n",
        "# hipify: ignore[HIP602]\n",
        '"""',
        "'",
        '"',
        " ",
        "\\",
        "é",
        "=",
    ),
)


@settings(max_examples=250, deadline=None)
@given(st.lists(st.sampled_from(PROJECT), max_size=24).map("".join))
def test_pieces_of_pyproject(text: str) -> None:
    done = checked(b"# cuda\n" + text.encode(), "pyproject.toml")
    assert checked(done.output, "pyproject.toml").output == done.output


@settings(max_examples=100, deadline=None)
@given(
    st.binary(max_size=200).filter(lambda data: b"\0" not in data and data[:2] not in {b"\xff\xfe", b"\xfe\xff"}),
    st.sampled_from(["setup.py", "pyproject.toml", "meson.build"]),
)
def test_bytes_of_other_files(data: bytes, path: str) -> None:
    checked(b"# cuda\nx = [ '-arch=sm_70' ]\n" + data, path)


@pytest.mark.parametrize("path", ["setup.py", "pyproject.toml", "meson.build"])
@pytest.mark.parametrize(
    "piece",
    [
        *(
            b"(",
            b"[",
            b"{",
            b"'",
            b'"""',
            b"f'{",
            b"a(",
            b"a.",
            b"x[",
            b"'a' ",
            b"a=",
            b"\\\n",
            b"lambda:",
            b"'%s' % (",
        ),
        *(
            b"if x:\n ",
            b"x.append('-G')\n",
            b"'-arch=sm_70', ",
            b"['-arch=sm_70', ",
            b"# hipify: ignore[HIP602]\n",
            b"[[",
        ),
        *(
            b"{'nvcc': ",
            b"'-lcudart' ",
            b"cuda-",
            b"/usr/local/cuda",
            b" \t",
            b"[a]\n",
            b"a = [",
            b"CMAKE_CUDA_FLAGS = '-G'\n",
        ),
    ],
)
def test_long_files_end(piece: bytes, path: str) -> None:
    for start in (b"# cuda\n", b"# cuda\nx = ['-arch=sm_70', ", b"[tool.scikit-build.cmake.define]\ncuda = '"):
        checked(start + piece * 5_000, path)


MESON = (
    *(
        "project('a', ",
        "'cuda'",
        "'cpp'",
        "add_languages(",
        "executable('a', ",
        "files(",
        "include_directories('b')",
        ")",
        "[",
    ),
    *(
        "]",
        "{",
        "}",
        ", ",
        ": ",
        " = ",
        " += ",
        "\n",
        "\r\n",
        "    ",
        "# x\n",
        "# hipify: ignore[HIP603]\n",
        "x",
        "cuda_args: ",
    ),
    *(
        "dependencies: ",
        "sources: ",
        "'a.cu'",
        "'b.cpp'",
        "'-G'",
        "'-Xcompiler'",
        "'-arch=sm_70'",
        "'-maxrregcount=3'",
        "'-a,-b'",
    ),
    *(
        "dependency('cuda'",
        "modules: ",
        "'cublas'",
        "'nppc'",
        "find_library('cudart'",
        "'/usr/local/cuda/lib64'",
        "language: ",
    ),
    *(
        "add_project_arguments(",
        "default_options: ",
        "'cuda_std=c++17'",
        "if ",
        "endif",
        "foreach a : ",
        "'",
        "'''",
        "f'@x@'",
    ),
    *(" ? ", " and ", " not in ", ".", "hip_args", "nvcc", "\\", "é", "link_language: ", "cuda.nvcc_arch_flags("),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(MESON), max_size=30).map("".join))
@example("executable('a', 'b.cu', cuda_args: '-G', cuda_args: '-O')")
def test_pieces_of_meson(text: str) -> None:
    done = checked(b"# cuda\n" + text.encode(), "meson.build")
    assert checked(done.output, "meson.build").output == done.output
