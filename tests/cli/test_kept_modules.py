"""The bytecode that a check keeps for the next one: taken while it is right, and made anew where it is not."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from hipify_py import patterns
from hipify_py.cli import kept_modules, pattern_programs
from hipify_py.cli.kept_modules import KeptLoader, KeptModules, recall_modules
from hipify_py.cli.pattern_programs import program_of
from hipify_py.patterns import lazy
from tests.cli.conftest import VECTOR_ADD, Run

SOURCES = {
    "__init__.py": "NAME = 'whole'\n",
    "first.py": "from kept_example.inner.second import twice\n\ndef four():\n    return twice(2)\n",
    "inner/__init__.py": "",
    "inner/second.py": "def twice(number):\n    return 2 * number\n",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a small package that can be imported, and whose bytecode may be written."""
    folder = tmp_path / "kept_example"
    for name, text in SOURCES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="ascii")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(patterns, "known_programs", {})
    monkeypatch.setattr(patterns, "used_expressions", set())
    yield folder
    _forget()


def _forget() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "kept_example"]:
        del sys.modules[name]


def _anew() -> tuple[KeptModules, ModuleType]:
    """What is kept, and the package's first module, as a new process has them."""
    _forget()
    sys.meta_path[:] = [each for each in sys.meta_path if type(each) is not KeptModules]
    importlib.invalidate_caches()
    kept = recall_modules(importlib.import_module("kept_example"))
    assert kept is not None
    return kept, importlib.import_module("kept_example.first")


def _are_kept(*names: str) -> list[bool]:
    return [isinstance(sys.modules[f"kept_example.{name}"].__loader__, KeptLoader) for name in names]


def test_modules_come_as_python_loads_them(package: Path) -> None:
    kept, theirs = _anew()
    kept.keep()
    _, ours = _anew()
    assert _are_kept("first", "inner", "inner.second") == [True] * 3
    assert ours.four() == 4
    for field in ("__file__", "__cached__", "__name__", "__package__"):
        assert getattr(ours, field) == getattr(theirs, field)
    assert sys.modules["kept_example.inner"].__path__ == [str(package / "inner")]
    assert inspect.getsource(ours.four) == inspect.getsource(theirs.four)


@pytest.mark.parametrize("name", ["first", "inner.second"])
def test_a_module_that_has_changed_is_loaded_from_its_source_and_kept_anew(package: Path, name: str) -> None:
    kept, _ = _anew()
    kept.keep()
    path = package / f"{name.replace('.', '/')}.py"
    path.write_text(path.read_text(encoding="ascii").replace("2 *", "3 *") + "\nmore = 1\n", encoding="ascii")
    kept, first = _anew()
    assert _are_kept(name, "inner") == [False, True]
    assert sys.modules[f"kept_example.{name}"].more == 1
    assert first.four() == (6 if name == "inner.second" else 4)
    kept.keep()
    _, first = _anew()
    assert _are_kept(name, "inner") == [True, True]
    assert sys.modules[f"kept_example.{name}"].more == 1


def test_the_time_of_change_alone_counts_too(package: Path) -> None:
    kept, _ = _anew()
    kept.keep()
    os.utime(package / "first.py", ns=(1, 1))
    _anew()
    assert _are_kept("first", "inner.second") == [False, True]


def test_what_another_layout_holds_is_made_anew(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as older:
        older.setattr(kept_modules, "_FORMAT", kept_modules._FORMAT - 1)
        kept, _ = _anew()
        kept.keep()
    kept, first = _anew()
    assert _are_kept("first", "inner.second") == [False, False]
    assert first.four() == 4
    kept.keep()
    _anew()
    assert _are_kept("first", "inner.second") == [True, True]


def test_a_module_that_is_gone_is_not_there(package: Path) -> None:
    kept, _ = _anew()
    kept.keep()
    (package / "inner" / "second.py").unlink()
    with pytest.raises(ModuleNotFoundError):
        _anew()


def _kept_file(package: Path) -> Path:
    (found,) = (package / "__pycache__").glob("*.bin")
    return found


def _cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _spoil(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _open_to_all(path: Path) -> None:
    path.chmod(0o666)


@pytest.mark.parametrize("harm", [_cut_off, _spoil, _open_to_all, Path.unlink])
def test_what_cannot_be_trusted_is_made_anew(package: Path, harm: object) -> None:
    if harm is _open_to_all and not hasattr(os, "geteuid"):
        pytest.skip("permissions of another kind")
    kept, _ = _anew()
    kept.keep()
    assert callable(harm)
    harm(_kept_file(package))
    kept, first = _anew()
    assert _are_kept("first", "inner.second") == [False, False]
    assert first.four() == 4
    kept.keep()
    _anew()
    assert _are_kept("first", "inner.second") == [True, True]


def test_another_python_or_another_place_has_its_own(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, _ = _anew()
    kept.keep()
    with monkeypatch.context() as changed:
        changed.setattr(sys, "version", "another")
        _anew()
        assert _are_kept("first") == [False]
    moved = package.parent / "moved"
    moved.mkdir()
    package.rename(moved / package.name)
    monkeypatch.syspath_prepend(str(moved))
    _, first = _anew()
    assert _are_kept("first") == [False]
    assert first.__file__ == str(moved / package.name / "first.py")


def test_nothing_is_written_where_python_writes_no_bytecode(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, _ = _anew()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept.keep()
    assert list((package / "__pycache__").glob("*.bin")) == []


def test_it_is_written_again_only_for_many_other_modules(package: Path) -> None:
    names = [f"many{number}" for number in range(20)]
    for name in names:
        (package / f"{name}.py").write_text("", encoding="ascii")
    kept, _ = _anew()
    kept.keep()
    before = _kept_file(package).read_bytes()
    kept, _ = _anew()
    kept.keep()
    assert _kept_file(package).read_bytes() == before
    kept, _ = _anew()
    for name in names:
        importlib.import_module(f"kept_example.{name}")
    kept.keep()
    _anew()
    for name in names:
        importlib.import_module(f"kept_example.{name}")
    assert all(_are_kept("first", *names))


@pytest.mark.parametrize(
    "text",
    [
        rb"[A-Za-z_]\w*",
        r"(?i)(?P<one>a+)(b)?(?P<two>[^c-x\d])",
        rb"(?xms) a (?i:b) # more",
        r"(?<=x)(?!y)\bword\b|\Z",
        r"((a){2,9}?|b*+)" if sys.version_info >= (3, 11) else r"((a){2,9}?|b*)",
        "(?i)ä|[ö-ü]|\u20ac",
    ],
)
def test_a_program_gives_what_compiling_gives(text: str | bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "known_programs", {text: program_of(text)})
    compiled, expected = patterns.compiled(text), re.compile(text)
    assert compiled == expected
    assert (compiled.flags, compiled.groups, compiled.groupindex) == (
        expected.flags,
        expected.groups,
        expected.groupindex,
    )


@pytest.mark.parametrize("home", ["no_such_module", "string"])
def test_a_python_that_compiles_otherwise_has_no_programs(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_programs, "_HOMES", (home, home))
    assert program_of("a+") is None


def test_a_lazy_expression_is_not_compiled_where_its_program_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "known_programs", {"a+": program_of("a+")})
    monkeypatch.setattr(re, "compile", None)
    found = lazy("a+").search("xaa")
    assert found is not None
    assert found[0] == "aa"


def test_checks_say_the_same_with_what_is_kept(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(VECTOR_ADD + b'\nvoid f(int m) { asm("no.such.instruction;"); cudaFoo(m); }\n')
    bytecode = tmp_path / "bytecode"
    bytecode.mkdir()
    settings = {"PYTHONPYCACHEPREFIX": str(bytecode), "PYTHONDONTWRITEBYTECODE": "", "HIPIFY_PY_ROCM": "newest"}
    first, second = (hipify("check", "a.cu", env=settings) for _ in range(2))
    assert b"cudaFoo" in first.stdout
    assert (second.stdout, second.stderr, second.returncode) == (first.stdout, first.stderr, first.returncode)
    (kept,) = bytecode.rglob("check*.bin")
    assert kept.parent.name == "hipify_py"
