"""`survey --build`: repositories are converted and built, and the errors compared with the findings."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from hipify_py import Options
from hipify_py.core.targeting import Targeting
from hipify_py.survey.account import Account
from hipify_py.survey.build_record import (
    COMPILES,
    CONFIGURES,
    FAILS,
    FAILS_WITH_CUDA,
    LACKS,
    LINKS,
    NOTHING,
    UNTRIED,
    Build,
    BuildCause,
)
from hipify_py.survey.formats import load
from hipify_py.survey.job import Bounds, BuildSettings, Job
from hipify_py.survey.record import SOME, Record
from hipify_py.survey.survey import survey
from hipify_py.survey.targets import Target, targets
from hipify_py.survey.trial_build import build_folders
from tests.cli.conftest import Run, quickly  # noqa: F401

pytestmark = [
    pytest.mark.xdist_group("cluster"),
    pytest.mark.skipif(shutil.which("make") is None, reason="there is no make"),
]

HIPCC = """\
#!/bin/sh
# Makes a file that begins as an ELF file does: an object with -c, else a program. Repeats `SAY error` lines as errors.
type='\\002'
for word in "$@"; do
    case $word in
        -c) type='\\001' ;;
        *.cu) grep -n 'SAY' "$word" | sed "s|^\\([0-9]*\\):.*SAY \\(.*\\)|$PWD/$word:\\1:1: \\2|" >&2
              grep -q 'SAY error' "$word" && exit 1 ;;
    esac
done
for last in "$@"; do :; done
printf "\\177ELF\\002\\001\\001\\000\\000\\000\\000\\000\\000\\000\\000\\000$type\\000" > "$last"
"""

MAKEFILE = "all: app\napp: a.o\n\tnvcc a.o -o app\na.o: a.cu\n\tnvcc -c a.cu -o a.o\n"
PLAIN = "#include <cuda_runtime.h>\nvoid f(float *p) { cudaFree(p); }\n"
NO_COUNTERPART = (
    "#include <cuda_runtime.h>\nvoid f() { cudaGraphConditionalHandleCreate(0, 0); } // SAY error: no such name\n"
)
UNEXPECTED = PLAIN + "int x; // SAY error: use of 'rare'\nint y; // SAY error: 'zlib-of-ours.h' file not found\n"
LACKING = PLAIN + "int z; // SAY error: 'gtk/gtk.h' file not found\n"


@pytest.fixture
def rocm(tmp_path: Path) -> Path:
    place = tmp_path / "rocm"
    (place / "bin").mkdir(parents=True)
    (place / "bin/hipcc").write_text(HIPCC)
    (place / "bin/hipcc").chmod(0o755)
    (place / ".info").mkdir()
    (place / ".info/version").write_text("6.4.1\n")
    return place


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        place = root / name.replace("__", "/").replace("_cu", ".cu")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def surveyed(quickly: Run, rocm: Path, *arguments: str) -> dict[str, Any]:  # noqa: F811
    options = ("--build", "--rocm-path", str(rocm), "-j", "1", "--format", "json")
    done = quickly("survey", *arguments, *options)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_errors_are_compared_with_findings(quickly: Run, rocm: Path, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path / "good", Makefile=MAKEFILE, a_cu=PLAIN)
    write(tmp_path / "told", Makefile=MAKEFILE, a_cu=NO_COUNTERPART)
    write(tmp_path / "wrong", Makefile=MAKEFILE, a_cu=NO_COUNTERPART.partition(" // SAY")[0] + "\n")
    write(tmp_path / "silent", Makefile=MAKEFILE, a_cu=UNEXPECTED)
    write(tmp_path / "lacking", Makefile=MAKEFILE, a_cu=LACKING)
    write(tmp_path / "empty", Makefile="all:\n\techo nothing\n", a_cu=PLAIN)
    write(tmp_path / "two", one__Makefile=MAKEFILE, one__a_cu=PLAIN, two__Makefile=MAKEFILE, two__a_cu=UNEXPECTED)
    document = surveyed(quickly, rocm, *("good", "told", "wrong", "silent", "lacking", "empty", "two"))
    records = {record["name"]: record for record in document["records"]}
    assert document["targeting"]["rocm"] == "6.4"
    states = {name: [build["state"] for build in record["builds"]] for name, record in records.items()}
    assert states == {
        "good": [LINKS],
        "told": [CONFIGURES],
        "wrong": [LINKS],
        "silent": [CONFIGURES],
        "lacking": [LACKS],
        "empty": [NOTHING],
        "two": [LINKS, CONFIGURES],
    }
    (good,), (told,), (silent,) = (records[name]["builds"] for name in ("good", "told", "silent"))
    assert (good["objects"], good["programs"], good["failed"], good["causes"]) == (1, 1, "", [])
    assert [(cause["text"], cause["place"], cause["finding"]) for cause in told["causes"]] == [
        ("no such name", "a.cu:2", "HIP101")
    ]
    assert [(cause["text"], cause["finding"], cause["is_lacking"]) for cause in silent["causes"]] == [
        ("use of 'rare'", "", False),
        ("'zlib-of-ours.h' file not found", "", True),
    ]
    assert records["wrong"]["disproved"] == [
        {"id": "HIP101", "name": "cudaGraphConditionalHandleCreate", "place": "a.cu:2"}
    ]
    assert records["told"]["disproved"] == records["good"]["disproved"] == []
    assert document["builds"] == {
        "tried": 7, "possible": 5, "configured": 5, "linked": 2, "causes": 3, "announced": 1, "disproved": 1,
    }  # fmt: skip
    assert [(cause["text"], cause["repositories"]) for cause in document["build_causes"]] == [
        ("use of …", ["silent", "two"]),
        ("no such name", ["told"]),
    ]


def test_an_interrupted_survey_continues(quickly: Run, rocm: Path, tmp_path: Path) -> None:  # noqa: F811
    for name in ("one", "two"):
        write(tmp_path / name, Makefile=MAKEFILE, a_cu=PLAIN)
    first = surveyed(quickly, rocm, "one", "--state", "s.jsonl")
    (tmp_path / "one/a.cu").write_text(UNEXPECTED)  # it is not looked at again
    with open(tmp_path / "s.jsonl", "a", encoding="utf-8") as state:
        state.write('{"key": "cut o')
    second = surveyed(quickly, rocm, "one", "two", "--state", "s.jsonl")
    assert second["records"][0] == first["records"][0]
    assert second["builds"]["linked"] == 2
    third = surveyed(quickly, rocm, "one", "two", "--state", "s.jsonl", "--launch", "chevron")
    assert third["builds"]["linked"] == 1


def test_a_build_that_does_not_end_is_ended(quickly: Run, rocm: Path, tmp_path: Path) -> None:  # noqa: F811
    write(
        tmp_path / "slow", one__Makefile="all:\n\tsleep 600\n", one__a_cu=PLAIN, two__Makefile=MAKEFILE, two__a_cu=PLAIN
    )
    document = surveyed(quickly, rocm, "slow", "--build-limit", "1")
    first, second = document["records"][0]["builds"]
    assert (first["problem"], first["failed"], first["seconds"] < 60) == (
        "the time limit was reached",
        "building",
        True,
    )
    assert (second["problem"], second["state"]) == ("no time is left for it", UNTRIED)


NVCC = """\
#!/bin/sh
# Refuses what a source calls old, and finds the driver's library where the toolkit has its stub.
grep -q OLD *.cu && exit 1
case $LIBRARY_PATH in "$CUDA_PATH/lib64:$CUDA_PATH/lib64/stubs"*) ;; *) exit 1 ;; esac
for last in "$@"; do :; done
echo made > "$last"
"""


@pytest.fixture
def cuda(tmp_path: Path) -> Path:
    place = tmp_path / "cuda"
    (place / "bin").mkdir(parents=True)
    (place / "bin/nvcc").write_text(NVCC)
    (place / "bin/nvcc").chmod(0o755)
    return place


def test_what_fails_with_cuda_too_does_not_count(quickly: Run, rocm: Path, cuda: Path, tmp_path: Path) -> None:  # noqa: F811
    old = UNEXPECTED.replace("int x", "int OLD")
    write(tmp_path / "good", Makefile=MAKEFILE, a_cu=PLAIN.replace("(p)", "(OLD)"))
    write(tmp_path / "two", one__Makefile=MAKEFILE, one__a_cu=UNEXPECTED, two__Makefile=MAKEFILE, two__a_cu=old)
    write(tmp_path / "old", Makefile=MAKEFILE, a_cu=old)
    document = surveyed(quickly, rocm, "good", "two", "old", "--cuda-path", str(cuda))
    records = {record["name"]: record for record in document["records"]}
    states = {name: [build["state"] for build in record["builds"]] for name, record in records.items()}
    assert states == {"good": [LINKS], "two": [CONFIGURES, FAILS_WITH_CUDA], "old": [FAILS_WITH_CUDA]}
    assert document["builds"] == {
        "tried": 3, "possible": 2, "configured": 2, "linked": 1, "causes": 1, "announced": 0, "disproved": 0,
    }  # fmt: skip
    assert sorted(os.listdir(tmp_path / "old")) == ["Makefile", "a.cu"]
    assert records["two"]["disproved"] == []


def test_a_folder_without_nvcc_is_refused(quickly: Run, rocm: Path, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path / "one", Makefile=MAKEFILE, a_cu=PLAIN)
    done = quickly("survey", "one", "--build", "--rocm-path", str(rocm), "--cuda-path", "nowhere")
    assert (done.returncode, b"no bin/nvcc in " in done.stderr) == (2, True)


def test_workers_that_get_the_files_build_them(client: Any, rocm: Path, tmp_path: Path) -> None:
    write(tmp_path / "one", Makefile="all: ; sh make.sh\n", a_cu=PLAIN)
    script = tmp_path / "one/make.sh"
    script.write_text("hipcc -c a.cu -o a.o && hipcc a.o -o app\n")
    job = Job(Target("", "", ""), Options(), Bounds(), builds=BuildSettings(str(rocm), (), 100.0))
    (record,) = survey(client, targets([str(tmp_path / "one")]), job, shared=False, notify=id)
    (build,) = record.builds
    assert (build.state, build.objects, build.programs) == (LINKS, 1, 1)
    assert not (tmp_path / "one/app").exists()


def test_there_is_no_build_without_rocm(quickly: Run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path / "one", Makefile=MAKEFILE, a_cu=PLAIN)
    done = quickly("survey", "one", "--build", "--rocm-path", "nowhere")
    assert (done.returncode, b"no ROCm found" in done.stderr) == (2, True)


def test_the_topmost_folders_with_build_files(tmp_path: Path) -> None:
    write(
        tmp_path,
        one__Makefile="", one__below__Makefile="", two__deep__CMakeLists_txt="", third_party__x__Makefile="",
        docs__Makefile="", a__b__c__d__e__Makefile="",
    )  # fmt: skip
    os.rename(tmp_path / "two/deep/CMakeLists_txt", tmp_path / "two/deep/CMakeLists.txt")
    found = [(os.path.relpath(folder, tmp_path), system.name) for folder, system in build_folders(str(tmp_path))]
    assert found == [("one", "make"), ("two/deep", "cmake")]


def test_all_formats_show_the_builds() -> None:
    cause = BuildCause("use of '<b>'", "a.cu:1", 3, "", False)
    builds = [
        Build(".", "make", "building", 1, 0, [cause], 2.0),
        Build("x", "cmake", "configuring", 0, 0, [cause], 1.0),
        Build("y", "scons", "", 0, 0, [], 0.0, "scons is not installed"),
    ]
    assert [build.state for build in builds] == [COMPILES, FAILS, UNTRIED]
    account = Account([Record("one", "/x/one", "folder", SOME, builds=builds)], Targeting())
    assert account.records[0].build_state == "0 of 2 link"
    pages = {name: load(name)(account) for name in ("text", "csv", "html", "json", "parquet")}
    assert b"1 of 1 repositories can be built on this machine; 0 link" in pages["text"]
    assert b"1 cause of build errors, 0 announced by findings" in pages["text"]
    assert b"use of &#39;&lt;b&gt;&#39;" in pages["html"]
    assert b"a.cu:1 use of '<b>'" in pages["csv"]


SCONS = "#!/bin/sh\necho 'a.cu:1:10: fatal error: hip/hip_runtime.h: No such file or directory'\nexit 2\n"


def test_a_build_file_that_is_not_translated_announces_that_hips_headers_are_missing(
    quickly: Run,  # noqa: F811
    rocm: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs/scons").write_text(SCONS)
    (tmp_path / "programs/scons").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "programs"), prepend=os.pathsep)
    write(tmp_path / "old", SConstruct="env = Environment(NVCC='nvcc')\nenv.Program('a.cu')\n", a_cu=PLAIN)
    (cause,) = surveyed(quickly, rocm, "old")["records"][0]["builds"][0]["causes"]
    assert (cause["finding"], cause["place"]) == ("HIP612", "a.cu:1")
