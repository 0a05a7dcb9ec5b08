"""The tables of PTX instructions: their form, and that every entry converts, compiles and is shown to be right."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from hipify_py.core.findings import Finding
from hipify_py.core.rows import TableError
from hipify_py.ptx.catalog import check, load_ptx_catalog, read_rows
from hipify_py.ptx.instructions import parse
from hipify_py.ptx.matching import lop3
from hipify_py.support_header.header import section_names
from tests.ptx.compiling import TARGETS, assert_compiles
from tools.tables.ptx_equality import used_sections
from tools.tables.ptx_variants import converted, digest, function, is_emulated, reason_to_skip, rows, variants

TABLES = sorted((Path(__file__).parents[2] / "mappings" / "ptx").glob("*.yaml"))
EQUALITY = Path(__file__).with_name("equality.yaml")


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


def test_a_type_that_nothing_decides_is_an_error_of_the_table(tmp_path: Path) -> None:
    (tmp_path / "odd.yaml").write_text(
        "title: Odd\nsource: nowhere\ninstructions:\n  - {ptx: 'odd.s32 d:bits, a:bits', hip: '{a}'}\n"
    )
    with pytest.raises(TableError, match=r"odd\.yaml: odd\.s32 .*write the type, such as b32"):
        list(read_rows(str(tmp_path)))


def test_sections_that_entries_need_exist() -> None:
    assert used_sections() <= set(section_names())


def _every(linkage: str) -> tuple[str, list[Finding]]:
    """A function for every entry, converted; those for 32 lanes as a program is whose warps stay there."""
    output, findings = "", []
    for kept in (False, True):
        source = "".join(
            function(one, f"f{at}")
            for at, one in enumerate(variants(all_that_convert=True))
            if is_emulated(one) == kept
        )
        source = source.replace("static __device__ __forceinline__", linkage) if linkage else source
        text, found = converted(source, emulates_warp32=kept)
        output, findings = output + text, findings + found
    return output, findings


def test_every_entry_converts() -> None:
    output, findings = _every("")
    assert [finding for finding in findings if finding.severity == "error"] == []
    assert "asm" not in output


@pytest.mark.parametrize("table", range(256))
def test_a_truth_table_becomes_an_expression_of_it(table: int) -> None:
    instruction = parse(f"lop3.b32 %0, %1, %2, %3, {table};", {}, 4).instructions[0]
    match = load_ptx_catalog().find(instruction, is_volatile=False)
    assert match is not None
    text = lop3(match).replace("~0u", "~0").replace("0u", "0").format(a="0xF0", b="0xCC", c="0xAA")
    assert eval(text) & 0xFF == table


@pytest.mark.compiler
@pytest.mark.parametrize("arch", TARGETS)
def test_every_entry_compiles(arch: str, tmp_path: Path) -> None:
    output, _ = _every('extern "C" __device__ __attribute__((used))')
    head = '#include "hipify_support.hpp"\nconstexpr unsigned TABLE = 0xd8;\n'
    assert_compiles((head + output).encode(), arch, tmp_path)


@pytest.mark.skipif(not EQUALITY.is_file(), reason="NOT COMPARED: tools/ptx_equality.py has not been run yet")
def test_every_entry_was_found_equal_on_a_gpu() -> None:
    """The record is of the entries as they are now; a new or changed one waits for tools/ptx_equality.py and a GPU."""
    document = yaml.safe_load(EQUALITY.read_text(encoding="utf-8"))
    recorded = document["entries"]
    assert document["gpu"]
    waiting = []
    for name, row in rows():
        if name not in recorded or recorded[name]["hash"] != digest(row):
            waiting.append(name)
            continue
        if reason_to_skip(row):
            assert recorded[name]["skipped"] == reason_to_skip(row)
        else:
            assert recorded[name]["cases"] > 0
            assert recorded[name]["differ"] == 0, name
    if waiting:
        pytest.xfail(f"not yet compared on a GPU: {', '.join(waiting)}")
