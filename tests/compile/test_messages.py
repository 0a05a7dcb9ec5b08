"""clang's messages, read and brought back to the CUDA source."""

from __future__ import annotations

from hipify_py.compile.diagnostics import Message, Origin, at_origin, message_lines, parse_messages, with_notes_of
from hipify_py.compile.includes import include_folders
from hipify_py.core.edits import Edit, SourceMap, apply
from hipify_py.core.source import Source

CLANG = """\
In file included from /t/a.cu:1:
/t/k.cuh:3:63: error: cannot initialize a variable
  hipError_t e = 3.5f;
             ^   ~~~~
/t/k.cuh:9:1: note: in instantiation of function template
/t/a.cu:2:5: warning: ignoring return value [-Wunused-result]
/t/a.cu:3:1: note: declared here
/t/a.cu:10:1: fatal error: 'x.h' file not found
1 error generated when compiling for gfx90a.
"""


def test_parsing() -> None:
    assert list(parse_messages(CLANG)) == [
        Message("/t/k.cuh", 3, 63, "error", "cannot initialize a variable"),
        Message("/t/k.cuh", 9, 1, "note", "in instantiation of function template"),
        Message("/t/a.cu", 2, 5, "warning", "ignoring return value [-Wunused-result]"),
        Message("/t/a.cu", 3, 1, "note", "declared here"),
        Message("/t/a.cu", 10, 1, "error", "'x.h' file not found"),
    ]


def test_notes_go_with_what_they_explain() -> None:
    lines = [(message.line, message.severity) for message in with_notes_of(parse_messages(CLANG), ["error"])]
    assert lines == [(3, "error"), (9, "note"), (10, "error")]


def test_the_place_is_that_of_the_cuda_source() -> None:
    data = b"int x;\n\tcudaMalloc(&p, 1); oops;\n"
    edits = [Edit(0, 0, b"#include <hip/hip_runtime.h>\n"), Edit(8, 18, b"hipMalloc")]
    output = Source(apply(data, edits), "/t/a.hip")
    origin = Origin(Source(data, "a.cu"), output, SourceMap(edits))
    column = output.data.splitlines()[2].index(b"oops") + 1
    message = at_origin(Message("/t/a.hip", 3, column, "error", "undeclared 'oops'"), {"/t/a.hip": origin})
    assert (message.path, message.line, message.column) == ("a.cu", 2, data.splitlines()[1].index(b"oops") + 1)
    assert message_lines(message) == [
        "a.cu:2:21: error: undeclared 'oops'",
        "    \tcudaMalloc(&p, 1); oops;",
        "    \t" + " " * 19 + "^",
        "    in HIP: hipMalloc(&p, 1); oops;",
    ]


def test_places_in_inserted_text_and_past_the_end() -> None:
    edits = [Edit(0, 0, b"#include <hip/hip_runtime.h>\n")]
    origin = Origin(Source(b"x\n", "a.cu"), Source(apply(b"x\n", edits), "s"), SourceMap(edits))
    assert at_origin(Message("s", 1, 10, "error", ""), {"s": origin})[:3] == ("a.cu", 1, 1)
    assert at_origin(Message("s", 99, 7, "error", ""), {"s": origin})[:3] == ("a.cu", 2, 1)


def test_other_files_stay() -> None:
    message = Message("/usr/include/x.h", 1, 1, "error", "")
    assert at_origin(message, {}) == message


def test_include_folders() -> None:
    assert include_folders(["-Ia", "-O2", "-I", "b", "-isystemc", "-iquote", "d", "-DX"]) == ["a", "b", "c", "d"]
