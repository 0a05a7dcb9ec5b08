"""Parsing within bounds gives the tree that the parser has without them, and leaves nothing of a source in memory."""

from __future__ import annotations

import gc
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from tree_sitter import Language, Node, Parser, Point, Range
from tree_sitter_cuda import language

from hipify_py import translate
from hipify_py.frontend.parsing import SMALL, parse, parse_again

KERNEL = b"__global__ void k(int *p) { p[threadIdx.x] = __shfl_sync(0xffffffff, p[0], 0); }\n"


@pytest.mark.parametrize(
    "source",
    [KERNEL * 10, KERNEL * (SMALL // len(KERNEL) + 1), KERNEL * 2000, KERNEL + b"} ~ " * 5000],
    ids=["small", "in one piece", "in several pieces", "given up"],
)
def test_each_translation_lets_the_source_go(source: bytes) -> None:
    """What the last one still holds goes with the next."""

    def held() -> int:
        translate(source, path="a.cu")
        translate("int x;", path="b.cu")
        gc.collect()
        return sys.getrefcount(source)

    assert [held(), held(), held()] == [held()] * 3


def nodes(root: Node) -> list[tuple[str, int, int, bytes | None]]:
    found = [(root.type, root.start_byte, root.end_byte, root.text)]
    return found + [one for child in root.children for one in nodes(child)]


@pytest.mark.parametrize("code", [KERNEL, b"int a @@@ b;\n" + KERNEL, b"#define A(x) \\\n  f(x); \\\n  g(x)\n"])
@pytest.mark.parametrize(
    "tail", [b"", b"\n\n  \t\n" * 50, b"/* " + b"word " * 200 + b"*/\n", b"int x", b"#endif", b"} {"]
)
def test_the_tree_is_that_of_a_bare_parse(code: bytes, tail: bytes) -> None:
    source = code * (2 * SMALL // len(code)) + tail
    plain, bounded = Parser(Language(language())), Parser(Language(language()))
    tree = parse(bounded, source, 0, len(source))
    assert tree is not None
    assert nodes(tree.root_node) == nodes(plain.parse(source).root_node)
    assert bounded.parse(b"int y;").root_node.text == b"int y;"  # nothing is left of the one before


@pytest.mark.parametrize("size", [1, 2 * SMALL // len(KERNEL)])
@pytest.mark.parametrize(("before", "after"), [(b"CHECK", b";    "), (b"API int f();", b"    int f();")])
def test_a_source_is_parsed_again_where_it_has_changed(size: int, before: bytes, after: bytes) -> None:
    source = KERNEL * size + b"void g() { f(); " + before + b"\n g(); }\n" + KERNEL * size
    changed = source.replace(before, after)
    first, second = Parser(Language(language())), Parser(Language(language()))
    tree = parse(first, source, 0, len(source))
    assert tree is not None
    again = parse_again(first, tree, source, changed)
    assert again is not None
    assert nodes(again.root_node) == nodes(second.parse(changed).root_node)


def test_a_part_is_parsed_up_to_its_end() -> None:
    source = KERNEL * 200
    begin, end = len(KERNEL) * 10, len(KERNEL) * 110
    parsers = [Parser(Language(language())) for _ in range(2)]
    for parser in parsers:
        parser.included_ranges = [Range(Point(10, 0), Point(110, 0), begin, end)]
    tree = parse(parsers[0], source, begin, end)
    assert tree is not None
    assert nodes(tree.root_node) == nodes(parsers[1].parse(source).root_node)


def test_threads_parse_at_once() -> None:
    """A source of several steps: the parser calls back, and other threads go on."""
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(translate, KERNEL * 500, path="a.cu") for _ in range(8)]
        outputs = {translation.result().output for translation in found}
    assert outputs == {translate(KERNEL * 500, path="a.cu").output}
