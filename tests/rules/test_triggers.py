"""Triggers are looked up as they are declared, and the index that the registry reads is that of the rules."""

from __future__ import annotations

import pytest

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.project_context import NO_PROJECT, DeviceAddresses, NamespaceName, ProjectContext
from hipify_py.core.source import Source
from hipify_py.frontend.unit import Unit
from hipify_py.rules.registry import ORDER, rules
from hipify_py.rules.trigger_index import INDEX
from hipify_py.rules.triggers import ALWAYS, Fact, Gates, Triggers, facts, headers, texts, uses, words
from hipify_py.semantics.references import resolve
from hipify_py.translator.translate import lexer
from tools.tables.trigger_index import TARGET, module, order


def _is_met(
    triggers: Triggers, source: str, options: Options = DEFAULT_OPTIONS, project: ProjectContext = NO_PROJECT
) -> bool:
    catalog = load_catalog(options.targeting)
    data = source.encode()
    unit = Unit(Source(data, "a.cu"), lexer(catalog).scan(data), catalog, options, project)
    resolve(unit)
    return Gates([triggers]).matching(unit) == [True]


def test_the_index_is_that_of_the_rules() -> None:
    """Run tools/update_triggers.py after a change of a rule's triggers, or of the rules' order."""
    assert TARGET.read_text(encoding="utf-8") == module()


def test_the_index_says_what_the_rules_declare() -> None:
    assert tuple(INDEX) == ORDER
    for name, rule in zip(ORDER, rules(), strict=True):
        assert INDEX[name].id == rule.id
        declared, indexed = rule.triggers, INDEX[name].triggers
        assert len(indexed.groups) == len(declared.groups), name
        for one, other in zip(indexed.groups, declared.groups, strict=True):
            for found, wanted in zip(one[:3], other[:3], strict=True):
                assert _content(found) == _content(wanted), name
            assert (set(one.texts), set(one.facts)) == (set(other.texts), set(other.facts)), name


def _content(patterns: object) -> object:
    return patterns and (patterns[0], frozenset(patterns[1]))  # type: ignore[index]


def test_a_new_rule_comes_after_the_others_of_its_family() -> None:
    known = ["headers.a", "api.b", "api.a", "launch.a"]
    found = order(known, ["api.a", "api.b", "api.new", "family.first", "headers.a"])
    assert found == ["headers.a", "api.b", "api.a", "api.new", "family.first"]


def test_nothing_is_asked_of_a_rule_that_always_runs() -> None:
    assert _is_met(ALWAYS, "")


@pytest.mark.parametrize(
    ("pattern", "source", "is_met"),
    [
        ("warpSize", "int i = warpSize;", True),
        ("warpSize", "int i = myWarpSize + warpSizes;", False),
        ("warpSize", "#define warpSize 32", True),
        ("warpSize", "#define W warpSize", True),
        ("warpSize", "#if defined(warpSize)\n#endif", True),
        ("warpSize", "// warpSize\nint i; /* warpSize */", False),
        ("warpSize", 'auto s = "warpSize"; auto r = R"(warpSize)";', False),
        ("__shfl*", "int i = __shfl_sync(m, v, 0);", True),
        ("__shfl*", "int i = my__shfl(v);", False),
        ("*_sync", "a##_sync(1)", True),
        ("*_sync", "__syncthreads();", False),
        ("*half*", "nv_half2 h;", True),
        ("*half*", "int hal, f;", False),
        ("b*", "int ab;", False),
    ],
)
def test_a_word_is_one_of_the_code(pattern: str, source: str, is_met: bool) -> None:
    assert _is_met(words(pattern), source) is is_met


@pytest.mark.parametrize(
    ("pattern", "source", "is_met"),
    [
        ("cudaMalloc", "void f(void **p) { cudaMalloc(p, 4); }", True),
        ("cudaMalloc", "void f(void **p) { cudaMallocHost(p, 4); }", False),
        ("cudaMalloc*", "void f(void **p) { cudaMallocHost(p, 4); }", True),
        ("cudaMalloc", "struct S { void cudaMalloc(); };", False),
        ("nvcuda::wmma::fragment", "using namespace nvcuda; wmma::fragment<a, 1, 2, 3, b> f;", True),
    ],
)
def test_a_use_is_a_reference_to_a_name_of_the_tables(pattern: str, source: str, is_met: bool) -> None:
    assert _is_met(uses(pattern), source) is is_met


@pytest.mark.parametrize(
    ("pattern", "source", "is_met"),
    [
        ("thrust/*", "#include <thrust/sort.h>", True),
        ("thrust/*", '#include "my/thrust/sort.h"', False),
        ("*cublas*", "#include <cublas_v2.h>", True),
        ("*cublas*", "int cublas;", False),
    ],
)
def test_a_header_is_one_that_is_included(pattern: str, source: str, is_met: bool) -> None:
    assert _is_met(headers(pattern), source) is is_met


def test_a_text_stands_anywhere() -> None:
    assert _is_met(texts("%laneid", "x"), 'asm("mov.u32 %0, %laneid;");')
    assert not _is_met(texts("%laneid"), "int laneid;")


def test_both_sides_of_an_and_are_asked_for_and_one_of_an_or() -> None:
    both, either = words("a") & words("b"), words("a") | words("b")
    assert [_is_met(both, source) for source in ("a;", "b;", "a; b;")] == [False, False, True]
    assert [_is_met(either, source) for source in ("a;", "b;", "c;")] == [True, True, False]


def test_an_or_of_ands_is_met_by_each_of_them() -> None:
    triggers = words("a") & words("b") | words("c") & texts("%d")
    sources = ("a; b;", 'c; "%d";', "a; c;", "a; b; c;", 'b; "%d";', "")
    assert [_is_met(triggers, source) for source in sources] == [True, True, False, True, False, False]


@pytest.mark.parametrize(
    ("fact", "with_it", "without_it"),
    [
        (Fact.LAUNCHES, "void f() { k<<<1, 2>>>(); }", "int i = 1 << 3 >> 2;"),
        (Fact.DEFINES, "#define A", "#undef A"),
        (Fact.ELIFS, "#if A\n#elif B\n#endif", "#if A\n#else\n#endif"),
        (Fact.INCLUDES, "#include <a.h>", "// #include <a.h>"),
        (Fact.RAW_STRINGS, 'auto s = R"(a)";', 'auto s = "a";'),
        (Fact.USES, "cudaStream_t s;", "stream_t s;"),
        (Fact.USED_TYPES, "cudaStream_t s;", "int i = cudaFree(0);"),
        (Fact.USED_FUNCTIONS, "int i = cudaFree(0);", "cudaStream_t s;"),
        (Fact.USED_MACROS, "#ifdef __CUDACC__\n#endif", "#ifdef MINE\n#endif"),
        (Fact.UNMAPPED_CANDIDATES, "int i = cudaFooBar(0);", "int i = fooBar(0);"),
        (Fact.MERGED_TYPES, "cudaStream_t s; CUstream t;", "cudaStream_t s; cudaStream_t t;"),
    ],
)
def test_facts_of_a_source(fact: Fact, with_it: str, without_it: str) -> None:
    assert _is_met(facts(fact), with_it)
    assert not _is_met(facts(fact), without_it)


@pytest.mark.parametrize(
    ("fact", "project"),
    [
        (Fact.PROJECT_GROUP_ALIASES, ProjectContext(group_aliases=frozenset({b"Tile"}))),
        (
            Fact.PROJECT_GROUP_ALIASES,
            ProjectContext(namespace_names=frozenset({NamespaceName(b"", b"Tile", b"cooperative_groups")})),
        ),
        (Fact.PROJECT_ADDRESSES, ProjectContext(addresses=DeviceAddresses(frozenset({(b"Pool", b"Tile")})))),
        (Fact.PROJECT_WAITING_FUNCTIONS, ProjectContext(waiting_functions={b"Tile": ()})),
    ],
)
def test_a_fact_of_a_project_is_asked_for_where_it_is_named(fact: Fact, project: ProjectContext) -> None:
    assert _is_met(facts(fact), "void f(Tile t);", project=project)
    assert not _is_met(facts(fact), "void f(Tile t);")
    assert not _is_met(facts(fact), "// Tile\nint Tiles;", project=project)


def test_every_fact_can_be_asked_for() -> None:
    every = [getattr(Fact, name) for name in Fact.__annotations__]
    assert Fact.WARP_OPERATIONS in every
    for fact in every:
        assert _is_met(facts(fact), "") is False, fact.name
