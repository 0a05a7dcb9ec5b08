"""Reads headers as text: every word of them, and the public names of C++ libraries (CUB, Thrust, libcu++, NVTX).

Those libraries need the whole C++ standard library to parse, and write their namespaces through macros. Their
public names are found by a walk over the tokens that keeps account of braces and namespaces; bodies are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tools.tables.symbols import Symbol

_SUFFIXES = frozenset((".h", ".hpp", ".cuh", ".inl", ".hh", ""))
_NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n]){1,8}'", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_READ = {
    "cuda": re.compile(r"(cccl/)?(cub|thrust|nv|cuda)/|nvtx3/nvtx3\.hpp|cutensor\w*/"),
    "rocm": re.compile(r"(hipcub|rocprim|thrust|rocwmma|hiprand|rocrand)/|hip/.*cooperative"),
}
_TOKEN = re.compile(
    r"\n[ \t]*#(?:[^\n\\]|\\.)*"  # a directive, its continuation lines included
    r"|[A-Za-z_]\w*|::|\[\[|\]\]|->|[^\s\w]|\d[\w.]*",
    re.DOTALL,
)
_DEFINE = re.compile(r"\s*#\s*define\s+(\w+)(\()?[ \t]*(.*)", re.DOTALL)
_SPACE_MACRO = {
    "CUB_NAMESPACE_BEGIN": "cub",
    "BEGIN_HIPCUB_NAMESPACE": "hipcub",
    "BEGIN_ROCPRIM_NAMESPACE": "rocprim",
    "THRUST_NAMESPACE_BEGIN": "thrust",
    "_LIBCUDACXX_BEGIN_NAMESPACE_STD": "cuda::std",
    "_CCCL_BEGIN_NAMESPACE_CUDA_STD": "cuda::std",
    "_LIBCUDACXX_BEGIN_NAMESPACE_CUDA": "cuda",
    "_CCCL_BEGIN_NAMESPACE_CUDA": "cuda",
    "_LIBCUDACXX_BEGIN_NAMESPACE_CUDA_DEVICE": "cuda::device",
    "_CCCL_BEGIN_NAMESPACE_CUDA_DEVICE": "cuda::device",
    "_LIBCUDACXX_BEGIN_NAMESPACE_CUDA_PTX": "cuda::ptx",
    "_CCCL_BEGIN_NAMESPACE_CUDA_PTX": "cuda::ptx",
    "_CCCL_BEGIN_NAMESPACE_CUDA_MR": "cuda::mr",
    "_LIBCUDACXX_BEGIN_NAMESPACE_CUDA_MR": "cuda::mr",
}
_SPACE_END = re.compile(r"\w*(NAMESPACE\w*END|END\w*NAMESPACE)\w*")
_TRANSPARENT = re.compile(r"V\d+|v\d+|_V_\w+|__\d+|__v\d+|\w*NAMESPACE\w*|\w*ABI\w*|THRUST_\d+\w*|inline")
_HIDDEN = re.compile(r"_.*|unimplemented|detail\w*|\w+_detail|internal\w*|impl|anonymous")
_PUBLIC = re.compile(r"[A-Za-z]\w*")
_NO_NAME = re.compile(
    r"if|while|for|switch|return|sizeof|alignof|decltype|noexcept|alignas|requires|static_assert|throw|explicit|operator"
    r"|__attribute__|__launch_bounds__|__align__|__declspec|defined|typename|auto|const|int|void|bool|float|double|char"
    r"|long|short|unsigned|signed"
)
_MACRO = re.compile(r"_|CUB_|THRUST_|CCCL_|LIBCUDACXX_|NVTX|NV_|HIPCUB_|ROCPRIM_")
_NO_MACRO = re.compile(r"\w*PREVENT_MACRO_SUBSTITUTION")
_RECORDS = frozenset(("struct", "class", "union"))


def read_texts(include: Path) -> dict[str, str]:
    """The headers below a folder, by their paths; what stands in comments and strings is left out."""
    texts = {}
    for path in sorted(include.rglob("*")):
        if path.suffix in _SUFFIXES and path.is_file():
            text = path.read_bytes().decode("latin-1")
            texts[path.relative_to(include).as_posix()] = _NOT_CODE.sub(" ", text)
    return texts


def words(texts: dict[str, str]) -> dict[str, str]:
    """Every identifier of these headers, with the first header that has it."""
    found: dict[str, str] = {}
    for header, text in texts.items():
        for word in set(_WORD.findall(text)):
            found.setdefault(word, header)
    return found


def read_device_headers(texts: dict[str, str], side: str) -> Iterator[Symbol]:
    """The public names that the C++ libraries of a set declare, with their namespaces."""
    for header, text in texts.items():
        if _READ[side].match(header):
            yield from _Walk(header).read(text)


class _Walk:
    """One header: the namespaces that are open, and the words of the statement at hand."""

    def __init__(self, header: str) -> None:
        self.header = header
        self.scopes: list[str] = []
        self.statement: list[str] = []
        self.branches: list[list[str]] = []

    def read(self, text: str) -> Iterator[Symbol]:
        tokens = iter(_TOKEN.findall("\n" + text))
        for token in tokens:
            if token[0] == "\n":
                yield from self._directive(token)
            elif token in _SPACE_MACRO:
                yield from self._symbol(_SPACE_MACRO[token], "namespace")
                self.scopes.append(_SPACE_MACRO[token])
                self.statement = []
            elif _SPACE_END.fullmatch(token):
                self._close()
            elif token == "{":
                yield from self._opened(tokens)
            elif token == "}":
                self._close()
            elif token == ";":
                yield from self._ended()
                self.statement = []
            else:
                self.statement.append(token)

    def _close(self) -> None:
        if self.scopes:
            self.scopes.pop()
        self.statement = []

    def _directive(self, token: str) -> Iterator[Symbol]:
        directive = _directive_name(token)
        if directive == "if":
            self.branches.append(list(self.scopes))
        elif directive == "else" and self.branches:
            self.scopes = list(self.branches[-1])
        elif directive == "endif" and self.branches:
            self.branches.pop()
        define = _DEFINE.match(token)
        if define and _PUBLIC.fullmatch(define[1]) and (define[2] or define[3].strip()):
            value = "" if define[2] else " ".join(define[3].replace("\\\n", " ").split())
            yield Symbol(define[1], "macro", header=self.header, value=value)

    def _opened(self, tokens: Iterator[str]) -> Iterator[Symbol]:
        """A brace: of a namespace, which is entered, or of a body, which is skipped."""
        statement, self.statement = _without_templates(self.statement), []
        if "namespace" in statement and "using" not in statement:
            names = [word for word in statement[statement.index("namespace") + 1 :] if _WORD.fullmatch(word)]
            shown = [name for name in names if not _TRANSPARENT.fullmatch(name)]
            if shown:
                yield from self._symbol("::".join(shown), "namespace")
            self.scopes.append("::".join(shown) if names else "anonymous")
            return
        if statement[:1] == ["extern"] and "(" not in statement:
            self.scopes.append("")
            return
        body = list(self._body(tokens))
        if "enum" in statement and "(" not in statement:
            name = _record_name(statement, "enum")
            yield from self._symbol(name, "type")
            scope = f"{name}::" if _RECORDS & set(statement) else ""
            for word in _enumerators(body):
                yield from self._symbol(scope + word, "enumerator")
            self.statement = ["enum"]
        else:
            yield from self._named(statement)
            if _RECORDS & set(statement) and "(" not in statement:
                self.statement = ["struct"]

    def _body(self, tokens: Iterator[str]) -> Iterator[str]:
        """The tokens up to the brace that closes the one just read; of a condition's branches, the first counts."""
        depth = 1
        conditions = 0
        passed_over = 0
        for token in tokens:
            directive = _directive_name(token)
            if passed_over:
                passed_over += {"if": 1, "endif": -1}.get(directive, 0)
                if passed_over:
                    continue
            elif directive == "else":
                passed_over = 1
                continue
            if directive == "endif" and not conditions and self.branches:
                self.branches.pop()  # a condition that began before the brace
            conditions += {"if": 1, "endif": -1 if conditions else 0}.get(directive, 0)
            depth += {"{": 1, "}": -1}.get(token, 0)
            if not depth:
                return
            yield token

    def _ended(self) -> Iterator[Symbol]:
        """A statement without a body."""
        statement = _without_templates(self.statement)
        if len(statement) < 2 or statement[0] in ("enum", "friend", "static_assert"):
            return
        if statement[0] == "using" and "namespace" not in statement:
            if "=" in statement:
                yield from self._symbol(statement[1], "type")
            else:
                yield from self._symbol(statement[-1], "function")
        elif statement[0] == "typedef":
            yield from self._symbol(next((w for w in reversed(statement) if _WORD.fullmatch(w)), ""), "type")
        elif statement != ["struct"]:
            yield from self._named(statement)

    def _named(self, statement: list[str]) -> Iterator[Symbol]:
        """What a statement declares, by the place of its name."""
        head = statement[: statement.index("=")] if "=" in statement and "operator" not in statement else statement
        records = [place for place, word in enumerate(head) if word in _RECORDS]
        function = _function_name(head)
        if function:
            yield from self._symbol(function, "function")
        elif "operator" in head or "friend" in head:
            return
        elif records:
            yield from self._symbol(_record_name(head, head[records[0]]), "type")
        elif "(" not in head and len([word for word in head if _WORD.fullmatch(word)]) > 1:
            name = head[: head.index("[")] if "[" in head else head
            yield from self._symbol(name[-1] if name else "", "variable")

    def _symbol(self, name: str, kind: str) -> Iterator[Symbol]:
        scope = [part for part in "::".join(self.scopes).split("::") if part]
        if not _PUBLIC.match(name) or _NO_NAME.fullmatch(name) or any(_HIDDEN.fullmatch(part) for part in scope):
            return
        yield Symbol("::".join([*scope, name]), kind, header=self.header)


def _directive_name(token: str) -> str:
    """`if`, `else` or `endif` for a directive of that sort; nothing for any other token."""
    words = token.replace("#", " ").split(None, 1) if token[0] == "\n" else []
    return {"ifdef": "if", "ifndef": "if", "elif": "else"}.get(words[0], words[0]) if words else ""


def _enumerators(body: list[str]) -> Iterator[str]:
    depth = 0
    fresh = True
    for token in body:
        if token[0] == "\n":
            continue
        if fresh and _WORD.fullmatch(token):
            yield token
            fresh = False
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(token, 0)
        fresh = fresh or (token == "," and not depth)


def _without_templates(statement: list[str]) -> list[str]:
    """A statement without its template heads, its attributes and the arguments of templates."""
    kept: list[str] = []
    depth = attributes = 0
    for place, token in enumerate(statement):
        if token in ("[[", "]]"):
            attributes += 1 if token == "[[" else -1
        elif attributes > 0 or _NO_MACRO.fullmatch(token):
            continue
        elif token == "<" and (depth or (place and _is_name(statement[place - 1]))):
            depth += 1
        elif token == ">" and depth:
            depth -= 1
            if not depth and kept[-1:] != ["template"]:
                kept.append("<>")
            elif not depth:
                kept.pop()
        elif not depth:
            kept.append(token)
    return kept


def _is_name(token: str) -> bool:
    return bool(_WORD.fullmatch(token))


def _function_name(statement: list[str]) -> str:
    """The name before the parameters: the first before a bracket that is no keyword, no macro's and not reserved."""
    if "operator" in statement:
        return ""
    depth = 0
    names = []
    for place, token in enumerate(statement):
        if token == "(":
            before = statement[place - 1] if place and not depth else ""
            if _is_name(before) and not _NO_NAME.fullmatch(before) and statement[place - 2 : place - 1] != ["->"]:
                names.append(before)
            depth += 1
        elif token == ")":
            depth -= 1
    plain = [name for name in names if name.upper() != name and not name.startswith("_")]
    shouted = [name for name in names if name.upper() == name and not _MACRO.match(name)]
    return (plain or shouted or [""])[0]


def _record_name(statement: list[str], keyword: str) -> str:
    """The name of a class or enumeration; nothing for a specialization or one without a name."""
    rest = statement[statement.index(keyword) + 1 :]
    depth = 0
    names: list[str] = []
    for token in rest:
        if token in ("(", ")"):
            depth += 1 if token == "(" else -1
            if token == "(" and names:
                names.pop()
        elif depth:
            continue
        elif token == ":":
            break
        elif token == "<>":
            return ""
        elif _is_name(token) and token not in ("final", "class", "struct"):
            names.append(token)
    return names[-1] if names else ""
