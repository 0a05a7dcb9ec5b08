"""Calls with directives between their arguments: nothing is moved together with a directive, and that is reported."""

from __future__ import annotations

import pytest

from hipify_py import Options, Translation, translate

CHOICE = "#ifdef A\n    {0},\n#else\n    {1},\n#endif\n"
OPTIONS = Options(implicit_runtime=False)


def _translated(statement: str, options: Options = OPTIONS) -> Translation:
    """The translation of a statement in a kernel; an unknown name keeps it from being taken for HIP."""
    source = f"__global__ void k(int *p, unsigned m, int v) {{\n{statement}\n}}\nvoid f() {{ cudaNotYetKnown(); }}\n"
    result = translate(source, path="a.cu", options=options)
    assert translate(result.output, path="a.cu", options=options).output == result.output
    lines, result_lines = source.splitlines(), result.output.decode().splitlines()
    assert [
        line for line in result_lines if line.startswith("#") and "include" not in line and "define" not in line
    ] == [line for line in lines if line.startswith("#") and "include" not in line]
    return result


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        (f"cudaMemcpyToSymbol(\n{CHOICE.format('table', 'other')}    p, 4);", "hipMemcpyToSymbol("),
        (f"v = CUB_MIN(\n{CHOICE.format('v', 'm')}    3);", "CUB_MIN("),
        (f"__stcg(\n{CHOICE.format('p', 'p + 1')}    v);", "__stcg("),
        ('v = CUB_MAX(v,\n#include "other.inc"\n);', "CUB_MAX(v,"),
    ],
)
@pytest.mark.parametrize("options", [OPTIONS, OPTIONS._replace(fixes=frozenset(), annotate=True)])
def test_the_call_stays_and_is_reported(statement: str, kept: str, options: Options) -> None:
    result = _translated(statement, options)
    assert kept in result.output.decode()
    assert {"HIP101", "HIP104"} & {finding.id for finding in result.findings}


@pytest.mark.parametrize(
    ("statement", "becomes"),
    [
        (
            "cudaMemcpyToSymbol(table, g(p,\n#ifdef A\n1\n#else\n2\n#endif\n), 4);",
            "hipMemcpyToSymbol(HIP_SYMBOL(table), g(p,",
        ),
        ("run(table, [&] {\n#pragma unroll\nfor (;;) cudaMemcpyToSymbol(table, p, 4);\n});", "HIP_SYMBOL(table)"),
    ],
)
def test_directives_within_an_argument_are_no_hindrance(statement: str, becomes: str) -> None:
    result = _translated(statement)
    assert becomes in result.output.decode()
    assert not {"HIP101", "HIP104"} & {finding.id for finding in result.findings}


def test_where_nothing_is_to_be_edited_there_is_nothing_to_say() -> None:
    result = _translated("cudaMemcpy(\n#ifdef A\n p,\n#else\n p + 1,\n#endif\n p, 4, cudaMemcpyDeviceToHost);")
    assert "hipMemcpy(\n#ifdef A" in result.output.decode()
    assert not {"HIP101", "HIP104"} & {finding.id for finding in result.findings}


@pytest.mark.parametrize("name", ["CUB_MIN", "__stcg", "__ldca"])
def test_a_name_that_goes_with_its_arguments_stays_without_them(name: str) -> None:
    result = translate(f"__global__ void k() {{ auto f = {name}; }}\n", path="a.cu", options=OPTIONS)
    assert f"auto f = {name};" in result.output.decode()
    assert [(finding.id, finding.severity) for finding in result.findings] == [("HIP101", "error")]
