"""nvcc's options among adjacent strings, as in the lists of Python, Meson and similar languages."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from hipify_py.build_systems.expressions import CALL, JOINED, SPLAT, STRING, TUPLE, Node, head, walk
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.nvcc_options import NvccOption, apart, option_of, report

_OPAQUE = "\0"
"""The text of a word that is not a literal."""

_BY_GPU = frozenset({"-arch", "-code"})
"""Options that other compilers have, with other values."""
_GPUS = ("sm_", "compute_", "lto_", "native", "all")
_QUOTES = "'\""
HOST_ADVICE = "make this a list of options, each in its own string"


class Element(NamedTuple):
    """One of the things in a list.

    Attributes:
        node: the whole expression.
        string: the string that it begins with; None if it begins with none.
    """

    node: Node
    string: Node | None

    @property
    def is_literal(self) -> bool:
        """Whether it is a string and nothing more."""
        return self.node is self.string


class _Word(NamedTuple):
    element: int
    text: str
    start: int
    end: int


def elements_of(nodes: Iterable[Node]) -> list[Element]:
    """The elements that represent expressions."""
    return [_element(node) for node in nodes]


def _element(node: Node) -> Element:
    whole = _joined(node) if node.kind == JOINED else None
    if whole is not None:
        return Element(whole, whole)
    return Element(node, None if node.kind == SPLAT else head(node))


def _joined(node: Node) -> Node | None:
    """Adjacent strings, as the single one that they form (`'-O2' '-g'` is `-O2-g`); None for others."""
    parts = node.children
    if any(part.kind != STRING or part.references or "\\" in part.text for part in parts):
        return None
    text = "".join(part.text for part in parts)
    if len(text.split()) != 1:
        return None
    whole = Node(JOINED, node.start, node.end, text, node.parent)
    whole.inner = (parts[0].inner[0], parts[-1].inner[1])
    return whole


def translate_options(
    file: BuildFile,
    elements: Sequence[Element],
    *,
    for_cuda: bool,
    write: Callable[[int, list[str]], None],
    spread: Callable[[int, str], None] | None = None,
) -> list[int]:
    """Translate options; returns the indexes of the elements that have to be taken out.

    Args:
        file: where edits and findings go.
        elements: the adjacent elements.
        for_cuda: whether they are for nvcc only.
        write: called for an element that becomes several, with its index and their texts.
        spread: called for one that becomes several only at run time, with its index and what separates them.
    """
    words = [word for index, element in enumerate(elements) for word in _words(file, index, element)]
    new: dict[int, str] = {}
    at = 0
    split: set[int] = set()
    while at < len(words):
        if spread is not None and (host := _host_value(file, elements, words, at, for_cuda)):
            at = _several(file, elements, words, host, new, split, spread)
        else:
            at = _option(file, elements, words, at, new, for_cuda)
    gone = []
    by_element: dict[int, list[int]] = {}
    split |= _split(words, new)
    if spread is not None:
        split |= {word.element for word in words if _begins_host(file, elements[word.element], word)}
    for index, word in enumerate(words):
        by_element.setdefault(word.element, []).append(index)
    for number, indexes in by_element.items():
        if not any(index in new for index in indexes):
            continue
        texts = [new.get(index, words[index].text) for index in indexes]
        if not any(texts) and _goes_on(file, elements[number], words[indexes[-1]]):
            file.replace(words[indexes[0]].start, words[indexes[-1]].end, "")
            node = elements[number].node
            if spread is not None and b"-Wl," not in file.source.data[node.start : node.end]:
                spread(number, ",")
        elif not any(texts):
            gone.append(number)
        elif number in split and elements[number].is_literal:
            write(number, " ".join(texts).split())
        elif len(indexes) == 1 and " " in new[indexes[0]]:
            write(number, new[indexes[0]].split())
        else:
            _within(file, words, indexes, new)
    return gone


def _host_value(
    file: BuildFile, elements: Sequence[Element], words: Sequence[_Word], at: int, for_cuda: bool
) -> list[int]:
    """The option at an index and the words of its value, if one element holds several options for the host."""
    flag = file.facts.flags.get(words[at].text)
    if flag is None or not flag.host or not (for_cuda or flag.own) or at + 1 == len(words):
        return []
    number = words[at + 1].element
    if number == words[at].element:
        return []
    end = at + 1
    while end < len(words) and words[end].element == number:
        end += 1
    value = list(range(at + 1, end))
    if any(words[index].text[:1] in {*_QUOTES, "\\"} for index in value):
        return []
    element = elements[number]
    if _holds_expression(file, element, words[value[0]].start, words[value[-1]].end):
        return []
    if element.is_literal:
        is_one = len(value) == 1 and apart(words[value[0]].text) == words[value[0]].text
    elif element.string is None:
        is_one = element.node.kind != CALL or element.node.called != "join"
    else:
        is_one = not {" ", ","} & set(element.string.text)
    return [] if is_one else [at, *value]


def _is_worked_out(file: BuildFile, element: Element, first: _Word) -> bool:
    """Whether a host compiler's value, from a word on, may be several options, which only running the file shows."""
    if element.is_literal:
        return _holds_expression(file, element, first.start, first.end)
    if any(map(_joins, walk(element.node))):
        return True
    rest = [node for node in walk(element.node) if node.kind == STRING and node.start > first.start]
    data = file.source.data
    texts = [data[node.inner[0] : node.inner[1]] for node in rest]
    if element.string is not None:
        texts.append(data[first.start : element.string.inner[1]])
    return any(mark in text for text in texts for mark in (b",", b" "))


def _holds_expression(file: BuildFile, element: Element, start: int, end: int) -> bool:
    """Whether an f-string holds more than names in a range: `f"-Xcompiler={','.join(flags)}"`."""
    if element.string is None:
        return False
    places, data = element.string.references, file.source.data
    within = places[bisect_left(places, (start, start)) : bisect_left(places, (end, end))]
    return any(mark in data[first:last] for first, last in within for mark in (b",", b" ", b"join("))


def _joins(node: Node) -> bool:
    return node.kind == CALL and node.called == "join" and not node.function.endswith("path.join")


def _begins_host(file: BuildFile, element: Element, word: _Word) -> bool:
    """Whether an element is an option for the host with its value: `-Xcompiler=-fPIC -Wall`."""
    name, equals, _ = word.text.partition("=")
    flag = file.facts.flags.get(name) if equals else None
    is_first = element.string is not None and element.string.inner[0] == word.start
    return flag is not None and flag.host and flag.own and is_first


def _several(
    file: BuildFile,
    elements: Sequence[Element],
    words: Sequence[_Word],
    host: list[int],
    new: dict[int, str],
    split: set[int],
    spread: Callable[[int, str], None],
) -> int:
    """Write several options for the host as separate elements; returns the index after them."""
    option, *value = host
    number = words[value[0]].element
    element = elements[number]
    new[option] = ""
    if element.is_literal:
        split.add(number)
        new.update((index, apart(words[index].text)) for index in value)
    else:
        spread(number, "," if b"," in file.source.data[element.node.start : element.node.end] else "")
    return value[-1] + 1


def _split(words: Sequence[_Word], new: Mapping[int, str]) -> set[int]:
    """The elements that are several options in quotes, as the value of an option in the element before."""
    return {
        word.element
        for index, word in enumerate(words)
        if index and index in new and words[index - 1].element == word.element - 1 and word.text[:1] in {"'", '"'}
    }


def _goes_on(file: BuildFile, element: Element, last: _Word) -> bool:
    """Whether the value of an option for the host follows the option's string: `'-Xcompiler=' + flag`."""
    flag = file.facts.flags.get(last.text.removesuffix("="))
    return not element.is_literal and last.text.endswith("=") and flag is not None and flag.host


def _words(file: BuildFile, number: int, element: Element) -> list[_Word]:
    string, node = element.string, element.node
    if string is None:
        return [_Word(number, _OPAQUE, node.start, node.end)]
    data, (start, end) = file.source.data, string.inner
    if string.kind == JOINED:
        has_one_quote = data[start - 1] == data[end]
        return [_Word(number, string.text if has_one_quote else _OPAQUE, start, end)]
    found = []
    for first, last in words_in(data, start, end, string.references):
        found.append(_Word(number, data[first:last].decode("utf-8", "surrogateescape"), first, last))
    return found or [_Word(number, _OPAQUE, node.start, node.end)]


def words_in(data: bytes, start: int, end: int, references: Sequence[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """The places of the words in a range, separated by blanks outside of references."""
    found, first, at, skip = [], -1, start, 0
    while at < end:
        while skip < len(references) and references[skip][1] <= at:
            skip += 1
        if skip < len(references) and references[skip][0] <= at:
            first = at if first < 0 else first
            at = references[skip][1]
            continue
        if data[at] in b" \t\r\n":
            if first >= 0:
                found.append((first, at))
            first = -1
        elif first < 0:
            first = at
        at += 1
    if first >= 0:
        found.append((first, end))
    return found


def _option(
    file: BuildFile, elements: Sequence[Element], words: list[_Word], at: int, new: dict[int, str], for_cuda: bool
) -> int:
    word = words[at]
    if "\\" in word.text:
        return at + 1
    texts = [word.text, *(other.text for other in words[at + 1 : at + 2])]
    option = option_of(texts, file.facts.flags, for_cuda=for_cuda)
    if option is None:
        return at + 1
    if not for_cuda and option.flag.name in _BY_GPU and not option.value.startswith(_GPUS):  # another compiler's
        return at + 1
    following = at + option.words
    last = words[following - 1]
    has_value = bool(option.value) or word.text.endswith("=")
    if option.flag.host and has_value and _is_worked_out(file, elements[last.element], last):
        file.left("HIP605", word.start, option.name, "option", HOST_ADVICE)
        while following < len(words) and words[following].element == last.element:
            following += 1
        return following
    if option.value == _OPAQUE:
        return _with_unknown_value(file, elements, words, at, option, new)
    if not elements[last.element].is_literal and _ends(words, following) and option.flag.values is not None:
        option = option._replace(has_counterpart=False, value="given")  # more of the value follows
    report(file, word.start, option)
    if option.flag.host and option.words == 2 and (end := _quoted(words, following - 1)) > following:
        new[at] = ""
        for index in range(following - 1, end):
            new[index] = words[index].text.strip(option.value[0]).replace(",", " ")
        return end
    if option.has_counterpart:
        new.update(dict.fromkeys(range(at, following), ""))
        new[at] = _bare(option.text) if option.flag.host else option.text
        if option.words == 2 and option.flag.host:
            new[at], new[at + 1] = "", new[at]
    return following


def _quoted(words: list[_Word], first: int) -> int:
    """The index after the last word of a quoted text that begins at a word: `'-O2 -g'`; `first` if there is none."""
    mark = words[first].text[:1]
    if mark not in _QUOTES or not mark:
        return first
    for index in range(first, len(words)):
        if words[index].element != words[first].element:
            break
        if words[index].text.endswith(mark) and len(words[index].text) > (index == first):
            return index + 1
    return first


def _ends(words: list[_Word], following: int) -> bool:
    """Whether the word before an index is the last one of its element."""
    return following == len(words) or words[following].element != words[following - 1].element


def _with_unknown_value(
    file: BuildFile, elements: Sequence[Element], words: list[_Word], at: int, option: NvccOption, new: dict[int, str]
) -> int:
    """An option whose value is not a literal: an option for the host stays, an option without a replacement goes."""
    following = at + option.words
    value = elements[words[following - 1].element].node
    if option.flag.host:
        new[at] = ""
    elif option.flag.hip == "" and option.flag.values is None and value.kind != SPLAT:
        new[at] = new[following - 1] = ""
    else:
        option = option._replace(has_counterpart=False, value="given")
    report(file, words[at].start, option._replace(value="given"))
    return following


def _bare(text: str) -> str:
    """Options for the host without the quotes that nvcc removes."""
    if len(text) > 1 and text[0] in _QUOTES and text[-1] == text[0]:
        return text[1:-1]
    return text


def _within(file: BuildFile, words: list[_Word], indexes: list[int], new: dict[int, str]) -> None:
    """Write the words of one string: removed words take along the blank before them, or the one after them."""
    kept = False
    for place, index in enumerate(indexes):
        word, text = words[index], new.get(index)
        if text is None or text:
            kept = True
            if text:
                file.replace(word.start, word.end, text)
            continue
        start, end = word.start, word.end
        if kept:
            start = words[indexes[place - 1]].end
        elif place + 1 < len(indexes):
            end = words[indexes[place + 1]].start
        file.replace(start, end, "")


def drop_elements(
    file: BuildFile, container: Node, children: Sequence[Node], gone: Sequence[int], several: Collection[int] = ()
) -> None:
    """Take elements out of a list with their commas; lines that held nothing else go with them.

    The elements of `several` have become more than one.
    """
    data = file.source.data
    if len(gone) == len(children) and container.kind == TUPLE:
        file.replace_whole(container.start, container.end, "()")
        return
    is_single = container.kind == TUPLE and len(children) - len(gone) == 1 and not several
    if is_single and gone and len(children) - 1 not in gone and comma_behind(data, children[-1].end, container.end) < 0:
        end = whole(file, container, children[-1])[1]
        file.replace(end, end, ",")
    for first, last in _runs(data, children, gone):
        start, node = children[first].start, children[last]
        comma = comma_behind(data, node.end, children[last + 1].start if last + 1 < len(children) else container.end)
        if comma >= 0:
            end = comma + 1
            while data[end : end + 1] in {b" ", b"\t"}:
                end += 1
            if begins_line(data, start) and data[end : end + 1] in {b"\n", b"\r"}:
                file.drop(start, end)
            else:
                file.replace_whole(start, end, "")
        elif (before := _last_kept(first, gone)) >= 0:
            start = comma_behind(data, children[before].end, start)
            is_plain = start >= 0 and b"#" not in data[start : node.start]
            start += is_plain and is_single  # the only element of a tuple needs its comma
            file.replace_whole(start if is_plain else node.start, node.end, "")
        else:
            file.drop(start, node.end)


def whole(file: BuildFile, container: Node, element: Node) -> tuple[int, int]:
    """The place of an element, with the parentheses around it."""
    data, start, end = file.source.data, element.start, element.end
    while True:
        first, last = _before_blanks(file, start), _behind_blanks(file, end)
        if first - 1 <= container.start or data[first - 1 : first] + data[last : last + 1] != b"()":
            return start, end
        start, end = first - 1, last + 1


def _before_blanks(file: BuildFile, place: int) -> int:
    """Where blanks and comments before a place begin."""
    data = file.source.data
    while True:
        while place and data[place - 1] in b" \t\r\n":
            place -= 1
        at = bisect_left(file.comments, (place, place)) - 1
        if at < 0 or file.comments[at][1] < place:
            return place
        place = file.comments[at][0]


def _behind_blanks(file: BuildFile, place: int) -> int:
    """Where blanks and comments after a place end."""
    data = file.source.data
    while True:
        while data[place : place + 1] in {b" ", b"\t", b"\r", b"\n"}:
            place += 1
        at = bisect_left(file.comments, (place, place))
        if at == len(file.comments) or file.comments[at][0] > place:
            return place
        place = file.comments[at][1]


def begins_line(data: bytes, place: int) -> bool:
    """Whether only blanks precede a place on its line."""
    while place and data[place - 1] in b" \t":
        place -= 1
    return place == 0 or data[place - 1] == 0x0A


def _runs(data: bytes, children: Sequence[Node], gone: Sequence[int]) -> list[tuple[int, int]]:
    """The first and the last of adjacent elements that go, with no comment between them."""
    runs: list[tuple[int, int]] = []
    for index in sorted(gone):
        if runs and runs[-1][1] == index - 1 and b"#" not in data[children[index - 1].end : children[index].start]:
            runs[-1] = (runs[-1][0], index)
        else:
            runs.append((index, index))
    return runs


def _last_kept(index: int, gone: Sequence[int]) -> int:
    """The last element before one that stays; -1 if there is none."""
    without = set(gone)
    while index in without:
        index -= 1
    return index


def comma_behind(data: bytes, start: int, end: int) -> int:
    """The comma after an element, past comments; -1 if there is none."""
    at = start
    while at < end:
        byte = data[at]
        if byte == 0x2C:
            return at
        if byte == 0x23:
            at = data.find(b"\n", at)
            if at < 0:
                return -1
        elif byte not in b" \t\r\n\\)":
            return -1
        at += 1
    return -1


def literal(file: BuildFile, string: Node, text: str) -> str:
    """A text as a string like another one: with its prefix and its quotes."""
    data = file.source.data
    before = data[string.start : string.inner[0]].decode("ascii", "replace")
    after = data[string.inner[1] : string.end].decode("ascii", "replace")
    return f"{before}{text}{after}"


def write_several(file: BuildFile, element: Element, texts: Sequence[str]) -> None:
    """Write several elements in place of one."""
    string = element.string
    assert string is not None, "options can only be read from strings"
    first, rest = (texts[:-1], texts[-1])
    before = "".join(f"{literal(file, string, text)}, " for text in first)
    file.replace(string.inner[0], string.inner[1], rest)
    file.replace(element.node.start, element.node.start, before)
