"""meson.build: the language, and places one by one."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.expressions import STRING, walk
from hipify_py.build_systems.meson.reader import read
from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS


def translated(text: str) -> str:
    once = translate_build_file(text.encode(), "meson.build", DEFAULT_OPTIONS).output
    assert translate_build_file(once, "meson.build", DEFAULT_OPTIONS).output == once
    assert read(once).broken < 0
    return once.decode()


def ids(text: str) -> list[str]:
    return [found.id for found in translate_build_file(text.encode(), "meson.build", DEFAULT_OPTIONS).findings]


@pytest.mark.parametrize(
    "text",
    [
        "project('x', 'cpp', version: '1')",
        "x = a ? b : c\ny = a.b('c')[0].d(e: 1, f: [2, 3,], g: {'h': 'i', 'j' : k})",
        "if not a and b in c or d not in e\n  f += '''g\nh'''\nelif -1 < x\nelse\nendif",
        "foreach a, b : {'c': 'd'}\n  break\nendforeach\nforeach e : f(x ? y : z)\n  continue\nendforeach",
        "x = f'@a@ b' + \\\n  'c' # d\n\ne(\n  'f', # g\n)",
        "x = f(\n  a ? 'b' : 'c',\n  d: e ? 'f' : 'g',\n)",
        "x = 0x1f % 2 == 1 != true",
    ],
)
def test_the_language(text: str) -> None:
    assert read(text.encode()).broken == -1
    assert read(text.replace("\n", "\r\n").encode()).broken == -1


@pytest.mark.parametrize(
    ("text", "place"),
    [("a()\nb(", 4), ("a()\nx = 'b\n", 4), ("a()\nx = '''b", 4), ("a()\nb c\n", 4), ("a()\n$", 4), ("a(" * 99, 0)],
)
def test_what_cannot_be_read_is_told(text: str, place: int) -> None:
    assert read(text.encode()).broken == place


def test_places_of_strings_are_exact() -> None:
    data = "x = ['a', f'@b@c', '''d\ne''', 'é', 'f\\'g']\n".encode()
    strings = [node for node in walk(read(data).root) if node.kind == STRING]
    assert [data[slice(*node.inner)].decode() for node in strings] == ["a", "@b@c", "d\ne", "é", "f\\'g"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("d = dependency('cuda')", "d = dependency('hip', method: 'cmake', modules: ['hip::host'])"),
        (
            "d = dependency('cuda', required: false, modules: ['cudart'])",
            "d = dependency('hip', method: 'cmake', modules: ['hip::host'], required: false)",
        ),
        ("d = cc.find_library('cufft')", "d = cc.find_library('hipfft')"),
        (
            "d = cc.find_library('cudart', dirs: '/usr/local/cuda/lib64')",
            "find_library('amdhip64', dirs: '/opt/rocm/lib')",
        ),
        ("p = find_program('nvcc')", "p = find_program('hipcc')"),
        ("add_project_arguments('-G', '-Xcompiler', '-Wall', language: 'cuda')", "hip_args += ['-g', '-Wall']"),
        ("add_project_arguments(['-G', '-arch=sm_70'], language: ['cuda'])", "hip_args += [['-g']]"),
        (
            "add_project_arguments('-G', language: 'cpp')  # cuda",
            "add_project_arguments('-G', language: 'cpp')  # cuda",
        ),
        (
            "executable('a', 'b.cu')",
            "executable('a', hip_objects.process('b.cu', extra_args: hip_args), dependencies: hip_dep)",
        ),
        (
            "library('a', ['b.cpp', 'b.cu'], dependencies: [], cuda_args: '-G')",
            "library('a', ['b.cpp', hip_objects.process('b.cu', extra_args: hip_args + ['-g'])], dependencies: [hip_dep])",
        ),
        (
            "s = ['a.cu']\nexecutable('a', s, dependencies: x)",
            "s = [hip_objects.process('a.cu', extra_args: hip_args)]\nexecutable('a', s, dependencies: [hip_dep, x])",
        ),
        (
            "executable('a', sources: files('a.cu'), link_language: 'cuda')",
            "executable('a', sources: hip_objects.process(files('a.cu'), extra_args: hip_args), dependencies: hip_dep)",
        ),
        (
            "executable('a', 'b.cu', include_directories: include_directories('c'))",
            "hip_args += ['-I' + meson.current_source_dir() / 'c']\nexecutable('a'",
        ),
        ("custom_target('a', input: 'b.cu', command: [nvcc, '-ptx', '-G'])", "command: [nvcc, '--genco', '-g'])"),
        ("executable('a', 'b.cpp')  # cuda", "executable('a', 'b.cpp')  # cuda"),
        ("message('nvcc in /usr/local/cuda')", "message('nvcc in /usr/local/cuda')"),
        ("x = '''\nsee nvcc -arch=sm_70'''", "x = '''\nsee nvcc -arch=sm_70'''"),
        ("a = cuda.nvcc_arch_flags(v, 'Auto')", "a = []"),
    ],
)
def test_places(before: str, after: str) -> None:
    assert after in translated(before + "\n")


def test_the_language_sets_up_a_generator() -> None:
    done = translated("project('a', 'cuda', version: '1', default_options: ['cuda_std=c++14'])\nx = 1\n")
    assert done.startswith("project('a', version: '1', default_options: [])\n# Meson has no language for HIP")
    assert "hip_args = ['-std=c++14']\n" in done
    done = translated("project('a', 'cpp')\nadd_languages('cuda')\n")
    assert done.startswith("project('a', 'cpp')\n# Meson") or "hip_objects = generator(" in done
    done = translated("if add_languages('cuda', required: false)\n  x = 1\nendif\n")
    assert done.startswith("if find_program('hipcc', required: false).found()\n  # Meson has no language")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("d = dependency('cuda', modules: ['nppc'])", ["HIP613"]),
        ("d = dependency('cuda', modules: x)", ["HIP605"]),
        ("d = dependency('cuda', version: '>=12')", ["HIP609"]),
        ("c = import('unstable-cuda')", ["HIP601"]),
        ("n = meson.get_compiler('cuda')", ["HIP605"]),
        ("a = cuda.nvcc_arch_flags(v)", ["HIP602"]),
        ("s = ['a.cu']\nexecutable('a', s, cuda_args: '-G')", ["HIP605"]),
        ("x = ['-maxrregcount=32'] # cuda", ["HIP603"]),
        ("cuda = ['-maxrregcount=32'] # hipify: ignore[HIP603]", []),
        ("cuda = (\n", ["HIP605"]),
        ("hip = find_program('hipcc')\nd = dependency('cuda')", ["HIP607"]),
    ],
)
def test_findings(text: str, found: list[str]) -> None:
    assert ids(text + "\n") == found
