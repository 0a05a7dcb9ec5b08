"""nvcc's options and CUDA's libraries among the words of a command, or in the value of a variable."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hipify_py.build_systems.commands.site import InnerSite, Site, drop_words
from hipify_py.build_systems.commands.toolkit import NVCC
from hipify_py.build_systems.facts import Library
from hipify_py.build_systems.nvcc_options import NvccOption, option_of, report
from hipify_py.build_systems.shell_words import Quote, Word

_BARE = re.compile(r"[\w+=./:,%@^~$(){}-][\w+=./:,%@^~$(){} -]*", re.ASCII)
"""Texts that mean the same with and without quotes, except for the blanks that separate them into words."""

_LIBRARY_FILE = re.compile(r"(?:.*/)?lib(\w+?)(?:_static)?\.(?:so|a)(?:\.[\d.]+)?")

_LIBRARY_OPTION = "--library"
"""How nvcc spells `-l`, too."""


def translate_options(site: Site, words: Sequence[Word], *, for_cuda: bool) -> None:
    """Translate nvcc's options and the libraries among words.

    Args:
        site: where they are.
        words: the arguments of a command.
        for_cuda: whether they are nvcc's; otherwise an option counts only if no other compiler has its name.
    """
    gone: list[int] = []
    at = 0
    while at < len(words):
        word = words[at]
        texts = [other.text for other in words[at : at + 2]]
        option = option_of(texts, site.file.facts.flags, for_cuda=for_cuda)
        if for_cuda and word.text.partition("=")[0] == _LIBRARY_OPTION:
            site.replace(word.start, word.start + len(_LIBRARY_OPTION) + ("=" in word.text), "-l")
        elif option is not None and word.is_closed:
            at += _option(site, words, at, option, gone)
            continue
        if for_cuda and word.text == "-x" and texts[1:] == ["cu"]:
            site.replace(words[at + 1].start, words[at + 1].end, "hip")
            at += 2
            continue
        at += _library(site, words, at, gone)
    drop_words(site, words, gone)


def translate_options_in_value(site: Site, word: Word) -> None:
    """Translate nvcc's options in the value of an assignment."""
    data = site.shell.data
    equals = data.find(b"=", word.start, word.end) + 1
    if not equals:
        return
    quote = next((quote for quote in word.quotes if quote.start >= equals), None)
    if quote is not None and quote.start <= equals + 1 and quote.end >= word.end - 1 and quote.mark != "$'":
        inner = InnerSite(site, quote)
    elif not word.quotes:
        inner = InnerSite(site, Quote("", equals, word.end))
    else:
        return
    translate_options(inner, inner.shell.words(), for_cuda=True)


def _option(site: Site, words: Sequence[Word], at: int, option: NvccOption, gone: list[int]) -> int:
    """Translate one of nvcc's options; returns how many words it takes."""
    file, word, taken = site.file, words[at], words[at : at + option.words]
    if not option.has_counterpart or (option.text and not _is_writable(option, taken)):
        if option.has_counterpart:
            detail = "the quotes in its value are for the shell and for nvcc"
            file.left("HIP605", site.at(word.start), option.name, "option", detail)
        else:
            report(file, site.at(word.start), option)
        return option.words
    report(file, site.at(word.start), option)
    if "--genco" in option.text.split():
        file.finding("HIP606", site.at(word.start), f"{NVCC} {option.name}")
    if not option.text:
        gone += range(at, at + option.words)
    elif _BARE.fullmatch(option.text):
        site.replace(word.start, taken[-1].end, option.text)
    else:  # the value stays as it is written
        gone.append(at)
    return option.words


def _is_writable(option: NvccOption, words: Sequence[Word]) -> bool:
    """Whether the replacement of an option can be written in its place."""
    if _BARE.fullmatch(option.text):
        return True
    return option.flag.host and len(words) == 2 and not set(option.value) & set(", ")


def _library(site: Site, words: Sequence[Word], at: int, gone: list[int]) -> int:
    """Translate a library that is linked; returns how many words it takes."""
    word, text = words[at], words[at].text
    name, place, taken = "", 0, 1
    if text in ("-l", _LIBRARY_OPTION) and at + 1 < len(words):
        word, name, taken = words[at + 1], words[at + 1].text, 2
    elif text.startswith("-l"):
        name, place = text[2:], 2
    elif text.startswith(f"{_LIBRARY_OPTION}="):
        name, place = text.partition("=")[2], len(_LIBRARY_OPTION) + 1
    else:
        match = _LIBRARY_FILE.fullmatch(text)
        if match is None or match[1] not in site.file.facts.libraries:
            return 1
        name, place = match[1], match.start(1)
    library = site.file.facts.libraries.get(name)
    if library is None or library.imported or not word.is_plain:
        return 1
    _account(site, site.at(word.start), text, library)
    if library.drop:
        gone += range(at, at + taken)
    elif not library.unsupported:
        start = word.start + place
        site.replace(start, start + len(name), library.library)
        _static(site, word, start + len(name))
    return taken


def _static(site: Site, word: Word, at: int) -> None:
    """Make a static library a shared one: HIP has only shared ones of most."""
    data = site.shell.data
    for ending in (b"_static.a", b".a"):
        if data.startswith(ending, at) and at + len(ending) == word.end:
            site.replace(at, word.end, ".so")


def _account(site: Site, place: int, name: str, library: Library) -> None:
    if library.unsupported:
        site.file.left("HIP613", place, name, "library", library.unsupported)
    else:
        site.file.converted(place, name, "library")
