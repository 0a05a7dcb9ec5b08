"""Nodes that are looked up by their keywords are those that an index of the tree has."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.source import Source
from hipify_py.frontend import keyword_nodes
from hipify_py.frontend.keyword_nodes import KeywordNodes
from hipify_py.frontend.node_index import NodeIndex
from hipify_py.frontend.syntax import SyntaxTree
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.structure import structure_of
from hipify_py.translator.translate import lexer

_SOURCES = sorted((Path(__file__).parents[2] / "corpus").rglob("*.cu"))
_KINDS = sorted(keyword_nodes._KEYWORDS)
_CODE = """
#define OPEN using namespace in_macro;
namespace a::b { inline namespace c { using x::y; } }
namespace n = a::b;
// using namespace comment;
const char *text = "using namespace text;";
#if A
using namespace a;
#else
using enum E;
#endif
template <class T> struct S { using t = T; union { int i; }; enum class E { a } e; typedef struct P *p; };
int f(int i) {
    do { if (i) continue; else if constexpr (1) break; } while (i);
    for (int j : {1}) for (;;) goto end;
    while (i) switch (i) { default: throw i; }
    asm("nop;"); __asm__ volatile ("nop;");
    auto g = [] { return 1; };
end: return g();
}
class C { friend class D; };
task h() { co_return; }
struct broken { using
"""


def _tree(source: bytes, path: str = "a.cu") -> tuple[SyntaxTree, KeywordNodes]:
    lexemes = lexer(load_catalog()).scan(source)
    tree = SyntaxTree(Source(source, path), lexemes)
    return tree, KeywordNodes(lexemes, tree.root)


def _ids(nodes: object) -> list[int] | None:
    return [node.id for node in nodes] if isinstance(nodes, list) else None


@pytest.mark.parametrize("kind", _KINDS)
def test_every_kind_is_found_by_its_keywords(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyword_nodes, "_BYTES", 1)
    tree, by_keywords = _tree(_CODE.encode())
    expected = tree.index.of_kind(kind)
    assert expected
    assert _ids(by_keywords.find((kind,))) == _ids(expected)


def test_real_sources_have_the_same_nodes_by_keywords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyword_nodes, "_BYTES", 1)
    assert _SOURCES
    for path in _SOURCES:
        tree, by_keywords = _tree(path.read_bytes(), path.name)
        for kind in _KINDS:
            assert _ids(by_keywords.find((kind,))) == _ids(tree.index.of_kind(kind)), (path, kind)


def test_several_kinds_come_in_the_order_of_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyword_nodes, "_BYTES", 1)
    tree, by_keywords = _tree(_CODE.encode())
    kinds = ("using_declaration", "struct_specifier", "namespace_definition")
    assert _ids(by_keywords.find(kinds)) == _ids(tree.index and tree.nodes(*kinds))


def test_many_keywords_and_other_kinds_are_left_to_an_index() -> None:
    _, by_keywords = _tree(b"struct a; " * 100)
    assert by_keywords.find(("call_expression",)) is None
    assert by_keywords.find(("struct_specifier", "call_expression")) is None
    assert by_keywords.find(("struct_specifier",)) is None


def _unit(monkeypatch: pytest.MonkeyPatch, code: str) -> Unit:
    monkeypatch.setattr(NodeIndex, "read", lambda *_: pytest.fail("the tree was indexed"))
    source, catalog = Source((code + "//" + " " * 3000).encode(), "a.cu"), load_catalog()
    return Unit(source, lexer(catalog).scan(source.data), catalog, DEFAULT_OPTIONS)


def test_scopes_of_a_few_words_need_no_index(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "using a::b;\nnamespace n { struct s { int i; }; }\nnamespace m = n;\n"
    structure = structure_of(_unit(monkeypatch, code))
    assert [using.name for using in structure.usings] == [b"a::b"]
    assert structure.aliases == {b"m": b"n"}
    assert [*structure.records] == [b"s"]
    assert [*structure.namespaces] == [b"n"]


def test_functions_need_no_index(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "void f() { auto in = [] {}; }\nstruct s { void g() { struct t { void in() {} }; } };\nauto h = [] { f(); };\n"
    )
    functions = functions_of(_unit(monkeypatch, code))
    assert [function.name for function in functions] == [b"f", b"g", b"h"]


@pytest.mark.parametrize("is_indexed", [False, True])
def test_what_an_outermost_node_holds_is_not_handed_out(is_indexed: bool) -> None:
    tree, _ = _tree(b"void f() { auto g = [] { [] {}; }; }\nauto h = [] { [] {}; };")
    assert tree.is_available
    assert not is_indexed or tree.index
    met: list[str] = []

    def takes(node: object) -> bool:
        met.append(getattr(node, "type", ""))
        return len(met) == 2

    tree.outermost(("function_definition", "lambda_expression"), takes)
    assert met == ["function_definition", "lambda_expression", "lambda_expression", "lambda_expression"]
