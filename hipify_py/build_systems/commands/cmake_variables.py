"""CMake variables that command lines set: `cmake -DCMAKE_CUDA_COMPILER=…`."""

from __future__ import annotations

import re

from hipify_py.build_systems.commands.options import translate_options_in_value
from hipify_py.build_systems.commands.site import InnerSite, Site, drop_words
from hipify_py.build_systems.shell_words import WORD, Command, Word

_DEFINES = "-D"
_NAME_END = re.compile("[:=]")


def translate_call_of_cmake(site: Site, command: Command) -> None:
    """Translate the variables among the arguments of cmake."""
    gone: list[int] = []
    words = command.words
    for at, word in enumerate(words[1:], 1):
        if word.text == _DEFINES:
            if at + 1 < len(words) and _variable(site, words[at + 1], 0):
                gone += [at, at + 1]
        elif word.text.startswith(_DEFINES) and _variable(site, word, len(_DEFINES)):
            gone.append(at)
    drop_words(site, words, gone)


def translate_flags_of_cmake(site: Site, word: Word) -> None:
    """Translate the variables in the value of an assignment."""
    quote = word.quotes[0] if len(word.quotes) == 1 and word.quotes[0].mark != "$'" else None
    if quote is not None:
        inner = InnerSite(site, quote)
        words = [one for one in inner.shell.words() if one.kind == WORD]
        gone = [
            n for n, one in enumerate(words) if one.text.startswith(_DEFINES) and _variable(inner, one, len(_DEFINES))
        ]
        drop_words(inner, words, gone)


def _variable(site: Site, word: Word, offset: int) -> bool:
    """Translate a variable that a word sets after an offset; True if the word has to go."""
    file = site.file
    name = _NAME_END.split(word.text[offset:], maxsplit=1)[0]
    row = file.facts.variables.get(name)
    if row is None:
        return False
    place = site.at(word.start)
    if row.get("set") == "drop" or (row.get("found") and "unsupported" not in row):
        file.converted(place, name, "variable")
        if "finding" in row:
            file.finding(row["finding"], place, name)
        return True
    at = site.shell.data.find(name.encode(), word.start, word.end)
    if "hip" in row and at >= 0:
        site.replace(at, at + len(name), row["hip"])
        file.converted(place, name, "variable")
    elif "unsupported" in row:
        file.left("HIP601", place, name, "variable", row["unsupported"])
    if "holds" in row:
        translate_options_in_value(site, word, for_cuda=True)
    return False
