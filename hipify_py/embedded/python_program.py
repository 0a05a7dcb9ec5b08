"""Translates the GPU code of a Python program, in place: its sources in strings, and the options that go with them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from hipify_py.build_systems.expressions import (
    ATTRIBUTE,
    CALL,
    NAME,
    OPERATION,
    STATEMENT,
    STRING,
    SUBSCRIPT,
    Node,
)
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.python.reader import read
from hipify_py.build_systems.python.rules import renames
from hipify_py.build_systems.python.script import Script
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.project_context import NO_PROJECT, OwnMacro, ProjectContext
from hipify_py.core.source import Source, UnreadableSource
from hipify_py.core.translation import CONVERTED, NATIVE, NO_WARPS, UNSUPPORTED, Reference, Translation
from hipify_py.embedded.compiler_options import CompilerOptions
from hipify_py.embedded.imports import Imports
from hipify_py.embedded.literals import Constant, Literal, LiteralText, Piece, Unwritable
from hipify_py.embedded.package_findings import PackageFindings
from hipify_py.embedded.packages import HIPCC, Constructor, given, packages
from hipify_py.embedded.string_values import Elsewhere, SourceFile, StringValues, Template, Text, Value
from hipify_py.support_header.inlined import INLINED
from hipify_py.translator.run_time_source import translate_string

LIBRARY = "python"

_RUN_TIME = "HIP240"

_DEVICE_CODE = re.compile(r"__global__|__device__")
_VALUE = b"hipify_py_value"
"""What stands for a value that a program fills into a template."""
_LOOKING = frozenset({"in", "not in", "==", "!="})
_LOOKING_METHODS = frozenset(
    {"index", "find", "rfind", "rindex", "count", "split", "rsplit", "splitlines", "partition", "rpartition"}
)
_INCLUDED = re.compile(r"#[ \t]*include[ \t]*[<\"]([^<>\"\s]+)[>\"]")
_PATH = re.compile(rb"[\w/.]+")
_LAUNCH = "<<<>>>"
"""HIP's compiler takes CUDA's launches, too."""
_DEFINITIONS = "preamble"
_NOT_HERE = "what it gets cannot be followed to a text in this file"
_MOST_NAMED = 6


_BEFORE_BODY, _AFTER_BODY = b"__device__ void hipify_py_body() {\n", b"\n}\n"


class _Use(NamedTuple):
    """A source that a constructor gets.

    Attributes:
        literals: what it is made of.
        is_run_time: whether hipRTC compiles it.
        is_body: whether it consists of statements, which a package puts into a kernel of its own.
        is_whole: whether it is compiled by itself, so that definitions can be added to it.
    """

    literals: tuple[Node, ...]
    is_run_time: bool
    is_body: bool
    is_whole: bool


def outer_sources(data: bytes) -> tuple[tuple[str, str], ...]:
    """The sources of other files that a program has compiled at run time.

    Each is the name of a file as the program writes it and nothing more, which it reads or which a source of its own
    includes, or a module and a name in it; relative modules begin with dots.
    """
    return tuple(PythonProgram(Source(data, ""), DEFAULT_OPTIONS, NO_PROJECT).outer_sources())


class PythonProgram:
    """A Python program under translation.

    Attributes:
        file: its nodes, edits and findings.
    """

    def __init__(self, source: Source, options: Options, project: ProjectContext) -> None:
        self.file = Script(source, LIBRARY, read(source.data), options, project)
        self._suppressed: list[Finding] = []  # by comments in its sources
        self._warps = NO_WARPS  # those of its sources
        self._packages = packages()
        self._values = StringValues(self.file.nodes, source.data)
        self._imports = Imports(self.file)
        self._seen: set[Node] = set()
        self._in_templates: set[Node] = set()
        self._counted: set[Reference] = set()
        self._project = project._replace(macros=project.macros | _defined_by_headers(source.data))

    def translate(self) -> Translation:
        """Translate the program, with the findings and warp operations of its sources.

        Raises:
            TableError: if the mapping tables cannot be loaded.
        """
        options = CompilerOptions(self.file, self._values)
        uses: list[_Use] = []
        for node in self.file.nodes:
            constructor = self._constructor(node) if node.kind == CALL else None
            if constructor is not None:
                uses += self._sources(node, constructor)
                options.translate(node, constructor)
        uses += self._taken_by_others()
        self._translate(dict.fromkeys(uses))
        self._unreached()
        PackageFindings(self.file, self._imports).report()
        renames.apply(self.file)
        translation = finished(self.file)
        translation.suppressed += self._suppressed
        translation.warps = self._warps
        return translation

    def outer_sources(self) -> Iterator[tuple[str, str]]:
        """The sources of other files that constructors get; see the function of this name."""
        for node in self.file.nodes:
            constructor = self._constructor(node) if node.kind == CALL else None
            if constructor is not None and constructor.compiler != HIPCC:
                for _, argument in given(node, constructor.code):
                    for value in self._values.of(argument):
                        if isinstance(value, SourceFile):
                            yield value.name.text, ""
                        elif isinstance(value, Template):
                            yield from ((file.name.text, "") for file in value.files)
                        elif isinstance(value, Elsewhere) and (of := self._imports.origin(value.place.text)):
                            yield of
                        for literal in value.literals if isinstance(value, Text | Template) else ():
                            yield from ((path, "") for path in _INCLUDED.findall(literal.text))

    def _constructor(self, node: Node) -> Constructor | None:
        origin = self._imports.origin(node.function)  # `from cupy import RawKernel as Kernel`
        found = self._packages.constructors.get(node.called if origin is None else origin[1])
        if found is None or not found.of:
            return found
        return found if any(self._imports.of(package) for package in found.of) else None

    def _taken_by_others(self) -> Iterator[_Use]:
        """The sources that other programs of the project take from this one."""
        for name in sorted(self.file.project.run_time_names):
            for assigned in self._values.of_module(name):
                for value in self._values.of(assigned):
                    if isinstance(value, Text):
                        self._seen.update(value.literals)
                        yield _Use(value.literals, is_run_time=True, is_body=False, is_whole=True)
                    elif isinstance(value, Template):
                        self._template(value, is_run_time=True)

    def _sources(self, node: Node, constructor: Constructor) -> Iterator[_Use]:
        """The sources that a constructor gets; those that are not literals are reported."""
        is_run_time = constructor.compiler != HIPCC
        for arguments in (constructor.code, constructor.host, constructor.body):
            is_part = arguments is constructor.body
            for name, argument in given(node, arguments):
                is_body = is_part and name != _DEFINITIONS
                for value in self._values.of(argument):
                    if constructor.takes_others and not _has_kernels(value):
                        continue
                    if isinstance(value, Text):
                        self._seen.update(value.literals)
                        yield _Use(value.literals, is_run_time, is_body, not is_part)
                    elif isinstance(value, Template):
                        self._template(value, is_run_time=is_run_time)
                    elif (
                        isinstance(value, Elsewhere)
                        and arguments is constructor.code
                        and self._imports.origin(value.place.text) is None  # else the other file's, where it is told
                    ):
                        self._report(node.children[0].end - len(node.called), node.called, _NOT_HERE)

    def _template(self, value: Template, *, is_run_time: bool) -> None:
        """Report what would have to change in a text that is put together at run time."""
        self._seen.update(value.literals)
        self._in_templates.update(value.literals)
        names = self._to_change(value.literals, is_run_time=is_run_time)
        if names:
            place = min((literal.start for literal in value.literals), default=value.place.start)
            self._report(place, "", f"{value.how} makes it of text with {_listed(names)}")

    def _to_change(self, literals: Sequence[Node], *, is_run_time: bool) -> list[str]:
        """The names in literals of a template that a translation would change or report; all are counted."""
        text = LiteralText(self.file.source.data, [*self._pieces(literals)])
        plain = self.file.options._replace(launch="chevron")  # HIP's compiler takes CUDA's launches, too
        done = self._translated(text.value, plain, is_run_time=is_run_time)
        if done is None:
            return []
        return self._kept_names(text, done)

    def _kept_names(self, text: LiteralText, translation: Translation) -> list[str]:
        """The names that a translation would change or report in a text that stays as it is; all are counted."""
        names = _changed_names(translation, text.value)
        for each in translation.references:
            outcome = UNSUPPORTED if each.name in names else NATIVE if each.outcome == CONVERTED else each.outcome
            self._refer(each._replace(offset=text.place(each.offset), outcome=outcome))
        return names

    def _pieces(self, literals: Sequence[Node]) -> Iterator[Piece]:
        """The pieces of a template's text: its literals, with a name in place of each value, on lines of their own."""
        for node in literals:
            whole = Literal.of(self.file.source.data, node)
            place = whole.start
            for start, end in node.references:
                yield whole.part(place, start)
                yield Constant(start, end, _VALUE)
                place = end
            yield whole.part(place, whole.end)
            yield Constant(whole.end, whole.end, b"\n")

    def _refer(self, reference: Reference) -> None:
        """Count a reference, once."""
        if reference not in self._counted:
            self._counted.add(reference)
            self.file.references.append(reference)

    def _translated(
        self, text: bytes, options: Options, *, is_run_time: bool, is_body: bool = False
    ) -> Translation | None:
        """The translation of a source; None for one that cannot be read."""
        file = self.file
        whole = _BEFORE_BODY + text + _AFTER_BODY if is_body else text
        try:
            done = translate_string(whole, file.source.path, options, self._project, is_run_time=is_run_time)
        except UnreadableSource:
            return None
        return _of_part(done, len(_BEFORE_BODY)) if is_body else done

    def _translate(self, uses: Iterable[_Use]) -> None:
        """Translate each source; those that share a literal have to agree on what becomes of it."""
        data = self.file.source.data
        done: list[tuple[_Use, LiteralText, Translation, list[Edit]]] = []
        by_literal: dict[Node, set[tuple[Edit, ...]]] = {}
        for use in uses:
            text = LiteralText(data, [Literal.of(data, node) for node in use.literals], self.file.source.newline)
            translation = self._translated(
                text.value, self.file.options, is_run_time=use.is_run_time, is_body=use.is_body
            )
            if translation is None:
                continue
            why, edits = self._obstacle(use, translation), list[Edit]()
            try:
                edits = [] if why else text.in_file(translation.edits)
            except Unwritable as error:
                why = str(error)
            if why and translation.edits:
                self._left(use, text, translation, why)
                continue
            done.append((use, text, translation, edits))
            for node in dict.fromkeys(use.literals):
                by_literal.setdefault(node, set()).add(tuple(e for e in edits if node.start <= e.start < node.end))
        for use, text, translation, edits in done:
            if any(len(by_literal[node]) > 1 for node in use.literals):
                self._left(use, text, translation, "another source contains a part of it, and needs it in another way")
                continue
            self.file.edits += edits
            self._take(text, translation)

    def _obstacle(self, use: _Use, translation: Translation) -> str:
        """Why a source cannot be translated where it is written; empty if it can."""
        if not use.is_whole:
            if any(b"hipify::" in edit.text and INLINED not in edit.text for edit in translation.edits):
                return "the package puts it into a kernel of its own"
            translation.edits = [edit for edit in translation.edits if INLINED not in edit.text]
        if not self._in_templates.isdisjoint(use.literals):
            return "the program also makes another text of it"
        if not self._taken_apart.isdisjoint(use.literals):
            return "the program also looks into its text"
        return ""

    @cached_property
    def _taken_apart(self) -> set[Node]:
        """The literals whose text the program looks into: `"x" in SOURCE`, `SOURCE.index("x")`, `SOURCE[3:]`."""
        return {
            literal
            for node in self.file.nodes
            if node.kind in {NAME, ATTRIBUTE} and _is_taken_apart(node)
            for value in self._values.of(node)
            if isinstance(value, Text)
            for literal in value.literals
        }

    def _left(self, use: _Use, text: LiteralText, translation: Translation, why: str) -> None:
        """Report a source that stays as it is."""
        what = _listed(self._kept_names(text, translation)) or "calls that need the support header"
        self._report(use.literals[0].start, "", f"{why}; it has {what}")

    def _take(self, text: LiteralText, translation: Translation) -> None:
        """Take over the references and findings of a source, at their places in the file."""
        self._warps = self._warps.plus(translation.warps)
        source = self.file.source
        for reference in translation.references:
            self._refer(reference._replace(offset=text.place(reference.offset)))
        there = {(found.id, found.offset, found.message) for found in self.file.findings}
        for findings, kept in ((translation.findings, self.file.findings), (translation.suppressed, self._suppressed)):
            for finding in findings:
                place = text.place(max(finding.offset, 0))
                if (finding.id, place, finding.message) in there:
                    continue
                line, column = source.position(place)
                kept.append(
                    finding._replace(
                        path=source.path, offset=place, line=line, column=column, fix=None, others=(), source_line=""
                    )
                )

    def _unreached(self) -> None:
        """Report the kernels in strings that no known constructor gets, and that cannot stay as they are."""
        texts: dict[Node, list[str]] = {}
        for node in self.file.nodes:
            if node.kind != STRING or node in self._seen or _DEVICE_CODE.search(node.text) is None:
                continue
            if node.parent is not None and node.parent.kind == STATEMENT:  # a documentation string
                continue
            names = self._to_change([node], is_run_time=True)
            if names:
                texts[node] = names
        if texts:
            names = [name for found in texts.values() for name in found]
            what = "it; it has" if len(texts) == 1 else f"it and {len(texts) - 1} more of its texts; they have"
            self._report(next(iter(texts)).start, "", f"this file does not show what compiles {what} {_listed(names)}")

    def _report(self, place: int, name: str, detail: str) -> None:
        """Report a source that stays as it is, once."""
        if not any(found.id == _RUN_TIME and found.offset == place for found in self.file.findings):
            self.file.finding(_RUN_TIME, place, name, detail)


def _defined_by_headers(data: bytes) -> frozenset[OwnMacro]:
    """Names of CUDA that the sources of a program have from a package's header, because they include none of CUDA's."""
    return frozenset(
        OwnMacro(name.encode(), False)
        for path, names in packages().headers.items()
        if re.search(rb"[<\"\s]" + re.escape(path.encode()), data) is None
        for name in names
    )


def _has_kernels(value: Value) -> bool:
    """Whether a text has kernels of CUDA: OpenCL and OpenMP have none with these words."""
    literals = value.literals if isinstance(value, Text | Template) else ()
    return any(_DEVICE_CODE.search(literal.text) for literal in literals)


def _of_part(done: Translation, start: int) -> Translation:
    """A translation of what follows a beginning that was added to it, without what was added to the beginning."""
    done.edits = [edit._replace(start=edit.start - start, end=edit.end - start) for edit in done.edits]
    done.references = [each._replace(offset=each.offset - start) for each in done.references if each.offset >= start]
    done.findings = [each._replace(offset=max(each.offset - start, 0)) for each in done.findings]
    done.suppressed = [each._replace(offset=max(each.offset - start, 0)) for each in done.suppressed]
    return done


def _is_taken_apart(node: Node) -> bool:
    """Whether the program looks into the text that a name stands for."""
    around = node.parent
    if around is None or around.children[0] is not node:
        return around is not None and around.kind == OPERATION and around.text in _LOOKING
    if around.kind == ATTRIBUTE:
        return around.text.rpartition(".")[2] in _LOOKING_METHODS
    return around.kind == SUBSCRIPT or (around.kind == OPERATION and around.text in _LOOKING)


def _changed_names(done: Translation, text: bytes) -> list[str]:
    """The names that a translation changes, or reports for good."""
    references = sorted(each for each in done.references if each.name != _LAUNCH)
    offsets = [each.offset for each in references]
    changed = []
    for edit in done.edits:
        if INLINED in edit.text:
            continue
        if edit.start == edit.end:
            if b"#" not in edit.text:  # an argument of the call before it; conditions belong to what they are around
                changed += [each.name for each in references[bisect_right(offsets, edit.start) - 1 :][:1]]
            continue
        within = references[bisect_left(offsets, edit.start) : bisect_left(offsets, edit.end)]
        word = _PATH.match(text, edit.start)
        changed += [each.name for each in within] or ([] if word is None else [word[0].decode("utf-8", "replace")])
    changed += [each.name for each in references if each.outcome == UNSUPPORTED]
    told = [finding.name for finding in done.findings if finding.severity != "note" and finding.name]
    return [*dict.fromkeys((*changed, *told))]


def _listed(names: Sequence[str]) -> str:
    """Names as a list in words, the most frequent first."""
    shown = [name for name, _ in Counter(names).most_common(_MOST_NAMED)]
    more = len(set(names)) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
