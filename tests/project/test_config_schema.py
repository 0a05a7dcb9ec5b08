"""The JSON schema of configurations: valid by itself, and of one mind with the program on every configuration."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipify_py.catalog.register import read_register
from hipify_py.findings.selection import expanded, fix_words, fixes_of
from hipify_py.project.config_keys import KEYS
from hipify_py.project.toml import parse, written, written_key
from tools.tables.settings import SCHEMA

REPOSITORY = Path(__file__).parents[2]
SCHEMA_OF = json.loads(SCHEMA.read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA_OF)
IDS = [*read_register()]
FIXABLE = {id: entry["fix"]["applicability"] for id, entry in read_register().items() if "fix" in entry}


def schema_takes(document: object) -> bool:
    return bool(VALIDATOR.is_valid(document))


def program_takes(document: dict[str, Any]) -> bool:
    """What `read_config` and the reading of ids check, but for files that are to be there."""
    if not all(name in KEYS and KEYS[name].kind.is_met(value) for name, value in document.items()):
        return False
    words = [word for key in ("select", "extend-select", "ignore", "extend-ignore") for word in document.get(key, [])]
    words += [word for ids in document.get("per-file-ignores", {}).values() for word in ids]
    words += [*document.get("severity", {})]
    try:
        expanded(words, IDS)
        fixes = [set(fix_words(document.get(key, []))) for key in ("fix", "no-fix")]
        for word in set.union(*fixes):
            fixes_of(word, FIXABLE)
    except ValueError:
        return False
    return not set.intersection(*fixes)


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA_OF)
    assert SCHEMA_OF["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert SCHEMA_OF["additionalProperties"] is False


def test_every_key_is_told() -> None:
    assert [*SCHEMA_OF["properties"]] == [*KEYS]
    for name, told in SCHEMA_OF["properties"].items():
        assert told["description"].endswith("."), name
        assert told["examples"], name
        assert "default" in told or "Default: " in told["description"], name


@pytest.mark.parametrize("name", KEYS)
def test_examples_and_defaults_are_valid(name: str) -> None:
    for value in (KEYS[name].example, KEYS[name].default):
        if value is not None:
            assert (schema_takes({name: value}), program_takes({name: value})) == (True, True)
            assert parse(f"{written_key(name)} = {written(value)}\n".encode()) == {name: value}


VALID = [
    "",
    'extend = ["a.toml", "b.toml"]',
    'cuda = ""',
    'rocm = "5.2"',
    'rocm = "005.0002.1"',
    'rocm = "10.0"',
    'rocm = "5.10"',
    'preset = []\nfix = ["wavefront", "wavefront"]',
    'fix = ["wavefront"]\nno-fix = ["warp-size"]',
    'select = ["all", " hip3 ", "H", "Hip301"]',
    "fail-under = 95.5",
    "fail-under = {total = 1, cublas = 100, ours = 0}",
    "max-effort = {}",
    '[severity]\nALL = "note"\nhip301 = "error"',
    '[per-file-ignores]\n"" = []',
]
INVALID = [
    'colour = "red"',
    "extend = 3",
    'extend = ""',
    "cuda = 12.6",
    'cuda = "12"',
    'cuda = "12.6 "',
    'cuda = "12345.6"',
    'rocm = "5.1"',
    'rocm = "4.99"',
    'target = "cuda"',
    'preset = ["tensorflow"]',
    'preset = "pytorch"',
    "mappings = [3]",
    "experimental = 1",
    'fix = ["wavefront"]\nno-fix = ["wavefront"]',
    'fix = ["warp-size"]\nno-fix = ["wavefront", "warp-size"]',
    'select = ["HIP999"]',
    'ignore = [""]',
    'ignore = ["HIP301x"]',
    'extend-ignore = ["FOO"]',
    "fail-under = 101",
    "fail-under = true",
    "fail-under = {total = -1}",
    'fail-under = "95"',
    "max-effort = {high = -1}",
    "max-effort = {high = 1.5}",
    "max-effort = {huge = 1}",
    "max-effort = {high = true}",
    'severity = {HIP301 = "never"}',
    'severity = {HIP999 = "note"}',
    'per-file-ignores = {"a/" = "HIP301"}',
    'per-file-ignores = {"a/" = ["HIP999"]}',
    'baseline = ""',
    "annotate = 0",
    "include = {}",
]


@pytest.mark.parametrize("text", VALID)
def test_both_take(text: str) -> None:
    document = parse(text.encode())
    assert (schema_takes(document), program_takes(document)) == (True, True)


@pytest.mark.parametrize("text", INVALID)
def test_both_refuse(text: str) -> None:
    document = parse(text.encode())
    assert (schema_takes(document), program_takes(document)) == (False, False)


_WORDS = "hip roc ggl root wavefront warp-size pytorch note never ALL hip3 HIP301 HIP303 hip305 HIP32 HIP99 5.1 5.2 05.2 5.19 6.0 10.0.1 6. a/"
WORDS = st.sampled_from(["", *_WORDS.split(), "a.toml", "9999.9999", "high", "total"])
SCALARS = WORDS | st.booleans() | st.integers(-2, 200) | st.floats(-1, 101).filter(lambda number: number % 1 != 0)
VALUES = (
    SCALARS | st.lists(WORDS, max_size=3) | st.dictionaries(WORDS, SCALARS | st.lists(WORDS, max_size=2), max_size=3)
)


@given(st.dictionaries(st.sampled_from([*KEYS, "other"]), VALUES, max_size=3))
@settings(max_examples=1500, deadline=None)
def test_both_judge_alike(document: dict[str, Any]) -> None:
    assert schema_takes(document) == program_takes(document)


# -- configurations in documents and tests


def shown() -> Iterator[tuple[str, str]]:
    """The blocks of TOML in the documentation that are configurations of ours."""
    for path in [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]:
        for number, block in enumerate(re.findall(r"^```toml\n(.*?)^```", path.read_text("utf-8"), re.M | re.S)):
            if "[[rule]]" not in block and "[project]" not in block:
                yield f"{path.relative_to(REPOSITORY)}:{number}", block


@pytest.mark.parametrize("block", [pytest.param(text, id=name) for name, text in shown()])
def test_what_the_documentation_shows_is_valid(block: str) -> None:
    document = parse(block.encode())
    document = document.get("tool", {}).get("hipify-py", document)
    assert [error.message for error in VALIDATOR.iter_errors(document)] == []
    assert program_takes(document)


def test_configurations_of_the_tests_are_judged_alike() -> None:
    """Those that tests write to `hipify-py.toml` as a plain literal."""
    texts = set()
    for path in sorted((REPOSITORY / "tests").rglob("*.py")):
        for quote, text in re.findall(r"""hipify-py\.toml"\)\.write_text\((['"])(.*?)\1\)""", path.read_text("utf-8")):
            texts.add(text.replace(f"\\{quote}", quote).replace("\\n", "\n"))
    judged = []
    for text in sorted(texts):
        try:
            document = parse(text.encode())
        except ValueError:
            continue
        assert schema_takes(document) == program_takes(document), text
        judged.append(schema_takes(document))
    assert judged.count(True) > 20
    assert False in judged


def test_a_checker_takes_it(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text('rocm = "6.4"\n[severity]\nHIP3 = "note"\n')
    (tmp_path / "bad.toml").write_text('rocm = "6.4"\nrokm = "6.4"\n')
    check = [sys.executable, "-m", "check_jsonschema"]
    meta = subprocess.run([*check, "--check-metaschema", str(SCHEMA)], capture_output=True, text=True)
    assert meta.returncode == 0, meta.stdout
    runs = [
        subprocess.run([*check, "--schemafile", str(SCHEMA), str(tmp_path / name)], capture_output=True, text=True)
        for name in ("good.toml", "bad.toml")
    ]
    assert [run.returncode for run in runs] == [0, 1], runs
    assert "'rokm' was unexpected" in runs[1].stdout
