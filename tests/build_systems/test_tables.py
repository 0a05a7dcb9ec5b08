"""The tables of `mappings/build/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.build_systems.facts import facts
from hipify_py.catalog import load_catalog
from hipify_py.catalog.checking import problems
from hipify_py.catalog.places import mappings_dir
from hipify_py.catalog.register import read_register

FOLDER = Path(mappings_dir(), "build")
TABLES = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_a_table_is_as_its_schema_says(path: Path) -> None:
    assert list(problems(path.read_text(encoding="utf-8"), FOLDER / "schema.json")) == []


def test_a_slip_in_a_table_is_told_with_its_line() -> None:
    text = "source: somewhere\nflags:\n  --a: {drop: true}\n  --b: {hipp: -x}\n"
    assert [line for line, _ in problems(text, FOLDER / "schema.json")] == [4, 4]


def test_findings_of_tables_are_in_the_register() -> None:
    known = read_register()
    rows = [*facts().variables.values(), *facts().properties.values(), *facts().commands.values()]
    named = {row["finding"] for row in rows if "finding" in row}
    named |= {flag.finding for flag in facts().flags.values() if flag.finding}
    assert named
    assert named <= known.keys()


def test_nothing_that_takes_the_place_of_a_name_is_a_name_of_the_tables_itself() -> None:
    tables = facts()
    for row in tables.variables.values():
        assert row.get("hip") not in tables.variables
    for flag in tables.flags.values():
        for text in (flag.hip or "", *(flag.values or {}).values()):
            for word in text.split():
                found = tables.flags.get(word.partition("=")[0])
                assert found is None or not found.own, (flag.name, word)


def test_a_spelling_stands_for_one_library_only() -> None:
    import yaml

    rows = yaml.safe_load((FOLDER / "libraries.yaml").read_text(encoding="utf-8"))["libraries"]
    spelled = [name for key, row in rows.items() for name in (key, *row.get("also", ()))]
    assert len(spelled) == len(set(spelled))


def test_programs_load_the_libraries_that_build_files_link() -> None:
    linked = facts().libraries
    for cuda, (_, hip) in load_catalog().loaded.items():
        assert hip == f"lib{linked[cuda.removeprefix('lib')].library}"
