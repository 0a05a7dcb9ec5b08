"""What a finding means: its register entry, the rule that finds it, and examples before and after."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from hipify_py.build_systems.kinds import (
    BAZEL,
    CI,
    CMAKE,
    DOCKER,
    LIST_FILE,
    MAKE,
    PYPROJECT,
    PYTHON,
    SCONS,
    SHELL,
    kind_of,
)
from hipify_py.catalog.register import FAMILIES, compiled_register, family
from hipify_py.core.findings import EXACT
from hipify_py.core.options import DEFAULT_FIXES, Options
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.rules.registry import rules_about

# Plain text with names of code in it, as Markdown.

_CODE_SPAN = re.compile(r"(`[^`]+`)")
_NAME = re.compile(r"(<[\w./]+>|(?:[\w/]+(?:::|/))*\w*_\w*(?:::\w+)*(?:\.(?:hpp|h|py)\b)?\*?(?:<[^<>]+>)?(?:\(\w*\))?)")
"""What Markdown would take apart: headers in angle brackets, and names with underscores, which stand for emphasis."""


def markdown(text: str) -> str:
    """Text that reads in Markdown as it was written: names become code, and what else is markup is escaped.

    Code in backticks stays as it is.
    """
    spans = _CODE_SPAN.split(text)
    return "".join(span if at % 2 else _plain(span) for at, span in enumerate(spans))


def _plain(text: str) -> str:
    names = _NAME.split(text)
    return "".join(f"`{part}`" if at % 2 else _escaped(part) for at, part in enumerate(names))


def _escaped(text: str) -> str:
    return re.sub(r"([\\*\[\]])", r"\\\1", text).replace("<", "&lt;")


EFFORT_WORDS = {"low": "minutes", "medium": "hours", "high": "a redesign"}
_LANGUAGES = {
    CMAKE: "cmake",
    MAKE: "make",
    PYTHON: "python",
    PYPROJECT: "toml",
    BAZEL: "starlark",
    SCONS: "python",
    DOCKER: "dockerfile",
    SHELL: "sh",
    CI: "yaml",
}
_FORTRAN = "HIP913"
_NUMBER = re.compile(r"(?:HIP)?(\d{3})", re.IGNORECASE)


class Shown(NamedTuple):
    """One example.

    Attributes:
        source: CUDA code.
        output: its translation; the same if it is unchanged.
        findings: the ids of its findings.
        messages: their messages, for the id that is explained.
        fixes: the families of fixes that must be off for these findings; empty if none.
    """

    source: str
    output: str
    findings: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()


class Explanation(NamedTuple):
    """The explanation of one id; `examples` are reported, then changed code, `valid` is neither."""

    id: str
    family: str
    title: str
    severity: str
    effort: str
    why: str
    advice: str
    source: str
    examples: list[Shown]
    valid: list[Shown]
    fix: str = ""
    applicability: str = ""

    @property
    def mending(self) -> str:
        """What the fix of such findings does, and how it is asked for; empty where they have none."""
        if not self.fix:
            return ""
        sure = "exact" if self.applicability == EXACT else "needs review"
        return f"{self.fix} ({sure}): --fix {self.id}"


def known_ids() -> list[str]:
    """The ids of the register, in order."""
    return sorted(_register())


def canonical(text: str) -> str | None:
    """The id meant by `HIP301`, `hip301` or `301`; None if the register has no such id."""
    match = _NUMBER.fullmatch(text.strip())
    id = f"HIP{match[1]}" if match else ""
    return id if id in _register() else None


def near_ids(text: str) -> list[str]:
    """Ids similar to a mistyped one, those of the same hundred first."""
    import difflib

    digits = re.sub(r"\D", "", text)[:3]
    close = difflib.get_close_matches(f"HIP{digits}", known_ids(), n=3, cutoff=0.8) if digits else []
    close.sort(key=lambda near: near[3] != digits[0])
    return close or [id for id in known_ids() if digits and id[3] == digits[0]]


def explain(id: str) -> Explanation:
    """Explain an id of the register.

    Raises:
        KeyError: for an id that the register does not have.
    """
    entry = _register()[id]
    rules = rules_about(id)
    main = [rule for rule in rules if rule.id == id]
    sources = {
        example.source: None for rule in rules for example in rule.INVALID if rule.id == id or id in example.findings
    }
    if "example" in entry:
        sources[entry["example"]] = None
    shown = sorted((_translated(source, id) for source in sources), key=lambda example: id not in example.findings)
    untouched = [_translated(example.source, id) for rule in main for example in rule.VALID]
    valid = [Shown(example.source, example.source) for example in untouched if example.output == example.source]
    return Explanation(
        id,
        family(id),
        entry["title"],
        entry["severity"],
        entry["effort"],
        why(id),
        entry["advice"],
        entry["source"],
        shown,
        valid,
        entry.get("fix", {}).get("title", ""),
        entry.get("fix", {}).get("applicability", ""),
    )


def why(id: str) -> str:
    """Why a finding matters.

    Raises:
        KeyError: for an id that the register does not have.
    """
    said = _register()[id].get("why")
    return str(
        said or "\n\n".join(inspect.cleandoc(rule.__doc__ or "") for rule in rules_about(id) if rule.id == id)
    ).strip()


def text_lines(found: Explanation) -> Iterator[str]:
    """An explanation for a terminal."""
    yield f"{found.id}: {found.title}"
    yield f"{found.severity}, {found.effort} effort ({EFFORT_WORDS[found.effort]}), {found.family}"
    yield ""
    for head, text in (
        ("Why", found.why),
        ("What to do", found.advice),
        ("Fix", found.mending),
        ("Source", found.source),
    ):
        if text:
            yield f"{head}:"
            yield from (f"  {line}".rstrip() for line in text.splitlines())
            yield ""
    for example in found.examples:
        yield "CUDA:"
        yield from _indented(example.source)
        yield from _outcome_lines(example, found.id)
        yield ""
    if found.valid:
        yield "Stays as it is:"
        for example in found.valid:
            yield from _indented(example.source)
        yield ""
    lines = suppression_lines(found)
    yield "To suppress it:" if lines else "It cannot be suppressed, because the file was not converted."
    yield from (f"  {line}" for line in lines)


def _outcome_lines(example: Shown, id: str) -> Iterator[str]:
    if example.output != example.source:
        yield "HIP:"
        yield from _indented(example.output)
    yield from _reported(example, id)


def _reported(example: Shown, id: str) -> Iterator[str]:
    """The findings of an example: the messages of the explained id, and the other ids."""
    without = "".join(f" with --no-fix {family}" for family in example.fixes)
    yield from (f"Reported{without}: {message}" for message in example.messages)
    others = ", ".join(found for found in example.findings if found != id)
    if others:
        yield f"Also reported: {others}" if example.messages else f"Reported{without}: {others}"


def suppression_lines(found: Explanation) -> list[str]:
    """How to suppress a finding, narrow ways first; nothing for one that explains why a file failed."""
    id = found.id
    if id[3] == "9" and found.severity == "error":
        return []
    is_of_scripts = is_of_build_files(id) or kind_of_host(_register()[id].get("file", ""))
    mark = "!" if id == _FORTRAN else "#" if is_of_scripts else "//"
    return [
        f"{mark} hipify: ignore[{id}] on its line, or on the line above",
        f"{mark} hipify: ignore-file[{id}] anywhere in the file",
        f'ignore = ["{id}"] in hipify-py.toml, or under [per-file-ignores] for some files',
        f"--ignore {id} on the command line",
    ]


def list_lines(ids: Iterable[str]) -> Iterator[str]:
    """One line an id, under the name of its family."""
    before = ""
    for id in ids:
        entry = _register()[id]
        if family(id) != before:
            before = family(id)
            yield f"{before}:"
        yield f"  {id}  {entry['severity']:<8} {entry['effort']:<7} {entry['title']}"


def document(found: Explanation) -> dict[str, Any]:
    """An explanation as a JSON document."""
    examples = [example._asdict() for example in found.examples]
    valid = [example.source for example in found.valid]
    return {**found._asdict(), "examples": examples, "valid": valid}


def pages() -> dict[str, str]:
    """The pages of `docs/diagnostics` by file name: one an id, and an index."""
    explanations = [explain(id) for id in known_ids()]
    result = {f"{found.id}.md": page(found) for found in explanations}
    return {**result, "README.md": "\n".join(_index(explanations)) + "\n"}


def page(found: Explanation) -> str:
    """The page of an explanation, in Markdown."""
    return "\n".join(_page(found)) + "\n"


def is_of_build_files(id: str) -> bool:
    """A finding is in build files, not in sources that need another build."""
    return id.startswith("HIP6") and bool(kind_of(_build_file(id)))


def _page(found: Explanation) -> Iterator[str]:
    language = f"```{_language(found.id)}"
    yield f"# {found.id}: {markdown(found.title)}"
    yield ""
    yield f"*{found.severity}, {found.effort} effort ({EFFORT_WORDS[found.effort]}), {found.family}*"
    mending = found.mending.replace(f"--fix {found.id}", f"`--fix {found.id}`")
    for head, text in (("Why", found.why), ("What to do", found.advice), ("Fix", mending)):
        if text:
            yield from ("", f"## {head}", "", markdown(text))
    if found.examples:
        yield from ("", "## Examples")
        for example in found.examples:
            yield from ("", language, example.source.rstrip("\n"), "```", "")
            if example.output != example.source:
                yield from ("becomes", "", language, example.output.rstrip("\n"), "```")
            yield from (part for line in _reported(example, found.id) for part in ("", markdown(line)))
    if found.valid:
        yield from ("", "## Stays as it is")
        for example in found.valid:
            yield from ("", language, example.source.rstrip("\n"), "```")
    lines = suppression_lines(found)
    if lines:
        yield from ("", "## To suppress it", "")
        yield from (f"- {_code(line)}" for line in lines)
    yield from ("", markdown(f"Source: {found.source}."))


def _code(line: str) -> str:
    """A suppression line with the part to type formatted as code."""
    head, separator, rest = re.split(r"( (?:on|anywhere in|in) )", line, maxsplit=1)
    return f"`{head}`{separator}{rest}"


def _index(explanations: list[Explanation]) -> Iterator[str]:
    yield "# What hipify-py reports"
    yield ""
    yield "Generated by `hipify-py explain --write-docs docs/diagnostics`; `hipify-py explain HIP301` prints the same."
    for title in FAMILIES.values():
        found = [one for one in explanations if one.family == title]
        if found:
            yield from ("", f"## {title}", "", "| id | title | severity | effort | fix |")
            yield "| --- | --- | --- | --- | --- |"
            yield from (
                f"| [{one.id}]({one.id}.md) | {markdown(one.title)} "
                f"| {one.severity} | {one.effort} | {one.applicability} |"
                for one in found
            )


def _indented(text: str) -> Iterator[str]:
    return (f"    {line}".rstrip() for line in text.splitlines())


def _build_file(id: str) -> str:
    """The name of the build file that a finding's example is of."""
    name: str = _register()[id].get("file", LIST_FILE)
    return name


def _language(id: str) -> str:
    """How Markdown calls the language of a finding's examples."""
    if is_of_build_files(id):
        return _LANGUAGES.get(kind_of(_build_file(id)), "text")
    return "python" if kind_of_host(_register()[id].get("file", "")) else "cuda"


def _translated(source: str, id: str) -> Shown:
    """An example with its translation, and the messages for `id`."""
    from hipify_py.translator.translate import translate, translate_program

    options = Options(implicit_runtime=False)
    if is_of_build_files(id):
        from hipify_py.build_systems.translate import translate_build_file

        said = translate_build_file(source.encode(), _build_file(id), options, translate_source=translate_program)
        messages = tuple(dict.fromkeys(found.message for found in said.findings if found.id == id))
        return Shown(source, said.output.decode(), tuple(dict.fromkeys(f.id for f in said.findings)), messages)
    path = _register()[id].get("file", "<input>")
    if kind_of_host(path):
        from hipify_py.embedded.translate import translate_host

        said = translate_host(source.encode(), path, options)
        messages = tuple(dict.fromkeys(found.message for found in said.findings if found.id == id))
        return Shown(source, said.output.decode(), tuple(dict.fromkeys(f.id for f in said.findings)), messages)
    result = translate(source, path=path, options=options)
    reported = result
    without: tuple[str, ...] = ()
    if id not in [found.id for found in result.findings]:
        unfixed = translate(source, path=path, options=options._replace(fixes=frozenset()))
        if id in [found.id for found in unfixed.findings]:
            reported, without = unfixed, tuple(sorted(DEFAULT_FIXES))
    messages = tuple(dict.fromkeys(found.message for found in reported.findings if found.id == id))
    ids = tuple(dict.fromkeys(found.id for found in reported.findings))
    return Shown(source, result.output.decode(), ids, messages, without)


@cache
def _register() -> dict[str, dict[str, Any]]:
    return compiled_register()
