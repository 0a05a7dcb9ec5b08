"""xmake.lua: places, one by one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS
from tests.build_systems.test_fuzz import checked


def translated(text: str) -> str:
    once = translate_build_file(text.encode(), "xmake.lua", DEFAULT_OPTIONS).output
    assert translate_build_file(once, "xmake.lua", DEFAULT_OPTIONS).output == once
    return once.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('add_links("cublas", "z")', 'add_links("hipblas", "z")'),
        ("add_syslinks('cudart')", "add_syslinks('amdhip64')"),
        ('add_linkdirs("/usr/local/cuda/lib64")', 'add_linkdirs("/opt/rocm/lib")'),
        ('add_cuflags("-G", {force = true})', 'add_cuflags("-g", {force = true})'),
        ('add_cuflags("-Xcompiler=-a,-b")', 'add_cuflags("-a", "-b")'),
        ('add_cxflags("-G") -- cuda', 'add_cxflags("-G") -- cuda'),
        ('add_cugencodes("native")\nx = 1', "x = 1"),
        ('print("cublas in /usr/local/cuda")', 'print("cublas in /usr/local/cuda")'),
        ('-- add_links("cublas")', '-- add_links("cublas")'),
        ("x = [[\ncudart]]", "x = [[\ncudart]]"),
        ('target("a", function() add_links("cufft") end)', 'target("a", function() add_links("hipfft") end)'),
    ],
)
def test_places(before: str, after: str) -> None:
    assert translated(f"-- cuda\n{before}\n") == f"-- cuda\n{after}\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('add_rules("cuda")', ["HIP601"]),
        ('set_toolchains("cuda")', ["HIP601"]),
        ('add_requires("cuda")', ["HIP601"]),
        ('add_cugencodes("sm_70")', ["HIP602"]),
        ('add_links("nppc")  -- cuda', ["HIP601"]),
        ('add_files("src/*.cu")', ["HIP633"]),
        ('add_files("src/*.cu", {sourcekind = "cxx"})', []),
        ('add_rules("cuda") ]]', ["HIP601", "HIP605"]),
    ],
)
def test_findings(text: str, found: list[str]) -> None:
    done = translate_build_file(f"-- cuda\n{text}\n".encode(), "xmake.lua", DEFAULT_OPTIONS)
    assert sorted(finding.id for finding in done.findings) == found


PIECES = (
    *(
        "add_links(",
        "add_cuflags(",
        "add_cugencodes(",
        "add_rules(",
        "add_files(",
        ")",
        "{",
        "}",
        '"',
        "'",
        "[[",
        "]]",
        ", ",
    ),
    *(
        '"cuda"',
        '"cublas"',
        '"-G"',
        '"-Xcompiler=-a,-b"',
        '"-arch=sm_70"',
        '"/usr/local/cuda/lib64"',
        '"a.cu"',
        "\n",
        "-- x\n",
    ),
    *("function f() ", " end ", "if x then ", "x = ", "target:", ".", "\\", "é", "--[["),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_pieces_of_xmake(text: str) -> None:
    done = checked(b"-- cuda\n" + text.encode(), "xmake.lua")
    assert checked(done.output, "xmake.lua").output == done.output


@pytest.mark.parametrize(
    "piece", [b"(", b"{", b"[[", b"'", b"f(", b"a.", b"add_links('cudart')\n", b"if x then ", b"--[[", b"not "]
)
def test_long_files_end(piece: bytes) -> None:
    checked(b"-- cuda\n" + piece * 4_000, "xmake.lua")
