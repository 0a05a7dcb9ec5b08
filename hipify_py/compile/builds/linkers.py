"""Reads the messages of LLVM's and GNU's linkers."""

from __future__ import annotations

import re

from hipify_py.compile.builds.build_message import Said, words_of

_LINKER = re.compile(
    r"(?:\S*[/\\])?(?:ld\.lld|ld64\.lld|lld|wasm-ld)(?:-\d+)?: (?P<severity>error|warning): (?P<text>.*)"
)
_GNU_LINKER = re.compile(r"(?:\S*[/\\])?(?:\w+-\w+-\w+-)?ld(?:\.bfd|\.gold)?: (?P<text>.*)")
_OF_SYMBOL = re.compile(r"(?:undefined|duplicate)(?: \w+)? symbol: (?P<symbol>.*)")
_GNU_UNDEFINED = re.compile(
    r"(?P<object>[^\s:]+?):(?:(?P<line>\d+):|\([^()]*\):)? (?P<what>undefined reference to|multiple definition of)"
    r" [`'‘\"](?P<symbol>.*?)['’\"](?:;.*)?$"
)
_IN_FUNCTION = re.compile(r"(?:.*: )?(?P<object>[^\s:]+): in function [`'‘\"](?P<name>.*)['’\"]:$")
_NO_LIBRARY = re.compile(r"(?:cannot find|unable to find library) (?P<library>-l\S+?)(?::.*)?$")
_REFERENCE = re.compile(r">>>\s+(?:(?:referenced|defined) (?:by|at) )?(?P<place>.*)")
_IN_PARENTHESES = re.compile(r"\((?P<path>[^()]+):(?P<line>\d+)\)$")


class Linkers:
    """Hears the lines of linkers.

    Attributes:
        is_referred_to: the lines that follow, with `>>>`, are about the message that was read last.
    """

    def __init__(self) -> None:
        self.is_referred_to = False
        self._within = ("", "")

    def forget(self) -> None:
        """The command is over."""
        self._within = ("", "")

    def read(self, line: str, folder: str) -> tuple[Said, ...] | None:
        """The message in a line; None if it is not a linker's."""
        match = _LINKER.match(line)
        if match is not None:
            about = _OF_SYMBOL.match(match["text"])
            self.is_referred_to = True
            library = _NO_LIBRARY.match(match["text"])
            words = _library_words(library["library"]) if library else () if about else words_of(match["text"])
            return (Said(match["severity"], match["text"], words=words, symbol=about["symbol"] if about else ""),)
        match = _IN_FUNCTION.match(line)
        if match is not None:
            self._within = match["object"], match["name"]
            return ()
        match = _GNU_LINKER.match(line)
        text = match["text"] if match is not None else line
        undefined = _GNU_UNDEFINED.match(text)
        if undefined is not None:
            what = "undefined symbol" if undefined["what"].startswith("undefined") else "duplicate symbol"
            place = (undefined["object"], int(undefined["line"])) if undefined["line"] else ("", 0)
            said = Said(
                "error",
                f"{what}: {undefined['symbol']}",
                *place,
                symbol=undefined["symbol"],
                objects=(undefined["object"], *filter(None, self._within[:1])),
                within=self._within[1],
                folder=folder,
            )
            return (said,)
        library = _NO_LIBRARY.match(text) if match is not None else None
        if library is not None:
            return (Said("error", f"cannot find {library['library']}", words=_library_words(library["library"])),)
        return None

    @staticmethod
    def referred(said: Said, line: str) -> Said:
        """A message about a symbol, with the references to it that a following line lists."""
        match = _REFERENCE.match(line)
        if match is None:
            return said
        place = match["place"].strip()
        exact = _IN_PARENTHESES.search(place)
        if exact is not None and not said.path:
            said = said._replace(path=exact["path"], line=int(exact["line"]))
        name, _, function = place.partition(":(")
        within = said.within or function.removesuffix(")")
        return said._replace(objects=(*said.objects, name), within=within)


def _library_words(option: str) -> tuple[str, ...]:
    name = option.removeprefix("-l").removeprefix(":")
    return option, name, f"lib{name}.so", f"lib{name}.a"
