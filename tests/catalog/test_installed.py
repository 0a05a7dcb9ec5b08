"""Which ROCm is installed, and what a run goes by where nobody says."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hipify_py.catalog import installed
from hipify_py.catalog.installed import (
    Installed,
    default_rocm,
    installed_rocm,
    parse_cuda_version,
    parse_rocm_version,
    read_version,
)
from hipify_py.core.targeting import NEWEST_ROCM


@pytest.fixture(autouse=True)
def nothing_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What this machine has is out of sight."""
    monkeypatch.setattr(installed, "_OPT", str(tmp_path / "opt"))
    monkeypatch.setattr(installed, "_SYSTEM", str(tmp_path / "usr"))


def put(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


HEADER = (
    "#ifndef X\n#define HIP_VERSION_MAJOR 7\n#define HIP_VERSION_MINOR 1\n#define HIP_VERSION_PATCH 25424\n#endif\n"
)


@pytest.mark.parametrize(
    ("name", "text", "version"),
    [
        (".info/version", "6.4.1-83\n", "6.4"),
        (".info/version", "7.0.0", "7.0"),
        (".info/version", "10.2.0-1\n", "10.2"),
        ("include/hip/hip_version.h", HEADER, "7.1"),
        ("share/hip/version", "# made\nHIP_VERSION_MAJOR=5\nHIP_VERSION_MINOR=2\nHIP_VERSION_PATCH=21153\n", "5.2"),
        ("bin/.hipVersion", "HIP_VERSION_MAJOR=5\nHIP_VERSION_MINOR=7\n", "5.7"),
        (".info/version", "", ""),
        (".info/version", "unknown\n", ""),
        (".info/version", "6\n", ""),
        ("include/hip/hip_version.h", "#define HIP_VERSION_MAJOR 7\n", ""),
        ("include/hip/hip_version.h", "#define HIP_VERSION_MAJOR major()\n#define HIP_VERSION_MINOR 1\n", ""),
        ("share/hip/version", "\udcff\x00", ""),
    ],
)
def test_a_prefix_tells_its_version(tmp_path: Path, name: str, text: str, version: str) -> None:
    path = put(tmp_path / "rocm" / name)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert read_version(str(tmp_path / "rocm")) == version


def test_rocms_own_file_says_more_than_hips(tmp_path: Path) -> None:
    put(tmp_path / "rocm/.info/version", "6.4.3\n")
    put(tmp_path / "rocm/include/hip/hip_version.h", HEADER)
    assert read_version(str(tmp_path / "rocm")) == "6.4"


def test_what_is_no_file_tells_nothing(tmp_path: Path) -> None:
    (tmp_path / "rocm/.info/version").mkdir(parents=True)
    assert read_version(str(tmp_path / "rocm")) == ""


def test_the_environment_comes_first_then_the_path_then_the_usual_places(tmp_path: Path) -> None:
    places = {name: tmp_path / name for name in ("one", "two", "three", "opt/rocm", "opt/rocm-6.3.1", "usr")}
    for number, place in enumerate(places.values()):
        put(place / ".info/version", f"6.{number}.0\n")
    program = put(tmp_path / "three/bin/hipconfig")
    program.chmod(0o755)
    environment = {"ROCM_PATH": str(places["one"]), "HIP_PATH": str(places["two"]), "PATH": str(program.parent)}
    for name in ("ROCM_PATH", "HIP_PATH", "PATH"):
        expected = {"ROCM_PATH": "one", "HIP_PATH": "two", "PATH": "three"}[name]
        assert installed_rocm(environment) == Installed(read_version(str(places[expected])), str(places[expected]))
        del environment[name]
    for name in ("opt/rocm", "opt/rocm-6.3.1", "usr"):
        assert installed_rocm({}) == Installed(read_version(str(places[name])), str(places[name]))
        (places[name] / ".info/version").unlink()
    assert installed_rocm({}) is None


def test_of_several_versions_the_highest_is_taken(tmp_path: Path) -> None:
    for name in ("rocm-6.4.1", "rocm-10.0.0", "rocm-7.2.0", "rocm-afar-9001"):
        put(tmp_path / "opt" / name / ".info/version", name.removeprefix("rocm-"))
    assert installed_rocm({}) == Installed("10.0", str(tmp_path / "opt/rocm-10.0.0"))


def test_a_hipconfig_that_is_a_link_leads_to_its_rocm(tmp_path: Path) -> None:
    put(tmp_path / "rocm-6.2/.info/version", "6.2.4\n")
    put(tmp_path / "rocm-6.2/bin/hipconfig")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/hipconfig").symlink_to(tmp_path / "rocm-6.2/bin/hipconfig")
    assert installed_rocm({"PATH": str(tmp_path / "bin")}) == Installed("6.2", str(tmp_path / "rocm-6.2"))


def test_a_folder_that_tells_nothing_is_passed_over(tmp_path: Path) -> None:
    put(tmp_path / "hip/.info/version", "6.1.0\n")
    found = installed_rocm({"ROCM_PATH": str(tmp_path / "nowhere"), "HIP_PATH": str(tmp_path / "hip")})
    assert found == Installed("6.1", str(tmp_path / "hip"))


def test_relative_folders_of_path_are_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "tree/bin/hipconfig")
    put(tmp_path / "tree/.info/version", "6.1.0\n")
    monkeypatch.chdir(tmp_path / "tree")
    assert installed_rocm({"PATH": f"bin{os.pathsep}."}) is None


def test_the_default_says_where_it_comes_from(tmp_path: Path) -> None:
    assert default_rocm({}).version == ""
    assert default_rocm({}).why == f"ROCm {NEWEST_ROCM}, the newest, because none is installed (choose with --rocm)"
    put(tmp_path / "opt/rocm/.info/version", "6.4.3\n")
    assert default_rocm({}).version == "6.4"
    assert default_rocm({}).why == f"ROCm 6.4, installed in {tmp_path}/opt/rocm (choose with --rocm)"


def test_one_that_is_too_old_is_taken_for_the_oldest_known(tmp_path: Path) -> None:
    put(tmp_path / "opt/rocm/.info/version", "4.5.2\n")
    found = default_rocm({})
    assert found.version == "5.2"
    assert "the oldest supported, because 4.5 is installed in" in found.why


def test_one_that_is_too_new_is_taken_for_the_newest_known(tmp_path: Path) -> None:
    put(tmp_path / "opt/rocm/.info/version", "99.1.0\n")
    found = default_rocm({})
    assert found.version == NEWEST_ROCM
    assert "the newest supported, because 99.1 is installed in" in found.why


def test_what_a_distribution_packages_is_not_the_default(tmp_path: Path) -> None:
    put(tmp_path / "usr/share/hip/version", "HIP_VERSION_MAJOR=5\nHIP_VERSION_MINOR=2\n")
    program = put(tmp_path / "usr/bin/hipconfig")
    found = default_rocm({"PATH": str(program.parent)})
    assert found.version == ""
    assert f"the newest; the distribution's ROCm 5.2 in {tmp_path}/usr is not considered" in found.why
    assert default_rocm({"ROCM_PATH": str(tmp_path / "usr")}).version == "5.2"
    put(tmp_path / "opt/rocm/.info/version", "6.4.3\n")
    assert default_rocm({"PATH": str(program.parent)}).version == "6.4"


def test_the_environment_may_say_it(tmp_path: Path) -> None:
    put(tmp_path / "opt/rocm/.info/version", "6.4.3\n")
    assert default_rocm({"HIPIFY_PY_ROCM": "7.1.1"})[:2] == ("7.1", "")
    assert default_rocm({"HIPIFY_PY_ROCM": "newest"})[:2] == ("", "")
    for wrong in ("7", "latest", "4.5", "99.0"):
        with pytest.raises(ValueError, match=wrong):
            default_rocm({"HIPIFY_PY_ROCM": wrong})


def test_versions_as_they_are_known() -> None:
    assert (parse_rocm_version("6.4.1"), parse_rocm_version("newest")) == ("6.4", "")
    assert (parse_cuda_version("12.6.1"), parse_cuda_version("newest")) == ("12.6", "")


@pytest.mark.parametrize("parse", [parse_rocm_version, parse_cuda_version])
def test_a_version_that_does_not_exist_is_refused(parse: Callable[[str], str]) -> None:
    with pytest.raises(ValueError, match=r"99\.0 is newer than"):
        parse("99.0")
