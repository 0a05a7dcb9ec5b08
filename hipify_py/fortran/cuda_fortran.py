"""What a Fortran source uses of CUDA Fortran.

The constructs are those of the CUDA Fortran Programming Guide of NVIDIA's HPC SDK; the CUDA functions are those of the
mapping tables, which Fortran calls by the same names in any case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from hipify_py.catalog import load_catalog
from hipify_py.fortran.statements import NAME, STRING, Statement, Token, statements_of

DATA_ATTRIBUTES = ("device", "managed", "pinned", "constant", "shared", "texture", "unified")
"""The attributes of data that CUDA Fortran adds."""

MODULES = frozenset(
    {
        "cudafor",
        "cudadevice",
        "cooperative_groups",
        "cublas",
        "cublas_v2",
        "cublasxt",
        "cufft",
        "cufftxt",
        "curand",
        "curand_device",
        "cusolver_common",
        "cusolverdn",
        "cusolvermg",
        "cusolvermp",
        "cusolverrf",
        "cusolversp",
        "cusparse",
        "cutensor",
        "cutensorex",
        "nccl",
        "nvml",
        "nvshmem",
        "nvtx",
        "wmma",
    }
)
"""The modules of NVIDIA's compiler that give Fortran CUDA's functions."""

_LIBRARIES = frozenset(
    {
        "runtime",
        "driver",
        "cublas",
        "cublaslt",
        "cudnn",
        "cufft",
        "curand",
        "cusolver",
        "cusparse",
        "cusparselt",
        "cutensor",
        "nccl",
        "nvml",
        "nvshmem",
    }
)
"""The libraries whose functions count; projects call wrappers of their own by the names of NVTX."""

_OWN = ("cudaForGetDefaultStream", "cudaForSetDefaultStream", "cudaForAllocateStream")
"""Functions of the module cudafor that CUDA does not have otherwise."""

_THUNKS = "cublas_"
"""How the names of the wrappers begin that CUDA's toolkit has for Fortran compilers without CUDA (`cublas_dgemm`)."""

_MOST_ATTRIBUTES = 16
"""Words between the brackets of `attributes` that are read."""

_TYPES = frozenset({"integer", "real", "complex", "logical", "character", "double", "type", "class", "byte"})
_KERNELS = frozenset({"global", "grid_global"})
_SUBPROGRAMS = frozenset({"subroutine", "function"})


class CudaFortran(NamedTuple):
    """What a Fortran source uses of CUDA.

    Attributes:
        kernels: the names of the kernels that it defines (`attributes(global)`).
        device_subprograms: the names of the subprograms that it defines for the device.
        loops: how many loops follow a `!$cuf kernel do`.
        launches: how many kernels are launched with chevrons.
        calls: how often each CUDA function is called, by its name in C.
        interfaces: the CUDA functions that it declares itself, by `bind(c, name="…")`.
        variables: how many variables have each of `DATA_ATTRIBUTES`.
        modules: the modules of CUDA that it uses, each once.
        conditional: how many statements follow a `!@cuf`.
        first: where the first of these begins, in characters; -1 if there is none.
        first_name: what that is.
    """

    kernels: tuple[str, ...] = ()
    device_subprograms: tuple[str, ...] = ()
    loops: int = 0
    launches: int = 0
    calls: Mapping[str, int] = {}
    interfaces: tuple[str, ...] = ()
    variables: Mapping[str, int] = {}
    modules: tuple[str, ...] = ()
    conditional: int = 0
    first: int = -1
    first_name: str = ""


def cuda_fortran_in(path: str, text: str) -> CudaFortran:
    """What a source uses; the name of the file tells its form."""
    reader = _Reader()
    for statement in statements_of(path, text):
        reader.read(statement)
    return reader.found()


class _Reader:
    """Reads statements, and adds up what they use."""

    def __init__(self) -> None:
        self.kernels: list[str] = []
        self.device: list[str] = []
        self.loops = self.launches = self.conditional = 0
        self.calls: Counter[str] = Counter()
        self.interfaces: dict[str, None] = {}
        self.variables: Counter[str] = Counter()
        self.modules: dict[str, None] = {}
        self.first = -1
        self.first_name = ""
        self._declares = False
        """Within an interface block, which defines nothing."""

    def found(self) -> CudaFortran:
        """The result."""
        return CudaFortran(
            tuple(self.kernels),
            tuple(self.device),
            self.loops,
            self.launches,
            dict(self.calls),
            tuple(self.interfaces),
            dict(self.variables),
            tuple(self.modules),
            self.conditional,
            self.first,
            self.first_name,
        )

    def read(self, statement: Statement) -> None:
        """Add a statement."""
        words = statement.words
        if statement.is_directive:
            if words[:2] == ["kernel", "do"]:
                self.loops += 1
                self._note(statement.tokens[0], "!$cuf")
            return
        if statement.is_conditional:
            self.conditional += 1
            self._note(statement.tokens[0], "!@cuf")
        if words[0] == "interface" or words[:2] == ["abstract", "interface"]:
            self._declares = words[1:2] not in (["="], ["("], ["%"])
        elif words[0] == "endinterface" or words[:2] == ["end", "interface"]:
            self._declares = False
        elif words[0] == "use":
            self._use(statement.tokens)
        else:
            self._statement(statement.tokens, words)

    def _use(self, tokens: Sequence[Token]) -> None:
        """`use cudafor`, `use, intrinsic :: m`, `use m, only: a`."""
        words = [token.text for token in tokens]
        at = words.index("::") + 1 if "::" in words else 1
        if words[at : at + 1] and words[at] in MODULES and words[1] != "=":
            self.modules[words[at]] = None
            self._note(tokens[at], words[at])

    def _statement(self, tokens: Sequence[Token], words: Sequence[str]) -> None:
        head = _subprogram(words)
        if head is not None:
            self._subprogram(tokens, *head)
        elif words[:2] == ["attributes", "("] and ")" in words:
            self._attributes(tokens, words)
        elif words[0] in _TYPES and "::" in words:
            self._declaration(tokens, words)
        self._uses(tokens, head)

    def _subprogram(self, tokens: Sequence[Token], attributes: frozenset[str], at: int) -> None:
        """The head of a subroutine or a function, the name of which is at a place."""
        for name in _bound_names(tokens):
            self.interfaces[name] = None
            self._note(tokens[at], tokens[at].written)
        if self._declares:
            return
        if attributes & _KERNELS:
            self.kernels.append(tokens[at].written)
            self._note(tokens[0], "attributes(global)")
        elif "device" in attributes:
            self.device.append(tokens[at].written)
            self._note(tokens[0], "attributes(device)")

    def _attributes(self, tokens: Sequence[Token], words: Sequence[str]) -> None:
        """`attributes(device) :: a, b`."""
        end = words.index(")")
        start = end + 1 + (words[end + 1 : end + 2] == ["::"])
        self._count(tokens, words[2:end], start)

    def _declaration(self, tokens: Sequence[Token], words: Sequence[str]) -> None:
        """`real, device, allocatable :: a(:), b(:)`."""
        colons = next((at for at, word, depth in _by_depth(words) if word == "::" and depth == 0), -1)
        if colons < 0:
            return
        parts = [word for at, word, depth in _by_depth(words[:colons]) if depth == 0 and words[at - 1] == "," and at]
        self._count(tokens, parts, colons + 1)

    def _count(self, tokens: Sequence[Token], attributes: Sequence[str], start: int) -> None:
        """Count the variables of a declaration, which begin at a place."""
        named = [attribute for attribute in DATA_ATTRIBUTES if attribute in attributes]
        words = [token.text for token in tokens[start:]]
        if named and words:
            number = 1 + sum(word == "," and depth == 0 for _, word, depth in _by_depth(words))
            for attribute in named:
                self.variables[attribute] += number
            self._note(tokens[0], named[0])

    def _uses(self, tokens: Sequence[Token], head: object) -> None:
        """Launches and calls, wherever in a statement."""
        for at, token in enumerate(tokens):
            if token.text == "<<<" and _is_launch(tokens, at):
                self.launches += 1
                self._note(token, "<<<")
            if token.kind != NAME or head is not None:
                continue
            name = _function(token.text)
            if name is not None and _is_call(tokens, at):
                self.calls[name] += 1
                self._note(token, token.written)

    def _note(self, token: Token, name: str) -> None:
        if self.first < 0:
            self.first, self.first_name = token.offset, name


def _subprogram(words: Sequence[str]) -> tuple[frozenset[str], int] | None:
    """The attributes of a subprogram whose head a statement is, and the index of its name; None for other statements.

    Before the keyword there are prefixes (`pure`, `attributes(global)`) and the type of a function's result.
    """
    attributes: set[str] = set()
    inside: list[str] = []
    depth = 0
    for at, word in enumerate(words):
        if word == "(":
            depth += 1
            if depth == 1:
                inside = _attributes_at(words, at)
        elif word == ")":
            depth -= 1
        elif depth == 0:
            if word in _SUBPROGRAMS and at + 1 < len(words) and words[at + 1].isidentifier():
                return frozenset(attributes), at + 1
            if not word.isidentifier() and word not in {"*", ","} and not word.isdigit():
                return None
            if word == "end":
                return None
        attributes.update(inside)
        inside = []
    return None


def _attributes_at(words: Sequence[str], at: int) -> list[str]:
    """What is between brackets that open at a place, if they belong to `attributes`."""
    if at == 0 or words[at - 1] != "attributes":
        return []
    inside = words[at + 1 : at + _MOST_ATTRIBUTES]
    return [word for word in takewhile(lambda word: word != ")", inside) if word != ","]


def _bound_names(tokens: Sequence[Token]) -> Iterator[str]:
    """The CUDA functions that the head of a subprogram is bound to: `bind(c, name="cudaMalloc")`."""
    for at, token in enumerate(tokens):
        if token.kind == STRING and at > 1 and tokens[at - 1].text == "=" and tokens[at - 2].text == "name":
            name = _function(token.text[1:-1].strip().lower())
            if name is not None:
                yield name


def _is_launch(tokens: Sequence[Token], at: int) -> bool:
    """Chevrons after `call NAME`, or after a component of an object."""
    before = at - 1
    while before >= 0 and (tokens[before].kind == NAME or tokens[before].text == "%"):
        if tokens[before].text == "call":
            return before < at - 1
        before -= 1
    return False


def _is_call(tokens: Sequence[Token], at: int) -> bool:
    """A name followed by arguments, or after `call`, that is not a component, nor the name of an argument."""
    before = tokens[at - 1].text if at else ""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if before == "%" or (before in _SUBPROGRAMS and after != "("):
        return False
    return after == "(" or before == "call"


def _by_depth(words: Sequence[str]) -> Iterator[tuple[int, str, int]]:
    """The words with their indexes, and with the number of brackets that they are in."""
    depth = 0
    for at, word in enumerate(words):
        depth -= word in {")", "]"}
        yield at, word, depth
        depth += word in {"(", "["}


def _function(word: str) -> str | None:
    """The CUDA function that a name means: as it is, or as Fortran's older interfaces write it (`cublas_dgemm`)."""
    functions = _functions()
    found = functions.get(word) or functions.get(word.removesuffix("_v2"))
    if found is None and word.startswith(_THUNKS):
        found = functions.get(word.replace("_", ""))
    return found


@cache
def _functions() -> Mapping[str, str]:
    """CUDA's functions by their names in lower case."""
    catalog = load_catalog()
    names = {
        row.name.lower(): row.name for row in catalog.rows() if row.kind == "function" and row.library in _LIBRARIES
    }
    return {**names, **{name.lower(): name for name in _OWN}}
