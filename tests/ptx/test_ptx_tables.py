"""The tables of PTX instructions: their form, and that every entry converts, compiles and is shown to be right."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from hipify_py.ptx.catalog import load_ptx_catalog
from hipify_py.ptx.computed import lop3
from hipify_py.ptx.instructions import parse
from hipify_py.ptx.tables import check
from hipify_py.support.header import render, section_names
from hipify_py.upkeep.ptx_equality import used_sections
from hipify_py.upkeep.ptx_variants import converted, digest, function, reason_to_skip, rows, variants

TABLES = sorted((Path(__file__).parents[2] / "mappings" / "ptx").glob("*.yaml"))
EQUALITY = Path(__file__).with_name("equality.yaml")
TREE = os.environ.get("HIPIFY_PY_ROCM_TREE", "")


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_has_its_form(path: Path) -> None:
    assert check(path) == []


def test_a_table_that_is_wrong_is_named(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_bytes((TABLES[0].parent / "schema.json").read_bytes())
    table = tmp_path / "odd.yaml"
    table.write_text(
        "title: Odd\nsource: nowhere at all\ninstructions:\n  - {ptx: 'odd.b32 d, a', hip: x, drop: true}\n"
    )
    assert "odd.yaml: instructions/0" in check(table)[0]


def test_sections_that_entries_need_exist() -> None:
    assert used_sections() <= set(section_names())


def test_every_entry_converts() -> None:
    source = "".join(function(variant, f"f{at}") for at, variant in enumerate(variants()))
    output, findings = converted(source)
    assert [finding for finding in findings if finding.severity == "error"] == []
    assert "asm" not in output


@pytest.mark.parametrize("table", range(256))
def test_a_truth_table_becomes_an_expression_of_it(table: int) -> None:
    instruction = parse(f"lop3.b32 %0, %1, %2, %3, {table};", {}, 4).instructions[0]
    match = load_ptx_catalog().find(instruction, is_volatile=False)
    assert match is not None
    text = lop3(match).replace("~0u", "~0").replace("0u", "0").format(a="0xF0", b="0xCC", c="0xAA")
    assert eval(text) & 0xFF == table


@pytest.mark.parametrize("arch", ["gfx942", "gfx1100"])
def test_every_entry_compiles(arch: str, tmp_path: Path) -> None:
    clang = shutil.which("clang++-22")
    if not TREE or clang is None:
        pytest.skip("NOT COMPILED: HIPIFY_PY_ROCM_TREE or clang++-22 is missing")
    source = "".join(function(variant, f"f{at}") for at, variant in enumerate(variants()))
    kept = 'extern "C" __device__ __attribute__((used))'
    output, _ = converted(source.replace("static __device__ __forceinline__", kept))
    path = tmp_path / "every.hip"
    path.write_text(f'#include "hipify_support.hpp"\nconstexpr unsigned TABLE = 0xd8;\n{output}')
    (tmp_path / "hipify_support.hpp").write_bytes(render(used_sections()))
    width = "32" if arch.startswith("gfx1") else "64"
    tree = os.path.join(TREE, "rocm-7.1")
    command = [clang, "-x", "hip", f"--offload-arch={arch}", f"--rocm-path={tree}", "-isystem", f"{tree}/include", "-w"]
    command += [f"-D__AMDGCN_WAVEFRONT_SIZE={width}", "-std=c++17", "-O1", "--cuda-device-only", "-c", str(path)]
    run = subprocess.run([*command, "-o", os.devnull], capture_output=True, text=True, errors="replace", check=False)
    assert run.returncode == 0, run.stderr[:4000]


@pytest.mark.skipif(not EQUALITY.is_file(), reason="NOT COMPARED: tools/ptx_equality.py has not been run yet")
def test_every_entry_was_found_equal_on_a_gpu() -> None:
    """The record is of the entries as they are now: run tools/ptx_equality.py again after a change."""
    document = yaml.safe_load(EQUALITY.read_text(encoding="utf-8"))
    recorded = document["entries"]
    assert document["gpu"]
    for name, row in rows():
        assert name in recorded, name
        assert recorded[name]["hash"] == digest(row), f"{name} has changed since it was compared"
        if reason_to_skip(row):
            assert recorded[name]["skipped"] == reason_to_skip(row)
        else:
            assert recorded[name]["cases"] > 0
            assert recorded[name]["differ"] == 0, name
