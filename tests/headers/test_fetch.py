"""Fetching sets from an index: whole, as published, in one rename."""

from __future__ import annotations

import os
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from hipify_py.headers import wheels
from hipify_py.headers.fetch import FetchError, Step, digest_of, is_complete
from hipify_py.headers.fetch import fetch as checked
from hipify_py.headers.index import Index
from hipify_py.headers.sets import (
    FOR_PARSING,
    LICENCES,
    TITLES,
    HeaderSet,
    SetError,
    digests,
    for_parsing,
    header_sets,
    nearest,
)

from .conftest import LocalIndex

fetch = partial(checked, unpinned=True)
"""Most of these wheels are of no known checksum."""

SET = HeaderSet("cuda-1.0", "cuda", "1.0", {"nv-one": {"version": "1.0"}, "nv-two": {"version": "2.0"}})
ONE = {"nvidia/one/include/one.h": "int one;\n", "nvidia/one/lib/one.so": bytes(300_000)}
TWO = {
    "nvidia/two/include/sub/two.h": "int two;\n" * 100,
    "nv_two-2.0.dist-info/License.txt": "all yours\n",
    "nv_two-2.0.dist-info/METADATA": "Name: nv-two\n",
}
PLACES = {"include/one.h", "include/sub/two.h", "licences/nv_two-2.0/License.txt"}


@pytest.fixture
def filled(index: LocalIndex) -> LocalIndex:
    index.add("nv-one", "1.0", ONE)
    index.add("nv-two", "1.9", {"nvidia/two/include/old.h": ""})
    index.add("nv-two", "2.0", TWO)
    return index


def placed(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_headers_and_licences_are_taken_and_nothing_else(filled: LocalIndex, tmp_path: Path) -> None:
    folder = tmp_path / "sets" / SET.name
    steps = list(fetch(SET, folder, filled.index))
    assert steps == [Step("nv-one", "1.0", 1, 2, 9, False), Step("nv-two", "2.0", 2, 2, 910, False)]
    assert placed(folder) == PLACES | {".complete"}
    assert (folder / "include/sub/two.h").read_text() == "int two;\n" * 100
    assert is_complete(SET, folder)
    assert os.listdir(tmp_path / "sets") == [SET.name]
    sent = sum(len(filled.files[path]) for path, _ in filled.asked)
    assert sent > 0


def test_a_set_that_is_there_is_left_alone(filled: LocalIndex, tmp_path: Path) -> None:
    list(fetch(SET, tmp_path / "s", filled.index))
    filled.asked.clear()
    assert list(fetch(SET, tmp_path / "s", filled.index)) == []
    assert filled.asked == []


def test_a_set_of_other_wheels_takes_the_place_of_the_one_before(filled: LocalIndex, tmp_path: Path) -> None:
    list(fetch(SET, tmp_path / "s", filled.index))
    newer = SET._replace(wheels={"nv-one": {"version": "1.0"}})
    assert not is_complete(newer, tmp_path / "s")
    list(fetch(newer, tmp_path / "s", filled.index))
    assert placed(tmp_path / "s") == {"include/one.h", ".complete"}
    assert os.listdir(tmp_path) == ["s"]


def test_what_comes_later_in_a_set_wins(index: LocalIndex, tmp_path: Path) -> None:
    index.add("it", "1", {"it/include/a.h": "old", "it/include/b.h": "old"})
    index.add("it", "2", {"it/include/a.h": "new"})
    both = HeaderSet(
        "hip-1", "hip", "1", {"old": {"project": "it", "version": "1"}, "new": {"project": "it", "version": "2"}}
    )
    assert [step.project for step in fetch(both, tmp_path / "s", index.index)] == ["it", "it"]
    assert (tmp_path / "s/include/a.h").read_text() == "new"
    assert (tmp_path / "s/include/b.h").read_text() == "old"


def test_a_wheel_without_a_checksum_is_taken_on_request_alone(filled: LocalIndex, tmp_path: Path) -> None:
    known = {"nv-one": digest_of({"include/one.h": b"int one;\n"})}
    with pytest.raises(FetchError, match="no checksum is known for nv-two, so it is not fetched"):
        list(checked(SET, tmp_path / "s", filled.index, known))
    assert filled.asked == []
    assert os.listdir(tmp_path) == []
    steps = checked(SET, tmp_path / "s", filled.index, known, unpinned=True)
    assert [(step.project, step.pinned) for step in steps] == [("nv-one", True), ("nv-two", False)]


def test_a_stamp_that_is_no_text_is_that_of_no_set(filled: LocalIndex, tmp_path: Path) -> None:
    list(fetch(SET, tmp_path / "s", filled.index))
    (tmp_path / "s" / ".complete").write_bytes(b"\xff\xfe")
    assert not is_complete(SET, tmp_path / "s")
    list(fetch(SET, tmp_path / "s", filled.index))
    assert is_complete(SET, tmp_path / "s")


def fails(index: LocalIndex, tmp_path: Path, expected: dict[str, str] | None = None) -> str:
    """What the fetch says when it fails; nothing is left behind, and what was there before stays."""
    before = tmp_path / "s" / "before.h"
    before.parent.mkdir()
    before.write_text("")
    with pytest.raises(FetchError) as caught:
        list(fetch(SET, tmp_path / "s", index.index, expected))
    assert os.listdir(tmp_path) == ["s"]
    assert placed(tmp_path / "s") == {"before.h"}
    return str(caught.value)


def test_a_wheel_with_another_checksum_is_not_taken(filled: LocalIndex, tmp_path: Path) -> None:
    files = {wheels.place_of(name): str(TWO[name]).encode() for name in [*TWO][:2]}
    right = {"nv-two": digest_of(files)}
    list(fetch(SET, tmp_path / "right", filled.index, right))
    (tmp_path / "right").rename(tmp_path.parent / f"{tmp_path.name}-right")
    files["include/sub/two.h"] += b" "
    assert "nv-two 2.0: the index has a different file than was published" in fails(
        filled, tmp_path, {"nv-two": digest_of(files)}
    )


def test_a_truncated_wheel_is_damaged(filled: LocalIndex, tmp_path: Path) -> None:
    path = "/files/nv_one-1.0-py3-none-any.whl"
    filled.files[path] = filled.files[path][: len(filled.files[path]) // 2]
    assert fails(filled, tmp_path).startswith("nv-one 1.0: ")


def test_a_wheel_that_changes_under_its_directory_is_damaged(filled: LocalIndex, tmp_path: Path) -> None:
    path = "/files/nv_one-1.0-py3-none-any.whl"
    data = filled.files[path]
    filled.files[path] = data[:40] + bytes(20) + data[60:]
    assert fails(filled, tmp_path) == "nv-one 1.0: nvidia/one/include/one.h: the archive is damaged"


def test_a_name_that_leads_out_of_the_folder_is_refused(index: LocalIndex, tmp_path: Path) -> None:
    index.add("nv-one", "1.0", {"x/include/../../../../evil.h": "int evil;\n"})
    index.add("nv-two", "2.0", TWO)
    assert "contains a path outside itself" in fails(index, tmp_path)
    assert not (tmp_path.parent / "evil.h").exists()


def test_what_unpacks_to_more_than_headers_ever_did_is_refused(
    filled: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels, "LARGEST_MEMBER", 100)
    assert fails(filled, tmp_path) == (
        "nv-two 2.0: nvidia/two/include/sub/two.h: too large for headers, so it was not unpacked"
    )


def test_the_sum_of_a_wheels_members_is_limited(
    filled: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels, "LARGEST_WHEEL", 905)
    assert "it was not unpacked" in fails(filled, tmp_path)


def test_an_index_that_serves_no_parts_is_told_from_one_that_is_down(filled: LocalIndex, tmp_path: Path) -> None:
    filled.serves_parts = False
    assert fails(filled, tmp_path).startswith("nv-one 1.0: the index does not serve parts of files")


def test_a_wheel_that_the_index_has_not(index: LocalIndex, tmp_path: Path) -> None:
    index.add("nv-one", "1.0", ONE)
    assert fails(index, tmp_path) == "nv-two 2.0: the index has no such project"


def test_a_version_that_the_index_has_not(index: LocalIndex, tmp_path: Path) -> None:
    index.add("nv-one", "1.0", ONE)
    index.add("nv-two", "1.9", TWO)
    assert fails(index, tmp_path) == "nv-two 2.0: the index has no wheel of that version for Linux on x86-64"


def test_an_index_that_refuses(filled: LocalIndex, tmp_path: Path) -> None:
    filled.answers["/simple/nv-one/"] = 403
    assert fails(filled, tmp_path) == "nv-one 1.0: the index cannot be read: it answers 403 Forbidden"


def test_offline(index: LocalIndex, tmp_path: Path) -> None:
    index.server.server_close()
    with pytest.raises(FetchError, match=r"nv-one 1\.0: the index cannot be read: there is no connection"):
        list(fetch(SET, tmp_path / "s", Index((index.url,), patience=1)))
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(filled: LocalIndex, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        list(fetch(SET, tmp_path / "s", filled.index))


def test_a_file_in_place_of_the_folder_is_an_error_of_the_system(filled: LocalIndex, tmp_path: Path) -> None:
    (tmp_path / "sets").write_text("")
    with pytest.raises(OSError):
        list(fetch(SET, tmp_path / "sets" / "s", filled.index))


def test_a_run_that_is_stopped_leaves_nothing(filled: LocalIndex, tmp_path: Path) -> None:
    steps = fetch(SET, tmp_path / "s", filled.index)
    next(steps)
    assert len(os.listdir(tmp_path)) == 1
    steps.close()
    assert os.listdir(tmp_path) == []


def test_what_a_killed_run_has_left_goes_when_it_is_old(filled: LocalIndex, tmp_path: Path) -> None:
    for name in (".old.0.new", ".young.0.new"):
        (tmp_path / name / "include").mkdir(parents=True)
    long_ago = time.time() - 100_000
    os.utime(tmp_path / ".old.0.new", (long_ago, long_ago))
    list(fetch(SET, tmp_path / "s", filled.index))
    assert sorted(os.listdir(tmp_path)) == [".young.0.new", "s"]


def test_runs_at_once_do_not_disturb_each_other(filled: LocalIndex, tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            list(fetch(SET, tmp_path / "s", filled.index))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert placed(tmp_path / "s") == PLACES | {".complete"}
    assert os.listdir(tmp_path) == ["s"]


def test_the_sets_are_described_whole() -> None:
    sets = header_sets()
    assert {header_set.side for header_set in sets} == {"cuda", "rocm"}
    assert all(fields.get("version") for header_set in sets for fields in header_set.wheels.values())
    with pytest.raises(SetError, match="unknown header set nowhere-1"):
        header_sets(("nowhere-1",))


@pytest.mark.parametrize("side", FOR_PARSING)
def test_all_that_is_fetched_for_parsing_is_pinned(side: str) -> None:
    sets = for_parsing(side)
    assert len(sets) > 2
    for found in sets:
        assert found.name == f"{side}-{found.version}"
        assert digests()[found.name].keys() == found.wheels.keys(), "tools/update_header_digests.py"
        assert all(len(digest) == 64 for digest in digests()[found.name].values())
    assert LICENCES[side][1].startswith("https://")


def test_no_digest_is_out_of_date() -> None:
    assert set(digests()) == {found.name for side in FOR_PARSING for found in for_parsing(side)}


@pytest.mark.parametrize(
    ("side", "version", "name"),
    [
        ("cuda", "12.9", "cuda-12.9"),
        ("cuda", "12.4", "cuda-12.9"),
        ("cuda", "12", "cuda-12.9"),
        ("cuda", "11.2", "cuda-11.8"),
        ("clang", "18.1.1", "clang-18.1.8"),
        ("clang", "18", "clang-18.1.8"),
        ("clang", "22.1.9", "clang-22.1.1"),
        ("hip", "6.0", "hip-6.1"),
        ("hip", "6.4", "hip-6.2"),
        ("hip", "7.2", "hip-7.1"),
    ],
)
def test_the_nearest_set_of_a_version(side: str, version: str, name: str) -> None:
    assert nearest(side, version).name == name


@pytest.mark.parametrize(("side", "version"), [("cuda", "10.2"), ("cuda", "new"), ("clang", "12"), ("hip", "")])
def test_there_is_none_of_another_first_number(side: str, version: str) -> None:
    with pytest.raises(SetError, match=f"there are no headers of {TITLES[side]} {version}"):
        nearest(side, version)
