"""`extend` in configurations: whose word holds, from where paths are seen, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify_py.project.config import read_config
from hipify_py.project.config_inheritance import MOST_FILES
from hipify_py.project.toml import ConfigError


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """The top of a repository with a package in it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "pkg").mkdir()
    return tmp_path


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)


def refused(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        read_config(str(path))
    return str(caught.value)


def test_this_file_comes_over_the_one_that_it_extends(top: Path) -> None:
    write(top, base='rocm = "6.4"\nlaunch = "chevron"\ninclude = ["*.cu"]\n')
    write(top / "pkg", own='extend = "../base.toml"\nrocm = "7.0"\ninclude = ["*.inc"]\n')
    config = read_config(str(top / "pkg" / "own.toml"))
    assert config.values == {"rocm": "7.0", "launch": "chevron", "include": ["*.inc"]}
    assert config.path == str(top / "pkg" / "own.toml")
    assert (config.where("rocm"), config.where("launch")) == (config.path, str(top / "base.toml"))


def test_later_ones_of_a_list_come_over_earlier_ones(top: Path) -> None:
    write(top, one='rocm = "6.1"\ncuda = "11.8"\n', two='rocm = "6.2"\n', own='extend = ["one.toml", "two.toml"]\n')
    assert read_config(str(top / "own.toml")).values == {"rocm": "6.2", "cuda": "11.8"}
    write(top, own='extend = ["two.toml", "one.toml"]\n')
    assert read_config(str(top / "own.toml")).values == {"rocm": "6.1", "cuda": "11.8"}


def test_files_extend_files(top: Path) -> None:
    write(top, a='rocm = "6.1"\ncuda = "11.8"\ntarget = "roc"\n', b='extend = "a.toml"\nrocm = "6.2"\n')
    write(top, c='extend = "b.toml"\ntarget = "hip"\n')
    assert read_config(str(top / "c.toml")).values == {"rocm": "6.2", "cuda": "11.8", "target": "hip"}


def test_one_file_may_be_extended_twice(top: Path) -> None:
    write(top, base='extend-select = ["HIP1"]\n', one='extend = "base.toml"\nextend-select = ["HIP2"]\n')
    write(top, two='extend = "base.toml"\nrocm = "6.2"\n', own='extend = ["one.toml", "two.toml"]\n')
    assert read_config(str(top / "own.toml")).values == {"extend-select": ["HIP1", "HIP2"], "rocm": "6.2"}


@pytest.mark.parametrize("key", ["extend-select", "extend-ignore"])
def test_lists_that_extend_are_added(top: Path, key: str) -> None:
    write(top, base=f'{key} = ["HIP1", "HIP2"]\n', own=f'extend = "base.toml"\n{key} = ["HIP2", "HIP3"]\n')
    assert read_config(str(top / "own.toml")).values == {key: ["HIP1", "HIP2", "HIP3"]}


@pytest.mark.parametrize(
    ("key", "base", "own"),
    [
        ("select", '["HIP1"]', '["HIP2"]'),
        ("ignore", '["HIP1"]', "[]"),
        ("exclude", '["a/"]', '["b/"]'),
        ("preset", '["pytorch"]', "[]"),
        ("per-file-ignores", '{"a/" = ["HIP1"]}', '{"b/" = ["HIP2"]}'),
        ("no-support", "true", "false"),
    ],
)
def test_other_values_are_replaced(top: Path, key: str, base: str, own: str) -> None:
    write(top, alone=f"{key} = {own}\n", base=f"{key} = {base}\n", own=f'extend = "base.toml"\n{key} = {own}\n')
    assert read_config(str(top / "own.toml")).values == read_config(str(top / "alone.toml")).values


def test_tables_of_settings_are_taken_entry_by_entry(top: Path) -> None:
    write(top, base='fail-under = 90\nseverity = {HIP3 = "note", HIP1 = "note"}\nmax-effort = {high = 1, low = 5}\n')
    write(top, own='extend = "base.toml"\nfail-under = {cublas = 100}\nseverity.HIP3 = "error"\nmax-effort.high = 0\n')
    assert read_config(str(top / "own.toml")).values == {
        "fail-under": {"total": 90, "cublas": 100},
        "severity": {"HIP3": "error", "HIP1": "note"},
        "max-effort": {"high": 0, "low": 5},
    }
    write(top, own='extend = "base.toml"\nfail-under = 95\n')
    assert read_config(str(top / "own.toml")).values["fail-under"] == {"total": 95}


@pytest.mark.parametrize(("base", "own"), [("fix", "no-fix"), ("no-fix", "fix")])
def test_the_nearer_word_on_a_family_of_fixes_holds(top: Path, base: str, own: str) -> None:
    write(top, base=f'{base} = ["wavefront", "warp-size"]\n')
    write(top, own=f'extend = "base.toml"\n{own} = ["wavefront"]\n')
    assert read_config(str(top / "own.toml")).values == {base: ["warp-size"], own: ["wavefront"]}


def test_paths_are_seen_from_the_file_that_names_them(top: Path) -> None:
    (top / "tables").mkdir()
    (top / "tables" / "t.yaml").write_text("")
    write(top, base='mappings = ["tables/t.yaml"]\nbaseline = "known.jsonl"\nper-file-ignores = {"pkg/" = ["HIP1"]}\n')
    write(top / "pkg", own='extend = "../base.toml"\n')
    config = read_config(str(top / "pkg" / "own.toml"))
    assert config.values["mappings"] == [str(top / "tables" / "t.yaml")]
    assert config.values["baseline"] == str(top / "known.jsonl")
    assert [set_value.folder for set_value in config.set_values["per-file-ignores"]] == [str(top)]


def test_names_are_seen_from_the_file_that_extends(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (top / "pkg" / "deep").mkdir()
    write(top, base='extend = "pkg/middle.toml"\n')
    write(top / "pkg", middle='rocm = "6.2"\n', other="")
    write(top / "pkg" / "deep", own='extend = "../../base.toml"\n')
    monkeypatch.chdir(top / "pkg")
    assert read_config("deep/own.toml").values == {"rocm": "6.2"}


def test_a_shared_file_is_extended_by_its_section(top: Path) -> None:
    (top / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.hipify-py]\nrocm = "6.2"\n')
    write(top / "pkg", own='extend = "../pyproject.toml"\n')
    assert read_config(str(top / "pkg" / "own.toml")).values == {"rocm": "6.2"}
    (top / "pkg" / "pyproject.toml").write_text('[tool.hipify-py]\nextend = "own.toml"\ncuda = "12.4"\n')
    assert read_config(str(top / "pkg" / "pyproject.toml")).values == {"rocm": "6.2", "cuda": "12.4"}


def test_nothing_is_expanded(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(top))
    write(top, base="", own='extend = "~/base.toml"\n')
    assert "own.toml: extend: ~/base.toml: No such file" in refused(top / "own.toml")
    write(top, own='extend = "$HOME/base.toml"\n')
    assert "own.toml: extend: $HOME/base.toml: No such file" in refused(top / "own.toml")


# -- what is refused


def test_a_file_that_extends_itself_is_refused(top: Path) -> None:
    write(top, own='extend = "own.toml"\n')
    assert refused(top / "own.toml") == f"{top}/own.toml: extend: own.toml: extends itself"
    write(top, a='extend = "b.toml"\n', b='extend = "c.toml"\n', c='extend = "a.toml"\n')
    assert refused(top / "a.toml") == f"{top}/c.toml: extend: a.toml: extends itself through {top}/c.toml"


def test_a_loop_through_a_link_is_one(top: Path) -> None:
    (top / "link.toml").symlink_to("own.toml")
    write(top, own='extend = "link.toml"\n')
    assert "extends itself" in refused(top / "own.toml")


def test_too_many_files_are_refused(top: Path) -> None:
    for number in range(MOST_FILES + 1):
        write(top, **{f"c{number}": f'extend = "c{number + 1}.toml"\n'})
    write(top, **{f"c{MOST_FILES + 1}": 'rocm = "6.2"\n'})
    assert f"the configuration extends more than {MOST_FILES} files" in refused(top / "c1.toml")
    assert read_config(str(top / "c2.toml")).values == {"rocm": "6.2"}


def test_a_wide_tree_of_files_is_refused_soon(top: Path) -> None:
    """Each names the next one twice: 2**60 in all."""
    for number in range(60):
        write(top, **{f"c{number}": f'extend = ["c{number + 1}.toml", "c{number + 1}.toml"]\n'})
    write(top, c60="")
    assert f"more than {MOST_FILES} files" in refused(top / "c0.toml")


def test_a_file_outside_the_repository_is_refused(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    write(tmp_path, secret='token = "hunter2"\n')
    (repository / "link.toml").symlink_to("../secret.toml")
    for name in ("../secret.toml", str(tmp_path / "secret.toml"), "link.toml"):
        write(repository, own=f'extend = "{name}"\n')
        message = refused(repository / "own.toml")
        assert f"own.toml: extend: {name}: is outside {repository}" in message
        assert "token" not in message


def test_without_a_repository_the_search_goes_further(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    write(tmp_path, base='rocm = "6.2"\n')
    write(tmp_path / "below", own='extend = "../base.toml"\n')
    assert read_config(str(tmp_path / "below" / "own.toml")).values == {"rocm": "6.2"}


def test_a_wrong_file_is_named_with_the_one_that_extends_it(top: Path) -> None:
    write(top, base="rocm = 6\n", own='extend = "base.toml"\n')
    message = refused(top / "own.toml")
    assert message.startswith(f"{top}/base.toml: rocm must be a version")
    assert message.endswith(f" (extended by {top}/own.toml)")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("3", "extend must be a file name, or a list of file names, not 3"),
        ("true", "extend must be"),
        ('""', "extend must be"),
        ('["a.toml", 3]', "extend must be"),
        ('"a\\u0000b"', "extend must be"),
        ("{file = 'a'}", "extend must be"),
        ('"missing.toml"', "extend: missing.toml: No such file"),
        ('"' + "x/" * 3000 + '"', "File name too long"),
    ],
)
def test_a_wrong_name_is_refused(top: Path, value: str, message: str) -> None:
    write(top, own=f"extend = {value}\n")
    assert f"{top}/own.toml: " in refused(top / "own.toml")
    assert message in refused(top / "own.toml")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners are a matter of POSIX")
def test_a_file_of_another_user_is_refused(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changing owners takes root; elsewhere the owners are feigned."""
    write(top, base='rocm = "6.2"\n', own='extend = "base.toml"\n')
    monkeypatch.setattr("hipify_py.project.config_inheritance.trusted_owners", lambda folder: {os.geteuid() + 77})
    assert refused(top / "own.toml") == f"{top}/own.toml: extend: base.toml: belongs to another user"
