"""Bazel, which is read as Python: places, one by one."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS


def translated(text: str, path: str) -> str:
    once = translate_build_file(text.encode(), path, DEFAULT_OPTIONS).output
    assert translate_build_file(once, path, DEFAULT_OPTIONS).output == once
    return once.decode()


def ids(text: str, path: str) -> list[str]:
    return [found.id for found in translate_build_file(text.encode(), path, DEFAULT_OPTIONS).findings]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'load("@local_config_cuda//cuda:build_defs.bzl", "if_cuda")',
            ":build_defs.bzl",
        ),
        ('d = ["@local_config_cuda//cuda:curand"]', 'd = ["@local_config_rocm//rocm:hiprand"]'),
        ('x(copts = ["-Xcompiler=-g,-O2"])', 'x(copts = ["-g", "-O2"])'),
        ('x(linkopts = ["-L/usr/local/cuda/lib64", "-lnccl"])', 'x(linkopts = ["-L/opt/rocm/lib", "-lrccl"])'),
        ('cuda_library(name = "a", srcs = ["a.cu"])', None),
        ('# "@local_config_cuda//cuda:curand"', None),
    ],
)
def test_bazel(before: str, after: str | None) -> None:
    done = translated(f"# cuda\n{before}\n", "BUILD.bazel")
    assert (before if after is None else after) in done


def test_what_is_loaded_is_renamed_where_it_is_used() -> None:
    text = 'load("@local_config_cuda//cuda:build_defs.bzl", "cuda_library", x = "if_cuda")\ncuda_library(d = x(1))\n'
    assert translated(text, "a.bzl") == (
        'load("@local_config_rocm//rocm:build_defs.bzl", "rocm_library", x = "if_rocm")\nrocm_library(d = x(1))\n'
    )
    text = 'cuda_library(name = "a")\n'  # one of the project's own
    assert translated(text, "BUILD") == text


@pytest.mark.parametrize(
    "text",
    [
        'load("@rules_cuda//cuda:defs.bzl", "cuda_library")',
        'bazel_dep(name = "rules_cuda", version = "0.2.1")',
        'http_archive(name = "rules_cuda")',
        'd = "@local_cuda//:cuda_runtime"',
        'd = "@local_config_cuda//cuda:cupti_headers"',
        'load("@local_config_cuda//cuda:build_defs.bzl", "cuda_gpu_architectures")',
    ],
)
def test_what_has_no_counterpart_in_bazel_is_reported(text: str) -> None:
    assert ids(text + "\n", "MODULE.bazel") == ["HIP601"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "x = ['-O2', '-Xcompiler', ','.join(F), '-c']",
            "x = ['-O2', ] + [option for option in (','.join(F)).replace(',', ' ').split(' ') if option] + ['-c']",
        ),
        ("x = ['-Xcompiler', ' '.join(F)]", "x = [] + [option for option in (' '.join(F)).split(' ') if option] + []"),
        (
            "x = ['-g', '-Xcompiler=' + host]",
            "x = ['-g', ] + [option for option in ('' + host).replace(',', ' ').split(' ') if option] + []",
        ),
        (
            "x = [\n    '-O2',\n    '-Xcompiler',\n    ','.join(F),\n    '-c',\n]",
            "x = [\n    '-O2',\n    ] + [option for option in (','.join(F)).replace(',', ' ').split(' ') if option] + [\n    '-c',\n]",
        ),
        (
            "f(copts = ['-Xcompiler', ','.join(F)] + REST)",
            "f(copts = [] + [option for option in (','.join(F)).replace(',', ' ').split(' ') if option] + [] + REST)",
        ),
    ],
)
def test_lists_of_starlark_end_before_what_becomes_several(before: str, after: str) -> None:
    text = "c = 'nvcc'\n"
    done = translated(text + before, "BUILD")
    assert done == "c = 'hipcc'\n" + after
    assert ast.parse(done)
    assert translated(done, "BUILD") == done
    assert "*(" not in done


@pytest.mark.parametrize(
    "text",
    [
        "x = ['-Xcompiler=' + F] * 2",
        "x = 'a' in ['-Xcompiler=' + F]",
        "x = a + ['-Xcompiler=' + F]",
        "x = (['-Xcompiler=' + F] if a else [])",
        "x = ['-Xcompiler', # why\n ','.join(F) # c\n ,'-O2']",
        "x = ['-Xcompiler', # why\n (','.join(F) # c, )\n ) ,'-O2']",
        "x = ['-Xcompiler', (# (\n','.join(F)) , # d\n'-O2']",
        "x = ['-Xcompiler', ','.join(F)\n# c ,\n]",
        "x = ['-g', '-Xcompiler', ','.join(F), '-Xcompiler', ','.join(F), '-O2']",
        "x.append('-Xcompiler=' + F)",
        "x.append('-Xcompiler')\nx.append(','.join(F) # c\n)",
    ],
)
@pytest.mark.parametrize("path", ["BUILD", "setup.py"])
def test_several_options_among_operators_and_comments(text: str, path: str) -> None:
    done = translated(f"c = 'nvcc'\n{text}\n", path)
    assert "-Xcompiler" not in done
    assert translated(done, path) == done
    host = ["-Wall", "-Wextra"]
    given: object = host if "join" in text else ",".join([host[0], "", host[1]])
    values: dict[str, Any] = {"a": ["-g"], "x": [], "F": given}
    exec(done, values)
    found = values["x"]
    if isinstance(found, list):
        assert [option for option in found if option in host][:2] == host
        assert "" not in found
    else:
        assert found is False


def test_the_sum_is_repeated_as_the_list_was() -> None:
    values: dict[str, Any] = {"F": "-a,-b"}
    exec(translated("c = 'nvcc'\nx = ['-Xcompiler=' + F, '-g'] * 2", "BUILD"), values)
    assert values["x"] == ["-a", "-b", "-g"] * 2


def test_a_tuple_of_starlark_is_reported() -> None:
    assert "HIP605" in ids("x = ('-O2', '-Xcompiler', ','.join(F))  # nvcc", "BUILD")


def test_options_of_the_host_that_a_name_holds() -> None:
    text = "x = ['nvcc', '-Xcompiler=' + host, '-c']"
    assert translated(text, "setup.py") == "x = ['hipcc', *('' + host).replace(',', ' ').split(), '-c']"
