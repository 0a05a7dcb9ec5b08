"""Configuration that is hostile or another user's: a clear error, or not read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from hipify_py.project.discovery import EVERYTHING
from hipify_py.project.find_config import Found, find_config
from hipify_py.project.nested_configs import nested_configs
from hipify_py.project.toml import parse
from tests.cli.test_targeting_options import SOURCE, hipify, project
from tests.growth import assert_linear

__all__ = ["project"]


def test_a_configuration_that_is_no_file_is_refused(project: Path) -> None:
    os.mkfifo(project / "hipify-py.toml")
    run = hipify(project, "check", "a.cu")
    assert (run.returncode, "hipify-py.toml: not a regular file" in run.stderr) == (2, True), run.stderr


def test_a_table_that_is_no_file_is_refused(project: Path) -> None:
    os.mkfifo(project / "pipe.yaml")
    run = hipify(project, "check", "--mappings", "pipe.yaml", "a.cu")
    assert (run.returncode, "pipe.yaml: not a regular file" in run.stderr) == (2, True), run.stderr


@pytest.mark.parametrize("text", ["tool = 3\n", "[tool]\nhipify-py = 3\n", "tool = 3\n# [tool.hipify-py]\n"])
def test_a_shared_file_of_another_form_is_refused_where_it_is_ours(project: Path, text: str) -> None:
    (project / "pyproject.toml").write_text(text)
    named = hipify(project, "--config", "pyproject.toml", "check", "a.cu")
    assert (named.returncode, " is not a table" in named.stderr) == (2, True), named.stderr
    found = hipify(project, "check", "a.cu")
    assert found.returncode == (0 if "hipify-py" not in text else 2), found.stderr


def test_a_shared_file_that_only_requires_the_program_holds_no_configuration(project: Path) -> None:
    (project / "hipify-py.toml").write_text('rocm = "6.4"\n')
    below = project / "below"
    below.mkdir()
    (below / "a.cu").write_text(SOURCE)
    (below / "pyproject.toml").write_text('[project]\ndependencies = ["hipify-py"]\n')
    assert "hipblasCaxpy_v2" in hipify(below, "convert", "--stdout", "a.cu").stdout
    (below / "pyproject.toml").write_text('[tool]\nhipify-py.rocm = "7.1"\n')
    assert "hipblasCaxpy_v2" not in hipify(below, "convert", "--stdout", "a.cu").stdout


def test_the_search_begins_at_each_path_and_ends_with_the_repository(project: Path) -> None:
    (project / "hipify-py.toml").write_text('rocm = "6.4"\n')
    for name in ("one", "two"):
        (project / name).mkdir()
        (project / name / "a.cu").write_text(SOURCE)
    (project / "two" / ".git").mkdir()
    elsewhere = project / "one"
    assert "hipblasCaxpy_v2" in hipify(elsewhere, "convert", "--stdout", "../one/a.cu").stdout
    assert "hipblasCaxpy_v2" not in hipify(elsewhere, "convert", "--stdout", "../two/a.cu").stdout
    both = hipify(project, "convert", "--diff", "one", "two").stdout
    assert [name in both for name in ("+void f(hipblasHandle_t", "hipblasCaxpy_v2(", "hipblasCaxpy(")] == [True] * 3
    (project / "two" / "hipify-py.toml").write_text('rocm = "6.4"\n')
    assert "hipblasCaxpy_v2" in hipify(project, "convert", "--stdout", "two/a.cu").stdout


def test_the_search_ends_with_the_home_folder(project: Path) -> None:
    (project / "hipify-py.toml").write_text('rocm = "6.4"\n')
    (project / "home" / "below").mkdir(parents=True)
    (project / "home" / "below" / "a.cu").write_text(SOURCE)
    command = [sys.executable, "-m", "hipify_py", "convert", "--stdout", "home/below/a.cu"]
    for home, is_found in ((project / "home", False), (project / "other", True)):
        environment = {**os.environ, "HOME": str(home)}
        run = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=True)
        assert ("hipblasCaxpy_v2" in run.stdout) is is_found


def test_a_file_above_of_another_user_is_not_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changing owners takes root; elsewhere the owners are feigned."""
    (project / "below").mkdir()
    config = project / "hipify-py.toml"
    config.write_text('rocm = "6.4"\n')
    lstat, users = os.lstat, os.geteuid()

    def owned(path: str, *arguments: object) -> object:
        status = lstat(path)
        return SimpleNamespace(st_uid=users + 77) if path == str(config) else status

    monkeypatch.setattr(os, "lstat", owned)
    assert find_config(str(project / "below")) == Found(None, (str(config),))
    monkeypatch.undo()
    assert find_config(str(project / "below")) == Found(str(config))


def test_one_below_of_another_user_is_not_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "below").mkdir()
    config = project / "below" / "hipify-py.toml"
    config.write_text('rocm = "6.4"\n')
    lstat, users = os.lstat, os.geteuid()
    assert nested_configs(str(project), EVERYTHING) == ([(str(project / "below"), str(config))], [])

    def owned(path: str, *arguments: object) -> object:
        return SimpleNamespace(st_uid=users + 77) if path == str(config) else lstat(path)

    monkeypatch.setattr(os, "lstat", owned)
    assert nested_configs(str(project), EVERYTHING) == ([], [str(config)])


def test_too_many_configurations_are_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from hipify_py.cli import by_configuration
    from hipify_py.cli.main import run

    for number in range(5):
        (project / f"p{number}").mkdir()
        (project / f"p{number}" / "hipify-py.toml").write_text("")
    monkeypatch.chdir(project)
    monkeypatch.setattr(by_configuration, "MOST_SHARES", 6)
    assert run(["check", "-q", "."]) == 0
    monkeypatch.setattr(by_configuration, "MOST_SHARES", 5)
    assert run(["check", "-q", "."]) == 2
    assert "more than 5 configurations; choose one for all with --config" in capfd.readouterr().err


HOSTILE = {
    "a device": ("/dev/zero", None, "is outside"),
    "a pipe": ("pipe", os.mkfifo, "not a regular file"),
    "a folder": ("folder", os.mkdir, "not a regular file"),
    "a binary file": ("binary", lambda path: Path(path).write_bytes(bytes(range(256))), "can't decode byte"),
    "another language": ("other", lambda path: Path(path).write_text("rocm: 6.4\n"), "Expected '='"),
    "deep nesting": ("deep", lambda path: Path(path).write_text("a = " + "[" * 20_000), "nested too deeply"),
    "a huge file": ("huge", lambda path: Path(path).write_bytes(b"#" * (1 << 20) + b"\n"), "larger than"),
    "many names": (
        "many",
        lambda path: Path(path).write_text(f"extend = {['own.toml'] * 20_000}\n"),
        "extends itself through",
    ),
    "a name of a terminal's command": ("\\u001b]0;x\\u0007", None, "No such file"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_a_hostile_configuration_extends_is_refused(project: Path, what: str) -> None:
    name, make, message = HOSTILE[what]
    (project / ".git").mkdir()
    if make is not None:
        make(str(project / name))
    (project / "hipify-py.toml").write_text(f'extend = "{name}"\n')
    (project / "own.toml").write_text('extend = "many"\n')
    run = hipify(project, "check", "a.cu")
    assert (run.returncode, message in run.stderr, "Traceback" in run.stderr) == (2, True, False), run.stderr
    assert "hipify-py.toml" in run.stderr or "own.toml" in run.stderr
    assert "\x1b" not in run.stderr
    assert len(run.stderr) < 1000


def test_a_pattern_that_is_none_does_not_stop_a_run(project: Path) -> None:
    (project / ".git").mkdir()
    (project / ".gitignore").write_text("!\nb.cu\n")
    (project / "b.cu").write_text("void f() { cudaNotYetKnown(); }\n")
    run = hipify(project, "check", "-v", ".")
    assert (run.returncode, "b.cu: ignored by .gitignore" in run.stderr) == (0, True), run.stderr


FORMS = ["{} = 1\n", "[{}]\nb = 1\n", "b = {{ {} = 1 }}\n", "b = [{{c = 1, {} = 1}}]\n"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("part", ["a", '"a.b"', "'a'", "a "])
def test_the_time_to_read_a_key_grows_with_it(form: str, part: str) -> None:
    assert_linear(parse, lambda count: form.format(".".join([part] * count)).encode(), 1000)


@pytest.mark.parametrize("form", FORMS)
def test_a_key_of_a_hundred_parts_is_read_as_it_is(form: str) -> None:
    value: object = parse(form.format(".".join(f"a{number}" for number in range(100))).encode())
    for number in range(100):
        while isinstance(value, dict) and "b" in value:
            value = value["b"]
        value = value[0] if isinstance(value, list) else value
        assert isinstance(value, dict)
        value = value[f"a{number}"]
    assert value in (1, {"b": 1})


def test_the_time_to_read_a_configuration_grows_with_it() -> None:
    assert_linear(parse, _keys, 500)


def _keys(count: int) -> bytes:
    return b"".join(b"k%d.a = ',{[a.b'\n" % number for number in range(count))
