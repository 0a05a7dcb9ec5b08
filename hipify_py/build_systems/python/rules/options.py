"""nvcc's options in lists of strings, in what `append` adds, and in strings that are split into words."""

from __future__ import annotations

from hipify_py.build_systems.expressions import (
    ASSIGNMENT,
    ATTRIBUTE,
    CALL,
    COMPREHENSION,
    KEYWORD,
    LIST,
    OPERATION,
    PAIR,
    RETURN,
    STATEMENT,
    STRING,
    SUBSCRIPT,
    TUPLE,
    Node,
)
from hipify_py.build_systems.nvcc_options import without_added
from hipify_py.build_systems.option_lists import (
    HOST_ADVICE,
    Element,
    begins_line,
    comma_behind,
    drop_elements,
    elements_of,
    literal,
    translate_options,
    whole,
    words_in,
    write_several,
)
from hipify_py.build_systems.python.flows import added, name_of, receiver
from hipify_py.build_systems.python.script import Script

_HOLDING_SUMS = frozenset({ASSIGNMENT, CALL, KEYWORD, PAIR, RETURN, STATEMENT})
"""What may contain a sum without parentheses around it."""


def apply(file: Script) -> None:
    """Translate options; options without a replacement go, and so do statements that only add them to a list."""
    gone: list[Node] = []
    seen: set[Node] = set()
    for node in file.nodes:
        if node.kind in {LIST, TUPLE} and node.children and not _is_no_list(node):
            gone += _list(file, node)
        elif node.kind == COMPREHENSION and node.children:
            _comprehension(file, node)
        elif node.kind == STATEMENT and node not in seen:
            run = _appends(node)
            seen.update(run)
            gone += _run(file, run)
        elif node.kind == STRING and (command := begins_command(file, node)):
            _text(file, node, command[1])
        elif node.kind == STRING and _is_split(file, node):
            _text(file, node, node.inner[0])
    drop_statements(file, gone)


def _comprehension(file: Script, node: Node) -> None:
    """Translate the result of a comprehension for each value; an empty list replaces a comprehension that goes."""
    elements = elements_of(node.children[:1])

    def write(_: int, texts: list[str]) -> None:
        file.finding("HIP605", node.start, texts[0], HOST_ADVICE)

    if translate_options(file, elements, for_cuda=node in file.for_nvcc, write=write):
        begins = file.source.data[node.start : node.start + 1].decode("ascii", "replace")
        file.replace_whole(node.start, node.end, {"[": "[]", "(": "([])"}.get(begins, "set()"))


def _is_no_list(node: Node) -> bool:
    """Whether it is the subscript of an annotation, or the values that fill in a text: `"%s %s" % (a, b)`."""
    parent = node.parent
    return parent is not None and (parent.kind == SUBSCRIPT or (parent.kind == OPERATION and parent.text == "%"))


def _list(file: Script, node: Node) -> list[Node]:
    """Translate a list; returns the statement that did nothing but add the removed elements."""
    return translate_list(file, node, for_cuda=node in file.for_nvcc or _calls_nvcc(node))


def translate_list(file: Script, node: Node, *, for_cuda: bool) -> list[Node]:
    """Translate a list of options; returns the statement that did nothing but add the removed elements.

    Args:
        for_cuda: whether the options are for nvcc only; else those count that no other compiler has.
    """
    elements = elements_of(node.children)
    several: set[int] = set()

    def write(index: int, texts: list[str]) -> None:
        several.add(index)
        write_several(file, elements[index], texts)

    def spread(index: int, mark: str) -> None:
        start, end = whole(file, node, elements[index].node)
        if not file.is_starlark:
            file.replace(start, start, "*(")
            file.replace(end, end, _parted(mark))
        elif node.kind == LIST:  # Starlark has no `*` there: the list ends before what is several, and begins anew
            _part_list(file, node, index, (start, end), mark)
        else:
            file.finding("HIP605", start, file.source.data[start:end].decode("utf-8", "surrogateescape"), HOST_ADVICE)

    without = translate_options(file, elements, for_cuda=for_cuda, write=write, spread=spread)
    statement = _adding(node) if len(without) == len(elements) else None
    if statement is not None:
        return [statement]
    drop_elements(file, node, node.children, without, several)
    return []


def _parted(mark: str) -> str:
    """What closes the parenthesis around a text of several options and splits it."""
    return f").replace('{mark}', ' ').split()" if mark else ").split()"


_CHOOSING = "[option for option in ("
"""What begins a list of the options in a text, in Starlark."""


def _chosen(mark: str) -> str:
    """What ends such a list: Starlark's `split` needs a separator, and returns empty texts where two of them meet."""
    return f"{_parted(mark).removesuffix('()')}(' ') if option]"


def _part_list(file: Script, node: Node, index: int, place: tuple[int, int], mark: str) -> None:
    """Make a sum of a list: what is before an element, the options that its expression gives, and what is after it."""
    data, (start, end) = file.source.data, place
    following = node.children[index + 1].start if index + 1 < len(node.children) else node.end - 1
    comma = comma_behind(data, end, following)
    rest = data[comma + 1 : node.end]
    blanks = node.end - len(rest.lstrip(b" \t"))
    text = f"{_chosen(mark)} + ["
    file.replace(start, start, f"] + {_CHOOSING}")
    if comma >= 0 and not data[end:comma].strip():
        file.replace(end, blanks, text)
    else:
        file.replace(end, end, text)
        if comma >= 0:
            file.replace(comma, blanks, "")
    parent = node.parent
    if parent is not None and parent.kind not in _HOLDING_SUMS and (parent.kind, parent.text) != (OPERATION, "+"):
        file.replace(node.start, node.start, "(")
        file.replace(node.end, node.end, ")")


def _adding(node: Node) -> Node | None:
    """The statement that adds a list to another one: `x += [...]`, `x.extend([...])`."""
    parent = node.parent
    if parent is None or parent.parent is None or parent.parent.kind != STATEMENT:
        return None
    is_added = parent.kind == ASSIGNMENT and parent.text == "+="
    is_extended = parent.kind == CALL and parent.called == "extend" and parent.arguments == [node]
    return parent.parent if is_added or is_extended else None


def _calls_nvcc(node: Node) -> bool:
    """Whether a list is a command whose program is nvcc."""
    first = node.children[0]
    text = first.text if first.kind == STRING else name_of(first)
    return text.lower() in {"nvcc", "nvcc.exe"} or text.endswith("/nvcc") or "nvcc" in text.lower().split(".")[-1:]


def _appends(node: Node) -> list[Node]:
    """The statement, and those right after it, that append single things to the same list; empty for others."""
    name = _appended_to(node)
    if not name or node.parent is None:
        return []
    siblings = node.parent.children
    at = _index(siblings, node)
    run = [node]
    for following in siblings[at + 1 :]:
        if _appended_to(following) != name:
            break
        run.append(following)
    return run


def _index(siblings: list[Node], node: Node) -> int:
    first, last = 0, len(siblings)
    while first < last:
        middle = (first + last) // 2
        if siblings[middle].start < node.start:
            first = middle + 1
        else:
            last = middle
    return first


def _appended_to(node: Node) -> str:
    if node.kind != STATEMENT or len(node.children) != 1:
        return ""
    call = node.children[0]
    if call.kind != CALL or call.called != "append" or len(call.arguments) != 1:
        return ""
    on = receiver(call)
    return name_of(on) if on is not None else ""


def _run(file: Script, run: list[Node]) -> list[Node]:
    """Translate what a series of statements appends; returns those that have to go."""
    if not run:
        return []
    calls = [statement.children[0] for statement in run]
    elements = elements_of(added(call)[0] for call in calls)
    on = receiver(calls[0])
    for_cuda = added(calls[0])[0] in file.for_nvcc or (on is not None and on in file.for_nvcc)

    def write(index: int, texts: list[str]) -> None:
        element, function = elements[index], calls[index].children[0]
        assert element.string is not None, "options can only be read from strings"
        file.replace(function.end - len("append"), function.end, "extend")
        first = ", ".join(literal(file, element.string, text) for text in texts[:-1])
        file.replace(element.node.start, element.node.start, f"[{first}, ")
        file.replace(*element.string.inner, texts[-1])
        file.replace(element.node.end, element.node.end, "]")

    def spread(index: int, mark: str) -> None:
        element, function = elements[index], calls[index].children[0]
        file.replace(function.end - len("append"), function.end, "extend")
        before, behind = (_CHOOSING, _chosen(mark)) if file.is_starlark else ("(", _parted(mark))
        file.replace(element.node.start, element.node.start, before)
        file.replace(element.node.end, element.node.end, behind)

    return [run[index] for index in translate_options(file, elements, for_cuda=for_cuda, write=write, spread=spread)]


def _is_split(file: Script, node: Node) -> bool:
    """Whether it is a string of options outside of lists: one for nvcc, or one that a shell or `split` separates."""
    parent = node.parent
    if parent is None or node not in file.for_nvcc or not node.text.lstrip().startswith("-"):
        return False
    while parent.parent is not None and _fills_in(node, parent):
        node, parent = parent, parent.parent
    if parent.kind == COMPREHENSION or any(above.kind == COMPREHENSION for above in parent.above()):
        return False
    if parent.kind == CALL:
        return parent.children[0] is not node and parent.called not in {"append", "join"}
    return parent.kind in {ASSIGNMENT, KEYWORD, PAIR} or (
        parent.kind not in {LIST, TUPLE} and parent.children[0] is node
    )


def _fills_in(node: Node, parent: Node) -> bool:
    """Whether a text is part of the expression around it, as in `text + x`, `text % x` and `text.format(x)`."""
    if parent.kind == OPERATION:
        return parent.text == "+" or (parent.text == "%" and parent.children[0] is node)
    if parent.kind == ATTRIBUTE:
        return parent.text.endswith(".format")
    return parent.kind == CALL and parent.called == "format" and parent.children[0] is node


def begins_command(file: Script, node: Node) -> tuple[int, int] | None:
    """The place of nvcc in a string that is a command which calls it; None for other strings."""
    words = words_in(file.source.data, *node.inner, node.references) if "nvcc" in node.text.lower() else []
    if len(words) < 2 or file.is_said(node):
        return None
    first, second = (file.source.data[start:end] for start, end in words[:2])
    program = first.rpartition(b"/")[2].strip(b"${}").lower()
    return words[0] if program == b"nvcc" and (second[:1] in {b"-", b"$"} or b"." in second) else None


def _text(file: Script, node: Node, start: int) -> None:
    """Translate the words of a string from a place on."""
    end = _before_host_option(file, node, start)
    within = Node(STRING, start, end, "", node.parent)
    within.references = [place for place in node.references if place[0] >= start]

    is_one = len(node.text.split()) == 1

    def write(_: int, texts: list[str]) -> None:
        text = " ".join(texts)
        file.replace(start, end, without_added(text) if is_one else text)  # one option may be an element of a list

    if translate_options(file, [Element(within, within)], for_cuda=True, write=write):
        file.replace(start, end, "")


def _before_host_option(file: Script, node: Node, start: int) -> int:
    """Where the text ends, or where its last word begins: an option for the host whose value is joined to it."""
    parent, end = node.parent, node.inner[1]
    if parent is None or parent.kind != OPERATION or parent.children[-1] is node:
        return end
    words = words_in(file.source.data, start, end, node.references)
    first, last = words[-1] if words else (end, end)
    name, equals, _ = file.source.data[first:last].decode("utf-8", "surrogateescape").partition("=")
    flag = file.facts.flags.get(name)
    if flag is None or not (flag.host and flag.own) or (equals and last < end):
        return end
    file.left("HIP605", first, name, "option", HOST_ADVICE)
    return first


def drop_statements(file: Script, gone: list[Node]) -> None:
    """Take statements out; `pass` replaces them if a block has no other."""
    without, emptied = set(gone), dict[Node, bool]()
    for node in gone:
        block = node.parent
        if block is None or not _has_lines_to_itself(file, node):
            file.replace_whole(node.start, node.end, "pass")
            continue
        if block not in emptied:
            emptied[block] = block.parent is not None and without.issuperset(block.children)
        if emptied[block] and node is block.children[0]:
            file.replace_whole(node.start, node.end, "pass")
        else:
            file.drop(node.start, node.end)


def _has_lines_to_itself(file: Script, node: Node) -> bool:
    data, end = file.source.data, node.end
    while data[end : end + 1] in {b" ", b"\t", b"\r"}:
        end += 1
    return begins_line(data, node.start) and data[end : end + 1] in {b"", b"\n"}
