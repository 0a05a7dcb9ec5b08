"""The support header of what the stand-ins write: beside a file, and inside of what goes to standard output."""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import hipify_py
from hipify_py.core.options import Options
from hipify_py.drop_in.places import write_output
from hipify_py.drop_in.translation import SourceFile, chosen_options, translate_files
from hipify_py.support_header.header import section_names
from hipify_py.support_header.inlined import with_inlined_header, without_inlined_header

from .conftest import Tool
from .samples import PLAIN, VOTE, write

INCLUDE = '#include "hipify_support.hpp"'
_FUNNEL = '#include <cuda_runtime.h>\n__device__ int f(int x) { int y; asm("brev.b32 %0, %1;" : "=r"(y) : "r"(x)); return y; }\n'


def test_standard_output_holds_what_it_uses(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=VOTE)
    done = perl("a.cu")
    assert INCLUDE not in done.out
    assert "hipify::warp32::match_any_sync(0xffffffffu" in done.out
    assert done.out.count("#define HIPIFY_SUPPORT_WARP32") == 1
    assert os.listdir(tmp_path) == ["a.cu"]


def test_a_file_has_it_beside(perl: Tool, clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=VOTE)
    for run in (perl, clang):
        folder = tmp_path / ("out" + run.__name__ + str(id(run)))
        folder.mkdir()
        assert run("a.cu", "-o", f"{folder.name}/a.hip").status == 0
        assert INCLUDE in (folder / "a.hip").read_text()
        assert "match_any_sync" in (folder / "hipify_support.hpp").read_text()


def test_a_file_may_hold_it_as_well(perl: Tool, clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=VOTE)
    for run in (perl, clang):
        assert run("a.cu", "-o", "a.hip", "-support=inline").status == 0
        assert INCLUDE not in (tmp_path / "a.hip").read_text()
        assert sorted(os.listdir(tmp_path)) == ["a.cu", "a.hip"]
    assert (perl("-support=no", "a.cu").status, clang("-support=no", "a.cu").status) == (2, 1)


def test_in_place_it_is_in_the_folder_of_each_file(perl: Tool, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, a=VOTE)
    assert perl("-inplace", "one/a.cu", "two/a.cu").status == 0
    assert (tmp_path / "one" / "hipify_support.hpp").exists()
    assert (tmp_path / "two" / "hipify_support.hpp").exists()


def test_it_is_no_source_of_the_next_run(perl: Tool, clang: Tool, tmp_path: Path) -> None:
    """A script that converts all headers in place must not keep an old one as an original."""
    write(tmp_path, a=VOTE)
    perl("-inplace", "a.cu")
    before = (tmp_path / "hipify_support.hpp").read_bytes()
    assert perl("-inplace", "a.cu", "hipify_support.hpp").status == 0
    assert clang("-inplace", "hipify_support.hpp").status == 0
    assert (tmp_path / "hipify_support.hpp").read_bytes() == before
    assert not (tmp_path / "hipify_support.hpp.prehip").exists()


def test_a_header_that_somebody_has_edited_stays(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=VOTE)
    (tmp_path / "hipify_support.hpp").write_text("// mine\n")
    done = perl("a.cu", "-o", "x.hip")
    assert done.status == 3
    assert "could not write x.hip: " in done.err
    assert "rename or move it, or use -support=inline" in done.err
    assert not (tmp_path / "x.hip").exists()
    assert (tmp_path / "hipify_support.hpp").read_text() == "// mine\n"


@pytest.mark.skipif(not os.path.islink("/dev/stdout"), reason="NOT RUN: this system's /dev/stdout is not a link")
@pytest.mark.parametrize("name", ["perl", "clang"])
def test_a_path_to_standard_output_is_standard_output(name: str, perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=VOTE)
    wanted = perl("a.cu").out.encode()
    root = Path(hipify_py.__file__).parents[1]
    (tmp_path / "out").symlink_to("/dev/stdout")  # which a program of the superuser could replace
    line = [sys.executable, "-m", "hipify_py", "as", name, "a.cu", "-o", "out"]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    piped = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True)
    assert (piped.returncode, piped.stdout) == (0, wanted)
    with open(tmp_path / "log", "wb") as log:
        log.write(b"before\n")
        log.flush()
        assert subprocess.run(line, cwd=tmp_path, env=environment, stdout=log).returncode == 0
        log.write(b"after\n")
    assert (tmp_path / "log").read_bytes() == b"before\n" + wanted + b"after\n"
    assert sorted(os.listdir(tmp_path)) == ["a.cu", "log", "out"]
    assert os.readlink(tmp_path / "out") == "/dev/stdout"


def test_statistics_can_go_to_a_stream(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=VOTE)
    (tmp_path / "sink").symlink_to("/dev/null")
    assert clang("a.cu", "-no-output", "-o-stats=sink").status == 0
    assert os.readlink(tmp_path / "sink") == "/dev/null"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="NOT RUN: this system has no named pipes")
@pytest.mark.parametrize("name", ["perl", "clang"])
def test_a_named_pipe_gets_what_standard_output_gets(tool: Tool, name: str, tmp_path: Path) -> None:
    write(tmp_path, a=VOTE)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert tool(name, "a.cu", "-o", "pipe").status == 0
    reader.join()
    assert read == [tool("perl", "a.cu").out.encode()]
    assert sorted(os.listdir(tmp_path)) == ["a.cu", "pipe"]


def _convert(folder: str, name: str, text: str) -> None:
    (result,) = translate_files(
        [SourceFile(f"{name}.cu", text.encode())], chosen_options(launches=False, to_roc=False, experimental=False)
    )
    write_output(os.path.join(folder, f"{name}.hip"), result)


def test_commands_of_a_parallel_make_share_it(tmp_path: Path) -> None:
    """Each adds what it needs; none loses what another has added."""
    context = multiprocessing.get_context("spawn")
    texts = {"vote": VOTE, "bits": _FUNNEL}
    for attempt in range(2):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        processes = [context.Process(target=_convert, args=(str(folder), *item)) for item in texts.items()]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        header = (folder / "hipify_support.hpp").read_text()
        for name in texts:
            used = re.findall(r"hipify::(?:\w+::)*(\w+)", (folder / f"{name}.hip").read_text())
            assert all(word in header for word in used)


def test_translating_the_output_again_changes_nothing(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=VOTE)
    (tmp_path / "a.hip").write_text(perl("a.cu").out)
    again = perl("a.hip")
    assert again.out == (tmp_path / "a.hip").read_text()
    assert hipify_py.translate(again.out, path="a.hip").findings == []


@pytest.mark.parametrize("name", section_names())
def test_no_section_is_code_of_the_source(name: str) -> None:
    """What a source has inlined is not translated, whatever is in it, and nothing else moves."""
    source = b'#include <hip/hip_runtime.h>\n#include "hipify_support.hpp"\nint x;\n'
    inlined = with_inlined_header(source, [name])
    assert b"HIPIFY_SUPPORT_" in inlined
    done = hipify_py.translate(inlined, path="a.hip", options=Options(launch="chevron"))
    assert (done.output, done.findings, done.references) == (inlined, [], [])


def test_only_the_block_is_hidden() -> None:
    source = b'int a;\n#include "hipify_support.hpp"\nint b;\n'
    inlined = with_inlined_header(source, ["warp32"])
    hidden = without_inlined_header(inlined)
    assert len(hidden) == len(inlined)
    assert hidden.split() == [b"int", b"a;", b"int", b"b;"]
    assert hidden.count(b"\n") == inlined.count(b"\n")
    assert (
        without_inlined_header(inlined[: inlined.index(b"// end of hipify")])
        == inlined[: inlined.index(b"// end of hipify")]
    )


def test_line_ends_are_those_of_the_source() -> None:
    inlined = with_inlined_header(b'#include "hipify_support.hpp"\r\nint b;\r\n', ["warp32"])
    assert inlined.count(b"\n") == inlined.count(b"\r\n")


def test_a_source_without_the_include_stays() -> None:
    assert with_inlined_header(PLAIN.encode(), ["warp32"]) == PLAIN.encode()


def test_translating_code_after_an_inlined_header() -> None:
    """Edits have the places of the whole source."""
    inlined = with_inlined_header(b'#include "hipify_support.hpp"\nvoid f(void *p) { cudaFree(p); }\n', ["warp32"])
    done = hipify_py.translate(inlined, path="a.cu")
    assert done.output.endswith(b"void f(void *p) { hipFree(p); }\n")
    assert b"#define HIPIFY_SUPPORT_WARP32" in done.output
