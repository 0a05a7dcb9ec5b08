"""What libclang says of names and types at given places: of what it has resolved only, and in each instantiation."""

from __future__ import annotations

import os
from typing import Any

import pytest

from hipify_py.clang.answer_queries import RECORD
from hipify_py.clang.protocol import DONE, Job, Limits
from hipify_py.clang.worker_pool import Asker
from hipify_py.core.clang_facts import CUDA, DEDUCED, NAME, OWN, PARAMETER, SYSTEM, TYPE

pytest.importorskip("clang.cindex", exc_type=ImportError)

FOLDER = os.path.abspath("nowhere")
MAIN, CUDAS = os.path.join(FOLDER, "main.cpp"), os.path.join(FOLDER, "cuda")
CPP = ("-x", "c++", "-std=c++17", "-nostdinc", "-nostdinc++", "-ferror-limit=0")
CUDA_H = (
    "struct cudaProp { int mode; };\ntypedef unsigned cudaBits;\ntypedef struct stream_st *cudaStream;\n"
    "int cudaFree(void *);\nstruct half { short bits; operator float() const; };\nstruct bf16 { short bits; };\n"
)
OWN_H = (
    "namespace app { struct Prop { int mode; }; void cudaFree(Prop); inline namespace v2 { int cudaCount(); } }\n"
    "cudaProp props();\n#define cudaRound(x) (x)\nint cudaLocal(int);\ntypedef unsigned mask_t;\n"
)


def ask(text: str, *doubts: tuple[str, str], path: str = MAIN, **more: str) -> dict[tuple[str, str], Any]:
    """The answers by kind and text; a text with `|` in front of it is asked about at its last place in the source."""
    places = []
    for kind, said in doubts:
        kind, _, position = kind.partition(" ")
        token = said.removeprefix("|")
        start = text.rindex(token) if said != token else text.index(token)
        places.append([start, start + len(token), kind, int(position or 0)])
    whole = {MAIN: text, os.path.join(CUDAS, "cuda.h"): CUDA_H, os.path.join(FOLDER, "own.h"): OWN_H}
    whole |= {os.path.join(FOLDER, name): data for name, data in more.items()}
    if path != MAIN:
        whole[path], whole[MAIN] = text, more["main"]
    files = {name: data.encode() for name, data in whole.items()}
    arguments = [*CPP, "-isystem", CUDAS, "-isystem", os.path.join(FOLDER, "system")]
    details = {"files": [{"path": path, "text": text, "doubts": places}], "cuda": [CUDAS]}
    answer = Asker(1, Limits(60)).ask(Job("doubts", MAIN, [arguments], files, details=details, parse=RECORD))
    assert answer.status == DONE, answer
    (value,) = answer.values
    said_of = {(place[0], place[2]): doubt for place, doubt in zip(places, doubts, strict=True)}
    (answers,) = value["found"]
    return {said_of[doubt[0], doubt[2]]: found for doubt, found in [*answers["names"], *answers["types"]]} | {
        ("", ""): value["files"]
    }


INCLUDES = '#include <cuda.h>\n#include "own.h"\n'


def test_names_are_told_by_the_file_that_declares_them() -> None:
    found = ask(
        INCLUDES + "void f(void *p, app::Prop q) { cudaFree(p); app::cudaFree(q); cudaLocal(1); cudaGone(2); }",
        *[(NAME, name) for name in ("cudaFree", "cudaLocal", "cudaGone")],
        (NAME, "|cudaFree"),
    )
    assert found[NAME, "cudaFree"] == [CUDA, "", "cuda.h"]
    assert found[NAME, "|cudaFree"] == [OWN, "app", "own.h"]
    assert found[NAME, "cudaLocal"] == [OWN, "", "own.h"]
    assert (NAME, "cudaGone") not in found
    assert [os.path.basename(path) for path in found["", ""]] == ["main.cpp", "own.h"]


@pytest.mark.parametrize(
    "code",
    [
        "void f() { using app::cudaCount; cudaCount(); }",
        "using namespace app; int n = cudaCount();",
        "#define CHECK(x) do { (void)(x); } while (0)\nvoid f() { CHECK(app::cudaCount()); }",
        "template <class T> int f() { return app::cudaCount(); }",
        "struct S { int n = app::cudaCount(); };",
        "void f() { auto g = [] { return app::cudaCount(); }; }",
    ],
)
def test_a_name_is_found_wherever_it_stands(code: str) -> None:
    assert ask(INCLUDES + code, (NAME, "|cudaCount"))[NAME, "|cudaCount"] == [OWN, "app", "own.h"]


def test_a_system_header_is_neither_cudas_nor_the_projects(tmp_path: Any) -> None:
    code = "#include <vendor.h>\nint n = cudaVendor();"
    found = ask(code, (NAME, "cudaVendor"), **{os.path.join("system", "vendor.h"): "int cudaVendor();\n"})
    assert found[NAME, "cudaVendor"] == [SYSTEM, "", "vendor.h"]


def test_members_are_told_by_their_type() -> None:
    code = "int f() { auto a = props(); auto b = app::Prop(); return a.mode + b.mode; }"
    found = ask(INCLUDES + code, (NAME, "mode"), (NAME, "|mode"))
    assert found[NAME, "mode"] == [CUDA, "cudaProp", "cuda.h"]
    assert found[NAME, "|mode"] == [OWN, "Prop", "own.h"]


def test_bodies_of_macros_and_branches_that_are_not_compiled_have_no_answer() -> None:
    code = "#define RUN cudaLocal(1)\n#if 0\nint a = cudaLocal(2);\n#endif\nint b = RUN;"
    found = ask(INCLUDES + code, (NAME, "cudaLocal"), (NAME, "|cudaLocal"))
    assert set(found) == {("", "")}


def test_a_macro_of_the_projects_is_one_of_its_names() -> None:
    code = "#define CUDA_MINE(x) (x)\nint a = CUDA_MINE(2);"
    assert ask(INCLUDES + code, (NAME, "|CUDA_MINE"))[NAME, "|CUDA_MINE"][0] == OWN


def test_types_of_expressions_are_those_that_are_written() -> None:
    code = "half h; float g(float); void f(half *p) { auto v = p[0]; g(v); g(*p); g(h); cudaBits m = 1; cudaStream s; }"
    asked = ["p[0]", "|*p", "|h", "v", "m", "s"]
    found = ask(INCLUDES + code.replace("v = ", "v = ", 1), *[(TYPE, text) for text in asked[:3]])
    assert [found[TYPE, text][0][:3] for text in asked[:3]] == [["half", "", 0]] * 3
    found = ask(
        INCLUDES + "void f() { cudaBits mm = 1; cudaStream ss; mask_t kk; unsigned long ll; }",
        *[(TYPE, text) for text in ("mm", "ss", "kk", "ll")],
    )
    assert found[TYPE, "mm"] == [["unsigned int", "cudaBits", 0, 32, 0]]
    assert found[TYPE, "ss"] == [["stream_st", "cudaStream", 1, 0, 0]]
    assert found[TYPE, "kk"] == [["unsigned int", "", 0, 32, 0]]
    assert found[TYPE, "ll"][0][3] in (32, 64)


TEMPLATE = "template <class T> struct Box { T value; T get() const { return value; } };\n"


@pytest.mark.parametrize(
    ("template", "calls", "text"),
    [
        ("template <class T> float f(T x) { return x.value.bits; }", "f(Box<half>()); f(Box<bf16>());", "x.value"),
        ("template <class T> void f(T x) { auto held = x.get(); }", "f(Box<half>()); f(Box<bf16>());", "held"),
        (
            "template <class T> struct S { T part; void run() { (void)(part); } };",
            "S<half>().run(); S<bf16>().run();",
            "|part",
        ),
        (
            "template <class T> void g(T x) { auto held = x; } template <class T> void f(T x) { g(x); }",
            "f(half()); f(bf16());",
            "held",
        ),
        (
            "template <class T, int N> void f(T x) { auto held = [&] { return x; }(); }",
            "f<half, 1>(half()); f<bf16, 2>(bf16());",
            "held",
        ),
    ],
)
def test_types_in_templates_are_those_of_each_instantiation(template: str, calls: str, text: str) -> None:
    found = ask(f"{INCLUDES}{TEMPLATE}{template}\nvoid use() {{ {calls} }}", (TYPE, text))
    types = found[TYPE, text]
    assert sorted(type[0] for type in types) == ["bf16", "half"]
    assert len({type[4] for type in types}) == 2


def test_declarations_of_templates_have_a_type_for_each_instance_that_is_used() -> None:
    found = ask(
        INCLUDES
        + "template <class T> struct Held { T kept; T get() { return kept; } }; template <class T> T made() { return T(); }"
        "void f() { Held<unsigned> a; Held<half> b; a.kept = 1; b.kept = half(); a.get(); made<unsigned long long>(); }",
        (TYPE, "kept"),
        (TYPE, "get"),
        (TYPE, "made"),
    )
    assert sorted(type[0] for type in found[TYPE, "kept"]) == ["half", "unsigned int"]
    assert len({type[4] for type in found[TYPE, "kept"]}) == 2
    assert 0 not in {type[4] for type in found[TYPE, "kept"]}
    assert [type[3] for type in found[TYPE, "get"]] == [32]
    assert [type[3] for type in found[TYPE, "made"]] == [64]


def test_what_is_not_instantiated_has_no_type() -> None:
    found = ask(
        INCLUDES + "template <class T> void f(T x) { auto held = x; unsigned sure = 1; }",
        (TYPE, "held"),
        (TYPE, "sure"),
    )
    assert (TYPE, "held") not in found
    assert found[TYPE, "sure"] == [["unsigned int", "", 0, 32, 0]]


def test_parameters_are_as_the_function_declares_them() -> None:
    code = (
        "void narrow(int, unsigned); void wide(unsigned long long); template <class T> void any(T);\n"
        "void f(unsigned m) { narrow(0, m); wide(m); any(m); }"
    )
    found = ask(code, (f"{PARAMETER} 1", "|narrow"), (PARAMETER, "|wide"), (PARAMETER, "|any"))
    assert found[f"{PARAMETER} 1", "|narrow"][0][3] == 32
    assert found[PARAMETER, "|wide"][0][3] == 64
    assert found[PARAMETER, "|any"][0][3] == DEDUCED


def test_a_fragment_is_asked_about_through_what_includes_it() -> None:
    part = os.path.join(FOLDER, "part.inl")
    code = "template <class T> float f(T x) { cudaLocal(1); return float(x.value); }"
    found = ask(
        code,
        (NAME, "cudaLocal"),
        (TYPE, "x.value"),
        path=part,
        main=f'{INCLUDES}{TEMPLATE}#include "part.inl"\nvoid use() {{ f(Box<half>()); }}',
    )
    assert found[NAME, "cudaLocal"] == [OWN, "", "own.h"]
    assert [type[0] for type in found[TYPE, "x.value"]] == ["half"]


def test_a_name_that_means_two_things_has_no_answer() -> None:
    code = (
        "struct A { int cudaPart; }; struct B { int cudaPart; };\n"
        "template <class T> int f(T x) { return x.cudaPart; }\nint n = f(A()) + f(B());"
    )
    found = ask(code, (NAME, "|cudaPart"))
    assert (NAME, "|cudaPart") not in found


def test_what_is_included_several_times_has_no_one_type() -> None:
    path = os.path.join(FOLDER, "part.inl")
    part = "inline real twice(real value) { return value + value; }\n"
    once = '#define real float\n#include "part.inl"\n'
    again = once + '#undef real\n#define real double\n#include "part.inl"\n'
    doubts = (TYPE, "value + value"), (NAME, "|value")
    assert ask(part, *doubts, path=path, main=once)[TYPE, "value + value"] == [["float", "", 0, 0, 0]]
    found = ask(part, *doubts, path=path, main=again)
    assert (TYPE, "value + value") not in found
    assert found[NAME, "|value"][0] == OWN


def test_an_included_file_with_a_guard_is_read_once() -> None:
    path = os.path.join(FOLDER, "part.h")
    part = "#ifndef PART\n#define PART\ninline int twice(int value) { return value + value; }\n#endif\n"
    found = ask(part, (TYPE, "value + value"), path=path, main='#include "part.h"\n#include "part.h"\n')
    assert found[TYPE, "value + value"] == [["int", "", 0, 32, 0]]
