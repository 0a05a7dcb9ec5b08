"""Build files that are not translated: one finding for each that names CUDA."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.by_hand import ADVICE
from hipify_py.build_systems.kinds import COMPOSE, CONDA, SCONS, VISUAL_STUDIO, XMAKE, kind_of
from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.findings import Finding
from hipify_py.core.options import DEFAULT_OPTIONS


def findings(text: str, path: str) -> list[Finding]:
    result = translate_build_file(text.encode(), path, DEFAULT_OPTIONS)
    assert result.output == text.encode()
    assert not result.references
    return result.findings


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("xmake.lua", XMAKE),
        ("SConstruct", SCONS),
        ("src/SConscript", SCONS),
        ("a.vcxproj", VISUAL_STUDIO),
        ("environment-gpu.yml", CONDA),
        ("conda/meta.yaml", CONDA),
        ("recipe.yaml", CONDA),
        ("docker-compose.gpu.yml", COMPOSE),
        ("compose.yaml", COMPOSE),
    ],
)
def test_kinds(path: str, kind: str) -> None:
    assert kind_of(path) == kind
    (found,) = findings("cuda\n", path)
    assert found.id == "HIP612"
    assert found.message == f"{kind} files are not translated: {ADVICE[kind]}"


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ('-- cuda\nadd_files("src/*.cu")\nadd_cuflags("-G")', "xmake.lua", 2),
        ('--[[ cuda\n]] add_files("a.cpp")\nadd_cugencodes("native")', "xmake.lua", 3),
        ("env.Tool('cuda')\nenv.Append(NVCCFLAGS='-G')", "SConstruct", 1),
        ("x = 1  # nvcc\nenv.Append(LIBS=['m', 'cublas'])", "SConscript", 2),
        ("<Project>\r\n<CudaCompile Include='a.cu' />\r\n", "a.vcxproj", 2),
        ("\ufeff<a>\n<Import\n Project='$(X)\\CUDA 12.4.props' />\n</a>\n", "a.vcxproj", 3),
        ("<a><!-- cuda -->\n<b>cudart.lib</b></a>", "a.vcxproj", 2),
        ("dependencies:\n- numpy\n- libcublas-dev\n- cudatoolkit=11.3", "environment.yml", 3),
        ("requirements:\n  build:\n    - {{ compiler('cuda') }}", "meta.yaml", 3),
        ("services:\n  a:\n    runtime: nvidia", "compose.yaml", 3),
        ("services:\n  a:\n    image: nvidia/cuda:12.4.1-devel-ubuntu22.04", "compose.yaml", 3),
    ],
)
def test_the_first_place_that_names_cuda_is_reported(text: str, path: str, line: int) -> None:
    (found,) = findings(text, path)
    assert (found.id, found.line) == ("HIP612", line)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('-- cuda\nadd_files("src/*.cpp")', "xmake.lua"),
        ("--[[ cuda", "xmake.lua"),
        ("env = Environment()  # nvcc", "SConstruct"),
        ("Tool('barracuda')\nsite = 'x.current'", "SConstruct"),
        ("<a><!-- <CudaCompile/> --></a>", "a.vcxproj"),
        ("<a><!-- <CudaCompile/>", "a.vcxproj"),
        ("channels:\n- x.current\n# cudnn", "environment.yml"),
        ("if has_config('use_hip'): env.Tool('cuda')\ncc = 'hipcc'", "SConstruct"),
        ("services:\n  a:\n    runtime: nvidia\n  b:\n    devices: [/dev/kfd, /dev/dri]", "compose.yaml"),
    ],
)
def test_files_without_cuda_and_files_for_amd_gpus_are_not_reported(text: str, path: str) -> None:
    assert findings(text, path) == []


@pytest.mark.parametrize(
    ("comment", "path"),
    [
        ("-- hipify: ignore[HIP612]\n", "xmake.lua"),
        ("# hipify: ignore[HIP612]\n", "SConstruct"),
        ("<!-- hipify: ignore-file[HIP612] -->\n", "a.vcxproj"),
        ("# hipify: ignore[HIP612]: later\n", "compose.yaml"),
    ],
)
def test_a_comment_suppresses_the_finding(comment: str, path: str) -> None:
    result = translate_build_file(f"{comment}cuda\n".encode(), path, DEFAULT_OPTIONS)
    assert [found.id for found in result.suppressed] == ["HIP612"]
    assert result.findings == []


@pytest.mark.parametrize("path", ["xmake.lua", "a.vcxproj", "SConstruct"])
@pytest.mark.parametrize("piece", ["--[[", "<!--", "#", "cu", "]]", ".c", "\n"])
def test_hostile_files_are_read_in_no_time(piece: str, path: str) -> None:
    findings("cuda\n" + piece * 50_000, path)
