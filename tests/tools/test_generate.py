"""One command writes all generated files, and one check finds a stale one."""

from __future__ import annotations

import sys
from pathlib import Path

import generate as tool
import pytest

from tools.tables.generated import write

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("words", tool.GENERATORS)
def test_each_generator_is_there(words: tuple[str, ...]) -> None:
    if words[0] != "-m":
        assert "--check" in (REPOSITORY / words[0]).read_text(encoding="utf-8")


def test_only_stale_files_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {tmp_path / "fresh": "a", tmp_path / "stale": "b", tmp_path / "new": "c"}
    (tmp_path / "fresh").write_text("a")
    (tmp_path / "stale").write_text("old")
    monkeypatch.setattr(sys, "argv", ["update.py", "--check"])
    with pytest.raises(SystemExit, match=r"stale: stale and new; run update\.py"):
        write(files)
    monkeypatch.setattr(sys, "argv", ["update.py"])
    write(files)
    assert {path: path.read_text() for path in files} == files
    monkeypatch.setattr(sys, "argv", ["update.py", "--check"])
    write(files)


def test_a_stale_file_fails_the_check_and_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale, fresh = tmp_path / "stale.py", tmp_path / "fresh.py"
    stale.write_text("import sys; sys.exit('--check' in sys.argv)")
    fresh.write_text(f"import pathlib; pathlib.Path({str(tmp_path / 'ran')!r}).touch()")
    monkeypatch.setattr(tool, "GENERATORS", ((str(stale),), (str(fresh),)))
    assert tool.main(["--check"]) == 1
    assert (tmp_path / "ran").exists()
    assert tool.main([]) == 0
